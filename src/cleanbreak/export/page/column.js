// The text as one column, each cut a mark. Chunks are loaded in groups, when they come near.
import { make, whole } from "./dom.js";
import { levelOf } from "./levels.js";

const GROUP = 40;
const NEAR = "1500px 0px";
// What a character of text and a mark take of height; only for groups that were not seen yet.
const CHARACTERS_A_LINE = 75, LINE = 26, MARK = 34;

/**
 * `<cb-column>`: show(outline, load) draws a text. `outline.ends[n - 1]` is where chunk `n` ends;
 * `load(first, limit)` promises the records of chunks. Event `cut`: a mark was chosen; `detail` is its record.
 */
export class CutColumn extends HTMLElement {
  #groups = [];
  #shown = 0;
  #seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) this.#fill(entry.target);
  }, { rootMargin: NEAR });

  connectedCallback() {
    this.addEventListener("keydown", (event) => this.#move(event));
  }

  disconnectedCallback() {
    this.#seen.disconnect();
  }

  /** Draw a text; `first` records that are already there are drawn at once. */
  show(outline, load, first = []) {
    this.#shown += 1;
    this.#seen.disconnect();
    this.outline = outline;
    this.load = load;
    this.marked = outline.marked ?? new Set();
    this.#groups = [];
    const total = outline.ends.length;
    for (let from = 1; from <= total; from += GROUP) {
      const until = Math.min(total, from + GROUP - 1);
      const start = from === 1 ? 0 : outline.ends[from - 2];
      const height = ((outline.ends[until - 1] - start) / CHARACTERS_A_LINE) * LINE + (until - from + 1) * MARK;
      const group = make("div", { className: "group", data: { first: from, count: until - from + 1 } });
      group.style.containIntrinsicSize = `auto ${Math.round(height)}px`;
      this.#groups.push(group);
    }
    for (const [index, group] of this.#groups.entries()) {
      const records = first.slice(index * GROUP, index * GROUP + GROUP);
      if (records.length === Number(group.dataset.count)) this.#draw(group, records);
      else break;
    }
    this.replaceChildren(...this.#groups);
    for (const group of this.#groups) this.#seen.observe(group);
  }

  /** Bring a chunk into view and put the focus on the mark at its end. */
  async goTo(number) {
    const group = this.#groups[Math.floor((number - 1) / GROUP)];
    if (!group) return null;
    await this.#fill(group);
    const chunk = group.querySelector(`[data-number="${number}"]`);
    chunk?.scrollIntoView({ block: "center" });
    chunk?.querySelector(".cut")?.focus({ preventScroll: true });
    return chunk;
  }

  async #fill(group) {
    if (group.dataset.state === "filled") return;
    const shown = this.#shown;
    const first = Number(group.dataset.first);
    group.loading ??= this.load(first, Number(group.dataset.count));
    const records = await group.loading;
    if (shown === this.#shown && group.dataset.state !== "filled") this.#draw(group, records);
  }

  #draw(group, records) {
    group.dataset.state = "filled";
    group.replaceChildren(...records.map((record) => this.#chunk(record)));
  }

  #chunk(record) {
    const text = make("div", { className: "text", dir: "auto" });
    if (record.overlap_text) {
      text.append(make("span", { className: "overlap", title: "overlap: text of the chunk before" }, record.overlap_text));
    }
    text.append(record.chunk_text);
    const chunk = make("div", { role: "group", className: "chunk", data: { number: record.chunk_number } },
      margin(record), text, this.#mark(record));
    chunk.setAttribute("aria-label", `chunk ${record.chunk_number}`);
    if (record.oversize) chunk.classList.add("oversize");
    return chunk;
  }

  #mark(record) {
    const level = levelOf(record.break_level);
    const length = record.character_end_offset - record.character_start_offset;
    const tokens = record.token_count === null ? "" : ` · ${whole(record.token_count)} counted`;
    const differs = this.marked.has(record.character_end_offset);
    const at = whole(record.character_end_offset);
    return make("button", {
      type: "button",
      className: differs ? "cut differs" : "cut",
      data: { level: record.break_level ?? "unknown", cut: record.chunk_number },
      "aria-label": `cut ${record.chunk_number}, ${level.words}, at ${at}${differs ? ", differs" : ""}`,
      on: { click: () => this.dispatchEvent(new CustomEvent("cut", { detail: record, bubbles: true })) },
    },
      make("span", { className: "badge" }, level.badge),
      make("span", { className: "what" }, `${record.chunk_number} · ${level.words} · ${whole(length)} characters${tokens}`),
      make("span", { className: "line" }),
    );
  }

  async #move(event) {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const number = Number(event.target.dataset?.cut);
    if (!step || !number || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    await this.goTo(Math.min(this.outline.ends.length, Math.max(1, number + step)));
  }
}

/** What starts in a chunk: pages and chapters. */
function margin(record) {
  const starts = record.sections.filter((section) =>
    section.kind !== "heading" && section.character_start_offset >= record.character_start_offset &&
    section.character_start_offset < record.character_end_offset);
  return make("div", { className: "margin" }, ...starts.map((section) =>
    make("span", { className: section.kind, dir: "auto" }, section.kind === "page" ? `p. ${section.title}` : section.title)));
}

/** The outline of records that are all there. */
export function outlineOf(records) {
  return {
    ends: records.map((record) => record.character_end_offset),
    starts: records.map((record) => record.character_start_offset),
    levels: records.map((record) => record.break_level),
  };
}

customElements.define("cb-column", CutColumn);
