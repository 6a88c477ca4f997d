// The view of cuts: a text, every cut in it with its level, and why each is where it is.

import { get, post, upload } from "./api.js";
import { chunk_view, histogram, levels_view } from "./column.js";
import { debounced, el, fill, number, say } from "./dom.js";
import { keep } from "./state.js";

const SAMPLE = "Fog came over the bay. Nobody rang the bell.\n\nAt noon the ferry left for Oslo.\n";
const WINDOW = 100;

/** A column of chunks of one split, filled as a person scrolls. */
class Column {
  constructor(choose) {
    this.node = el("div", { class: "column" });
    this.end = el("div", { "aria-hidden": "true" });
    this.choose = choose;
    this.watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.more(), { rootMargin: "1200px" });
    this.watcher.observe(this.end);
    this.loading = false;
  }

  /** Show a split; cuts at offsets outside `others` are marked as differing. */
  show(split, others = null) {
    this.split = split;
    this.others = others;
    this.shown = 0;
    fill(this.node);
    this.add(split.chunks);
  }

  add(chunks) {
    const differs = (chunk) => this.others !== null && !this.others.has(chunk.character_end_offset);
    this.node.append(...chunks.map((chunk) => chunk_view(chunk, this.choose, differs(chunk))), this.end);
    this.shown += chunks.length;
  }

  async more(limit = WINDOW) {
    if (this.loading || !this.split || this.shown >= this.split.total_chunks) return;
    this.loading = true;
    const split = this.split;
    const found = await get(`/splits/${split.split_id}/chunks`, { first: this.shown + 1, limit });
    this.loading = false;
    if (split === this.split) this.add(found.chunks);
  }

  /** Load as far as a chunk and go there. */
  async go(chunk_number) {
    while (this.shown < chunk_number && this.shown < this.split.total_chunks) await this.more(1000);
    const cut = this.node.querySelector(`[data-cut="${chunk_number}"]`);
    cut?.scrollIntoView({ block: "center" });
    cut?.focus({ preventScroll: true });
  }
}

/** The fields of one recipe, made of what the server says a splitter takes. */
class Recipe {
  constructor(formats, given, name, changed) {
    this.formats = formats;
    this.values = { ...given };
    this.name = name;
    this.changed = changed;
    this.node = el("fieldset", {});
    this.draw();
  }

  get by() {
    return this.values.by ?? "boundary";
  }

  draw() {
    const splitter = this.formats.splitters.find((one) => one.by === this.by);
    const choose = el("select", { on: { change: (event) => { this.values = { by: event.target.value }; this.draw(); this.changed(); } } },
      this.formats.splitters.map((one) => el("option", { value: one.by, selected: one.by === this.by }, one.by)));
    fill(this.node, el("legend", {}, this.name), el("label", {}, "Cut by", choose), splitter.settings.filter(editable).map((setting) => this.field(setting)));
  }

  field(setting) {
    const now = this.values[setting.name] ?? setting.default ?? NEEDED[this.by]?.[setting.name] ?? "";
    const set = (value) => { this.values[setting.name] = value; this.changed(); };
    const label = setting.name.replaceAll("_", " ");
    if (typeof setting.default === "boolean") {
      return el("label", { class: "check" }, el("input", { type: "checkbox", checked: String(now) === "true", on: { change: (event) => set(event.target.checked) } }), label);
    }
    if (setting.name === "measure") {
      return el("label", {}, label, el("select", { on: { change: (event) => set(event.target.value) } }, this.formats.measures.map((one) => el("option", { value: one, selected: one === (now || "words") }, one))));
    }
    const is_number = typeof setting.default === "number" || NUMBERS.has(setting.name);
    return el("label", {}, label, el("input", { type: is_number ? "number" : "text", min: is_number ? "0" : null, value: String(now), on: { input: (event) => set(event.target.value) } }));
  }

  /** The settings as a request takes them; empty fields are left to the splitter. */
  settings() {
    const splitter = this.formats.splitters.find((one) => one.by === this.by);
    const found = {};
    for (const setting of splitter.settings.filter(editable)) {
      const value = this.values[setting.name] ?? NEEDED[this.by]?.[setting.name];
      if (value === undefined || value === "" ) continue;
      if (typeof setting.default === "boolean") found[setting.name] = String(value) === "true";
      else found[setting.name] = typeof setting.default === "number" || NUMBERS.has(setting.name) ? Number(value) : value;
    }
    return found;
  }
}

