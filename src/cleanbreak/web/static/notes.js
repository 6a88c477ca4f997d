// A vault: its notes, the links of one, tags, links to nothing, and a graph of all.

import { follow, get, post } from "./api.js";
import { el, fill, say } from "./dom.js";
import { address, keep } from "./state.js";
import { draw_graph } from "./graph.js";

const VIEWS = ["notes", "tags", "unresolved", "problems", "graph"];

/** The view. */
export async function draw(main, { parts: [place], parameters }) {
  const status = await get(`/places/${place}`);
  const body = el("div", {});
  const now = VIEWS.includes(parameters.show) ? parameters.show : "notes";
  const tabs = el("p", {}, VIEWS.map((name) => [el("a", { href: address("notes", [place], { show: name }), "aria-current": name === now ? "true" : null }, name), " "]));
  const behind = Object.values(status.behind ?? {}).flat().length;
  const update = el("button", { type: "button", on: { click: async () => { const job = await post("/jobs", { kind: "index", place_id: place }); follow(job, (seen) => seen.state !== "running" && location.reload()); } } }, "Update the index");
  fill(main, el("h1", {}, status.name), tabs, behind ? el("p", {}, `${behind} notes changed since they were indexed. `, update) : null, body);
  if (parameters.note) return one_note(body, place, parameters.note);
  return SHOW[now](body, place);
}

const link_to = (place, note, text = note) => el("a", { href: address("notes", [place], { note }), dir: "auto" }, text);

const SHOW = {
  async notes(body, place) {
    const { notes } = await get(`/places/${place}/notes`);
    const list = el("ul", {});
    const only = el("input", { type: "search", on: { input: () => show(only.value.toLowerCase()) } });
    const show = (part) => fill(list, notes.filter((one) => `${one.note} ${one.title}`.toLowerCase().includes(part)).slice(0, 500).map((one) => el("li", {}, link_to(place, one.note))));
    fill(body, el("label", {}, "Names with", only), list);
    show("");
    say(`${notes.length} notes`);
  },
  async tags(body, place) {
    const { tags } = await get(`/places/${place}/tags`);
    fill(body, el("ul", {}, tags.map((tag) => el("li", {}, el("details", {}, el("summary", {}, `#${tag.tag} (${tag.notes.length})`), el("ul", {}, tag.notes.map((note) => el("li", {}, link_to(place, note)))))))));
  },
  async unresolved(body, place) {
    const { links } = await get(`/places/${place}/unresolved`);
    fill(body, links.length ? el("ul", {}, links.map((link) => el("li", {}, link_to(place, link.source), ` line ${link.line}: ${link.target}`))) : el("p", {}, "Every link has a target."));
  },
  async problems(body, place) {
    const { problems } = await get(`/places/${place}/problems`);
    fill(body, problems.length ? el("ul", {}, problems.map((one) => el("li", {}, `${one.path}: ${one.message} (${one.code})`))) : el("p", {}, "No problems."));
  },
  async graph(body, place) {
    const graph = await get(`/places/${place}/graph`);
    const count = graph.nodes.map(() => 0);
    for (const [from, to] of graph.edges) { count[from] += 1; count[to] += 1; }
    const canvas = el("canvas", { "aria-hidden": "true" });
    const order = [...count.keys()].sort((a, b) => count[b] - count[a]).slice(0, 100);
    fill(body,
      el("p", {}, `${graph.nodes.length} notes, ${graph.edges.length} links. The list says the same as the picture.`), canvas,
      el("h2", {}, "Notes with most links"), el("ol", {}, order.map((at) => el("li", {}, link_to(place, graph.nodes[at]), ` ${count[at]}`))));
    return draw_graph(canvas, graph, count, (note) => { location.hash = address("notes", [place], { note }); });
  },
};

async function one_note(body, place, note) {
  keep("notes", [place], { note });
  const [links, backlinks, related] = await Promise.all(["links", "backlinks", "related"].map((what) => get(`/places/${place}/${what}`, { note })));
  const list = (items) => (items.length ? el("ul", {}, items) : el("p", { class: "soft" }, "none"));
  fill(body,
    el("h2", { dir: "auto" }, note),
    el("p", {}, el("a", { href: address("read", [place, note], { note: "true" }) }, "Read it")),
    el("h2", {}, "Links"), list(links.links.map((link) => el("li", {}, link.path ? link_to(place, link.path, link.target) : `${link.target} (nothing there)`))),
    el("h2", {}, "Links to it"), list(backlinks.links.map((link) => el("li", {}, link_to(place, link.source), ` line ${link.line}`))),
    el("h2", {}, "Related"), list((related.related ?? []).map((one) => el("li", {}, link_to(place, one.note ?? one.path ?? String(one))))));
}
