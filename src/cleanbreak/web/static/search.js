// One box over all places; a result opens the reader at the passage.

import { get } from "./api.js";
import { fill, make, whole } from "./dom.js";
import { marked, say } from "./page.js";
import { address, keep } from "./state.js";

/** The view. */
export async function draw(main, { parameters }) {
  const { places } = await get("/places");
  const field = (name, label, attributes = {}) => make("label", {}, label, make("input", { name, value: parameters[name] ?? "", ...attributes }));
  const choice = (name, label, values) => make("label", {}, label, make("select", { name }, values.map(([value, shown]) => make("option", { value, selected: value === (parameters[name] ?? "") }, shown))));
  const results = make("div", {});
  const form = make("form", { role: "search", on: { submit: (event) => { event.preventDefault(); ask(); } } },
    field("query", "Search", { type: "search", size: "40", dir: "auto" }),
    choice("place", "in", [["", "all places"], ...places.map((place) => [place.place_id, place.name])]),
    choice("kind", "kind", [["", "books and notes"], ["book", "books"], ["note", "notes"]]),
    field("tag", "tag", { size: "10" }),
    choice("mode", "by", [["", "words and meaning"], ["words", "words"], ["vectors", "meaning"]]),
    make("button", {}, "Search"));
  fill(main, make("h1", {}, "Search"), places.length ? form : make("p", {}, "No place is open: start `cleanbreak serve` with a world or a vault."), results);

  async function ask() {
    const asked = Object.fromEntries(new FormData(form));
    keep("search", [], asked);
    if (!asked.query) return fill(results);
    try {
      const found = await get("/search", { ...asked, limit: 20 });
      fill(results, about(found, places), make("ol", { class: "results" }, found.results.map((hit, at) => result(hit, at, asked.query))));
      say(`${whole(found.results.length)} results`);
    } catch (error) {
      fill(results, make("p", { class: "error" }, error.message));
    }
  }

  if (parameters.query) await ask();
  else form.querySelector("input")?.focus();
}

/** What a person has to know of the answer: what was not searched, and how it was found. */
function about(found, places) {
  const name = (id) => places.find((place) => place.place_id === id)?.name ?? id;
  const said = found.places.flatMap((place) => [
    place.error && `${name(place.place_id)}: ${place.error.message}`,
    !place.complete && !place.error && `${name(place.place_id)} was not searched as a whole: its index is behind, or books are unfinished.`,
    place.suggestion && `Nothing was found as typed in ${name(place.place_id)}; did you mean: ${place.suggestion}`,
    ...place.warnings.map((warning) => warning.message),
  ]).filter(Boolean);
  return [
    make("p", { class: "soft" }, `${whole(found.results.length)} results in ${Math.round(found.seconds * 1000)} ms`),
    ...said.map((text) => make("p", {}, text)),
    found.results.length ? null : make("p", {}, "Nothing found."),
  ];
}

function result(hit, at, query) {
  const where = { start: hit.character_start_offset, end: hit.character_end_offset, query, hit: at };
  const target = hit.kind === "book" ? address("read", [hit.place_id, String(hit.book_number)], where) : address("read", [hit.place_id, hit.note], { ...where, note: "true" });
  const first = hit.snippet_start - hit.character_start_offset;
  const scores = Object.entries(hit.scores).map(([leg, score]) => `${leg} ${score.toFixed(2)}`).join(", ");
  return make("li", {},
    make("a", { href: target }, hit.title || hit.note || hit.source_path),
    make("div", { dir: "auto" }, marked(hit.snippet, hit.marks)),
    make("small", {}, hit.citation, scores ? ` | ${scores}` : "", first > 0 ? "" : ""));
}
