// A book or note, open at a passage: read on before and after it, go from hit to hit, cite.

import { get, source_address } from "./api.js";
import { fill, make } from "./dom.js";
import { say } from "./page.js";
import { address } from "./state.js";

const WINDOW = 20;

/** The view. */
export async function draw(main, { parts, parameters }) {
  const [place, source] = parts;
  const is_note = parameters.note === "true";
  const read = is_note ? await of_note(place, source) : of_book(place, source);
  const start = Number(parameters.start ?? 0);
  const end = Number(parameters.end ?? start);
  const chapters = is_note ? [] : (await get(`/places/${place}/books/${source}/chapters`)).chapters;
  const middle = await read.around(start, end);
  const text = make("article", { class: "reader", dir: "auto" });
  const cited = is_note ? `${source}, characters ${start}-${end}` : (await get(`/places/${place}/books/${source}/passage`, { start, end: Math.max(end, start + 1) })).citation;

  const shown = { first: middle[0]?.chunk_number ?? 1, last: middle.at(-1)?.chunk_number ?? 0 };
  const before = make("button", { type: "button", on: { click: () => grow(-1) } }, "Read what comes before");
  const after = make("button", { type: "button", on: { click: () => grow(1) } }, "Read on");
  fill(text, middle.map((chunk) => paragraph(chunk, start, end)));
  fill(
    main,
    make("h1", {}, middle[0]?.source_filename ?? source),
    make("div", { class: "columns" },
      make("div", {}, before, text, after),
      make("div", { class: "panel" },
        make("p", {}, cited),
        make("p", {}, make("button", { type: "button", on: { click: async () => { await navigator.clipboard.writeText(cited); say("Copied"); } } }, "Copy citation")),
        is_note ? null : make("p", {}, make("a", { href: source_address(place, source) }, "The original file")),
        await hits(place, source, is_note, parameters),
        chapters.length ? make("nav", { "aria-label": "Chapters" }, make("h2", {}, "Chapters"), make("ol", {}, chapters.map((chapter) =>
          make("li", {}, make("a", { href: address("read", [place, source], { start: chapter.character_start_offset, end: chapter.character_start_offset }) }, chapter.title))))) : null)),
  );
  text.querySelector(".hit")?.scrollIntoView({ block: "center" });
  buttons();

  async function grow(direction) {
    const chunks = direction < 0 ? await read.window(Math.max(1, shown.first - WINDOW), shown.first - 1) : await read.window(shown.last + 1, shown.last + WINDOW);
    if (chunks.length) {
      if (direction < 0) shown.first = chunks[0].chunk_number;
      else shown.last = chunks.at(-1).chunk_number;
      const nodes = chunks.map((chunk) => paragraph(chunk, start, end));
      if (direction < 0) text.prepend(...nodes);
      else text.append(...nodes);
    }
    buttons(direction > 0 && !chunks.length);
  }

  function buttons(at_end = false) {
    before.hidden = shown.first <= 1;
    after.hidden = at_end || shown.last >= read.total();
  }
}

/** A chunk of the text, the passage in it marked. */
function paragraph(chunk, start, end) {
  const points = Array.from(chunk.chunk_text);
  const from = Math.max(0, start - chunk.character_start_offset);
  const to = Math.min(points.length, end - chunk.character_start_offset);
  const where = [...chunk.pages.map((page) => `p. ${page}`), ...chunk.chapters].join(", ");
  const is_hit = from < to;
  return make("div", { class: is_hit ? "passage hit" : "passage", title: where || null },
    is_hit ? [points.slice(0, from).join(""), make("mark", {}, points.slice(from, to).join("")), points.slice(to).join("")] : chunk.chunk_text);
}

/** The hit before and the one after, where a search led here. */
async function hits(place, source, is_note, parameters) {
  if (!parameters.query) return null;
  const filter = is_note ? { note: source } : { book: source };
  const found = await get("/search", { query: parameters.query, place, ...filter, limit: 100 });
  const places = found.results.map((hit) => [hit.character_start_offset, hit.character_end_offset]).sort((a, b) => a[0] - b[0]);
  const at = places.findIndex(([start]) => start === Number(parameters.start));
  const link = (name, to) => places[to] ? make("a", { href: address("read", [place, source], { ...parameters, start: places[to][0], end: places[to][1] }) }, name) : null;
  return make("p", {}, `Hit ${at + 1} of ${places.length} here. `, at > 0 ? link("Previous hit", at - 1) : null, " ", link("Next hit", at + 1));
}

function of_book(place, book) {
  let total = Infinity;
  const window = async (first, last) => {
    if (last < first) return [];
    const found = await get(`/places/${place}/books/${book}/chunks`, { first, limit: last - first + 1 });
    total = found.total_chunks;
    return found.chunks;
  };
  return {
    window,
    total: () => total,
    around: async (start, end) => {
      const { chunks } = await get(`/places/${place}/books/${book}/passage`, { start, end: Math.max(end, start + 1), around: 3 });
      await window(1, 1);
      return window(chunks[0].chunk_number, chunks.at(-1).chunk_number);
    },
  };
}

async function of_note(place, note) {
  const { chunks } = await get(`/places/${place}/notes/chunks`, { note });
  return {
    window: async (first, last) => chunks.filter((chunk) => chunk.chunk_number >= first && chunk.chunk_number <= last),
    total: () => chunks.length,
    around: async () => chunks,
  };
}
