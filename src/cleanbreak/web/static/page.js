// What the views share: what is said, waited for and marked.

import { make } from "./dom.js";

/** Say something to people who do not see the change. */
export function say(text) {
  document.getElementById("status").textContent = text;
}

/** Call `work` when nothing was asked for `milliseconds`. */
export function debounced(work, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** `text` with the ranges of `marks` (in code points) inside <mark>. */
export function marked(text, marks) {
  const points = Array.from(text);
  const pieces = [];
  let at = 0;
  for (const [start, end] of marks) {
    pieces.push(points.slice(at, start).join(""), make("mark", {}, points.slice(start, end).join("")));
    at = end;
  }
  return [...pieces, points.slice(at).join("")];
}
