// Elements made without markup: text is always text, never HTML.

/** Make an element: `make("p", { className: "note", dir: "auto" }, "text", [child])`. What is null is left out. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...present(children));
  return element;
}

/** Put children in place of all that an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** Children in lists of any depth, without those that are not there. */
function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Make an element of SVG. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A whole number with its thousands apart: 10,482. */
export function whole(number) {
  return number.toLocaleString("en");
}

/** `1 chunk`, `2 chunks`. */
export function counted(number, noun) {
  return `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;
}
