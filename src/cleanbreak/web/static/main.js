// Draws the view that the address names.

import { fill, make } from "./dom.js";
import { say } from "./page.js";
import { state } from "./state.js";

const VIEWS = {
  cuts: () => import("./cuts.js"),
  search: () => import("./search.js"),
  read: () => import("./reader.js"),
  shelf: () => import("./shelf.js"),
  place: () => import("./place.js"),
  notes: () => import("./notes.js"),
};
const TITLES = { cuts: "Cuts", search: "Search", read: "Reading", shelf: "Shelf", place: "Place", notes: "Notes" };

const main = document.getElementById("main");
let leave = () => {};

async function draw() {
  const now = state();
  const view = now.view in VIEWS ? now.view : "cuts";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash.startsWith(`#/${view}`)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[view]} - cleanbreak`;
  leave();
  leave = () => {};
  // A view that is slow draws on a sheet of its own, which is gone when the next one is asked for.
  const sheet = make("div", {});
  fill(main, sheet);
  try {
    const module = await VIEWS[view]();
    const end = (await module.draw(sheet, now)) ?? (() => {});
    if (sheet.isConnected) leave = end;
    else end();
  } catch (error) {
    fill(sheet, make("h1", {}, "This did not work"), make("p", { class: "error" }, error.message));
    say(error.message);
  }
}

addEventListener("hashchange", draw);
draw();
