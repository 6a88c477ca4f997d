// The places that the server was started with.

import { get } from "./api.js";
import { fill, make } from "./dom.js";
import { address } from "./state.js";

/** The view. */
export async function draw(main) {
  const { places } = await get("/places");
  const rows = await Promise.all(places.map(async (place) => {
    const held = place.exists ? await get(`/places/${place.place_id}`).catch((error) => ({ problem: error.message })) : { problem: "not made yet; add a book" };
    const what = held.problem ?? (place.kind === "world" ? `${held.books.length} books` : `${held.stats.notes} notes`);
    return make("tr", {}, make("td", {}, make("a", { href: address(place.kind === "world" ? "place" : "notes", [place.place_id]) }, place.name)), make("td", {}, place.kind === "world" ? "books" : "notes"), make("td", {}, what));
  }));
  fill(
    main,
    make("h1", {}, "Shelf"),
    rows.length
      ? make("table", {}, make("thead", {}, make("tr", {}, ["place", "kind", "holds"].map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, rows))
      : make("p", {}, "No place is open. Start the server with one: cleanbreak serve library"),
  );
}
