// A text as one column of chunks, with a mark at every cut. The page and exported files draw it alike.

import { el, number } from "./dom.js";

/** What the levels of breaks are called, cleanest first. */
export const LEVELS = ["chapter", "heading", "block", "paragraph", "line", "sentence", "clause", "word", "grapheme", "end"];

/** A chunk: its pages and chapters in the margin, overlap, text, and the cut at its end. */
export function chunk_view(chunk, choose = null, differs = false) {
  const label = `cut ${chunk.chunk_number}, ${chunk.break_level}, at ${number(chunk.character_end_offset)}`;
  const badge = [el("b", {}, chunk.break_level), ` ${number(chunk.character_end_offset)}`];
  const attributes = { class: `cut level-${chunk.break_level}${differs ? " differs" : ""}`, "data-cut": String(chunk.chunk_number) };
  const cut = choose
    ? el("button", { ...attributes, type: "button", "aria-label": label, on: { click: () => choose(chunk.chunk_number) } }, badge)
    : el("div", { ...attributes, role: "separator", "aria-label": label }, badge);
  const where = [...chunk.pages.map((page) => `p. ${page}`), ...chunk.chapters];
  const size = chunk.character_end_offset - chunk.character_start_offset;
  return el(
    "div",
    { class: "chunk", role: "group", "aria-label": `chunk ${chunk.chunk_number}`, "data-chunk": String(chunk.chunk_number) },
    el("div", { class: "margin" }, el("b", {}, `${chunk.chunk_number}`), el("small", {}, `${number(size)} characters`), ...where.map((name) => el("small", { dir: "auto" }, name))),
    el(
      "p",
      { dir: "auto" },
      chunk.overlap_text ? el("span", { class: "overlap", title: "overlap with the chunk before" }, chunk.overlap_text) : null,
      chunk.chunk_text,
    ),
    cut,
  );
}

/** How often each level occurs, as a list with links to the first cut of each. */
export function levels_view(counts, choose = null) {
  return el(
    "ul",
    { class: "levels" },
    LEVELS.filter((level) => counts[level]).map((level) =>
      el("li", { class: `level-${level}` }, choose ? el("button", { type: "button", on: { click: () => choose(level) } }, level) : el("b", {}, level), ` ${number(counts[level])}`),
    ),
  );
}

/** A histogram of lengths in twenty bars, with its figures in words. */
export function histogram(sizes) {
  if (!sizes.length) return el("p", {}, "No chunks.");
  const most = Math.max(...sizes);
  const least = Math.min(...sizes);
  const bins = new Array(20).fill(0);
  for (const size of sizes) bins[Math.min(19, Math.floor((size / (most + 1)) * 20))] += 1;
  const highest = Math.max(...bins);
  const mean = Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
  const bars = bins.map((count, at) => {
    const bar = el("span", { title: `${Math.round((at * most) / 20)} to ${Math.round(((at + 1) * most) / 20)}: ${count}` });
    bar.style.height = `${Math.round((100 * count) / highest)}%`;
    return bar;
  });
  const said = `${number(sizes.length)} chunks, ${number(least)} to ${number(most)} characters, mean ${number(mean)}`;
  return el("figure", { class: "histogram" }, el("div", { role: "img", "aria-label": `Lengths: ${said}` }, bars), el("figcaption", {}, said));
}