// Settings that are lists or functions are for programs.
const editable = (setting) => !["separators", "abbreviations"].includes(setting.name);
const NUMBERS = new Set(["max_sentences", "max_tokens"]);
const NEEDED = { tokens: { max_tokens: 200, measure: "words" }, sentences: { max_sentences: 5 } };

/** The view. */
export async function draw(main, { parameters }) {
  const formats = await get("/formats");
  const kept = await get("/documents");
  let held = kept.documents.find((one) => one.document_id === parameters.doc) ?? kept.documents[0] ?? null;
  const is_compare = parameters.compare === "true";
  let running = null;

  const text = el("textarea", { id: "text", dir: "auto", "aria-label": "Text to cut", on: { input: debounced(() => { held = null; recut(); }, 150) } });
  const file = el("input", { type: "file", accept: formats.extensions.join(","), on: { change: () => file.files[0] && take(file.files[0]) } });
  const drop = el("div", { class: "drop" }, el("label", { for: "text" }, "Paste a text, or drop a file here"), text, el("label", {}, "or choose one", file));
  for (const event of ["dragover", "dragleave", "drop"]) drop.addEventListener(event, (at) => { at.preventDefault(); drop.classList.toggle("over", event === "dragover"); });
  drop.addEventListener("drop", (event) => event.dataTransfer.files[0] && take(event.dataTransfer.files[0]));

  const title = el("h1", {}, "Cuts");
  const warnings = el("div", {});
  const problem = el("p", { class: "error", role: "alert" });
  const figures = el("div", {});
  const why = el("div", { id: "why", "aria-live": "polite" }, el("p", { class: "soft" }, "Choose a cut to see why it is there."));
  const one = new Column((chunk_number) => explain(one, chunk_number));
  const two = is_compare ? new Column((chunk_number) => explain(two, chunk_number)) : null;
  const recut = debounced(() => cut().catch(failed), 150);
  const own = (prefix) => Object.fromEntries(Object.entries(parameters).filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
  const first = new Recipe(formats, own("a."), is_compare ? "Recipe A" : "Recipe", recut);
  const second = is_compare ? new Recipe(formats, own("b."), "Recipe B", recut) : null;
  const compare = el("label", { class: "check" }, el("input", { type: "checkbox", checked: is_compare, on: { change: (event) => { parameters.compare = event.target.checked || undefined; remember(); dispatchEvent(new HashChangeEvent("hashchange")); } } }), "Compare two recipes");

  fill(
    main,
    title,
    el("div", { class: "columns" },
      el("div", {}, drop, warnings, problem, is_compare ? el("div", { class: "compare" }, one.node, two.node) : one.node),
      el("div", { class: "panel" }, el("form", { on: { submit: (event) => event.preventDefault() } }, first.node, second?.node, compare), figures, why)),
  );

  function remember() {
    if (!main.isConnected) return;
    const kept = { doc: held?.document_id, compare: second || parameters.compare ? parameters.compare : undefined };
    for (const [prefix, recipe] of [["a.", first], ["b.", second]]) {
      for (const [name, value] of Object.entries(recipe?.values ?? {})) kept[prefix + name] = value;
    }
    keep("cuts", [], kept);
  }

  function failed(error) {
    if (error.name === "AbortError") return;
    problem.textContent = error.message;
  }

  async function take(chosen) {
    problem.textContent = "";
    say(`Reading ${chosen.name}`);
    try {
      held = await upload("/documents/read", chosen);
      text.value = "";
      await cut();
    } catch (error) {
      failed(error);
    }
  }

  async function cut() {
    running?.abort();
    running = new AbortController();
    if (!held) held = await post("/documents", { text: text.value || SAMPLE }, running.signal);
    const ask = (recipe) => post("/split", { document_id: held.document_id, by: recipe.by, settings: recipe.settings(), limit: WINDOW }, running.signal);
    const split = await ask(first);
    const other = second ? await ask(second) : null;
    problem.textContent = "";
    title.textContent = held.title ?? held.source_filename ?? "Cuts";
    fill(warnings, held.warnings.map((warning) => el("p", { class: "soft" }, `${warning.message} (${warning.code})`)));
    one.show(split, other && new Set(other.ends));
    two?.show(other, new Set(split.ends));
    show_figures(split, other);
    remember();
    say(`${number(split.total_chunks)} chunks`);
  }

  function show_figures(split, other) {
    const sizes = split.ends.map((end, at) => end - (split.ends[at - 1] ?? 0));
    const go = (level) => one.go(split.levels.indexOf(level) + 1);
    const links = (name, numbers) => numbers.length
      ? el("p", {}, `${name}: `, numbers.slice(0, 12).map((at) => [el("button", { type: "button", on: { click: () => one.go(at) } }, String(at)), " "]), numbers.length > 12 ? `and ${numbers.length - 12} more` : "")
      : el("p", {}, `${name}: none`);
    const tokens = el("p", {});
    const measures = formats.measures.filter((name) => name !== "characters");
    fill(
      figures,
      el("h2", {}, "Lengths"),
      histogram(sizes),
      levels_view(split.levels_count, go),
      links("Hard cuts", split.hard_cuts),
      links("Chunks over the limit", split.oversize),
      other ? el("p", {}, `Cuts of A that B does not have: ${number(split.ends.filter((end) => !other.ends.includes(end)).length)}; of B: ${number(other.ends.filter((end) => !split.ends.includes(end)).length)}.`) : null,
      el("p", {}, measures.map((name) => [el("button", { type: "button", on: { click: () => measure(split, name, tokens) } }, `Count ${name}`), " "])),
      tokens,
      el("h2", {}, "The same elsewhere"),
      copy("Python", split.python),
      copy("command", split.command),
    );
  }

  async function measure(split, name, target) {
    target.textContent = "Counting";
    try {
      const { counts } = await get(`/splits/${split.split_id}/counts`, { measure: name });
      target.textContent = `${name}: ${number(Math.min(...counts))} to ${number(Math.max(...counts))}, together ${number(counts.reduce((sum, count) => sum + count, 0))}`;
    } catch (error) {
      target.textContent = error.message;
    }
  }

  async function explain(column, chunk_number) {
    for (const cut of main.querySelectorAll('.cut[aria-pressed="true"]')) cut.setAttribute("aria-pressed", "false");
    column.node.querySelector(`[data-cut="${chunk_number}"]`)?.setAttribute("aria-pressed", "true");
    try {
      const found = await get(`/splits/${column.split.split_id}/cuts/${chunk_number}`);
      fill(why, explanation(found));
    } catch (error) {
      fill(why, el("p", { class: "error" }, error.message));
    }
  }

  if (held || parameters.doc === undefined) await cut().catch(failed);
  return () => { running?.abort(); one.watcher.disconnect(); two?.watcher.disconnect(); };
}

/** Why a cut is where it is, in words. */
function explanation(found) {
  const window_size = found.window_end - found.window_start;
  return [
    el("h2", {}, `Why chunk ${found.chunk_number} ends at ${number(found.character_end_offset)}`),
    el("p", {}, found.reason),
    el("dl", {},
      el("dt", {}, "level"), el("dd", {}, found.break_level),
      found.count === null ? null : [el("dt", {}, "size"), el("dd", {}, `${number(found.count)} ${found.measure ?? "characters"}`)],
      Object.entries(found.limits).map(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))]),
      window_size ? [el("dt", {}, "window"), el("dd", {}, `${number(found.window_start)} to ${number(found.window_end)}`)] : null),
    found.candidates.length
      ? el("table", {}, el("caption", {}, "Places in the window, by level"), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "level"), el("th", { scope: "col" }, "places"), el("th", { scope: "col" }, "last at"))),
          el("tbody", {}, found.candidates.map((one) => el("tr", {}, el("td", {}, one.break_level), el("td", {}, number(one.total)), el("td", {}, one.offsets.length ? number(one.offsets.at(-1)) : "none")))))
      : null,
  ];
}

function copy(name, value) {
  const button = el("button", { type: "button", on: { click: async () => { await navigator.clipboard.writeText(value); say("Copied"); } } }, `Copy as ${name}`);
  return el("div", {}, button, el("pre", { tabindex: "0", "aria-label": `As ${name}` }, value));
}
