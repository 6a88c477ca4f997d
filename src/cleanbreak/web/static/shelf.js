// The places that the server was started with.

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { address } from "./state.js";

/** The view. */
export async function draw(main) {
  const { places } = await get("/places");
  const rows = await Promise.all(places.map(async (place) => {
    const held = place.exists ? await get(`/places/${place.place_id}`).catch((error) => ({ problem: error.message })) : { problem: "not made yet; add a book" };
    const what = held.problem ?? (place.kind === "world" ? `${held.books.length} books` : `${held.stats.notes} notes`);
    return el("tr", {}, el("td", {}, el("a", { href: address(place.kind === "world" ? "place" : "notes", [place.place_id]) }, place.name)), el("td", {}, place.kind === "world" ? "books" : "notes"), el("td", {}, what));
  }));
  fill(
    main,
    el("h1", {}, "Shelf"),
    rows.length
      ? el("table", {}, el("thead", {}, el("tr", {}, ["place", "kind", "holds"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows))
      : el("p", {}, "No place is open. Start the server with one: cleanbreak serve library"),
  );
}
