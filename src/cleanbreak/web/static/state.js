// The address is the state: `#/view/part?name=value`. So every view can be kept, sent and gone back to.

/** The view, its parts and its parameters. */
export function state() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view || "cuts", parts, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view. */
export function address(view, parts = [], parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}${text && `?${text}`}`;
}

/** Change the address without drawing the view again. */
export function keep(view, parts, parameters) {
  history.replaceState(null, "", address(view, parts, parameters));
}
