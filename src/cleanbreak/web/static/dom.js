// Elements are made of data. Text goes in as text and never as markup.

/** Make an element: attributes, `on` handlers by event name, and children (nodes or strings). */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (name in node && typeof value !== "string") {
      node[name] = value;
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** Put children in place of all that a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

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

/** A number as people read it. */
export const number = (value) => Number(value).toLocaleString("en");

/** `text` with the ranges of `marks` (in code points) inside <mark>. */
export function marked(text, marks) {
  const points = Array.from(text);
  const pieces = [];
  let at = 0;
  for (const [start, end] of marks) {
    pieces.push(points.slice(at, start).join(""), el("mark", {}, points.slice(start, end).join("")));
    at = end;
  }
  return [...pieces, points.slice(at).join("")];
}
