// A vault: its notes, the links of one, tags, links to nothing, and a graph of all.

import { follow, get, post } from "./api.js";
import { fill, make } from "./dom.js";
import { say } from "./page.js";
import { address, keep } from "./state.js";
import { draw_graph } from "./graph.js";

const VIEWS = ["notes", "tags", "unresolved", "problems", "graph"];

/** The view. */
export async function draw(main, { parts: [place], parameters }) {
  const status = await get(`/places/${place}`);
  const body = make("div", {});
  const now = VIEWS.includes(parameters.show) ? parameters.show : "notes";
  const tabs = make("p", {}, VIEWS.map((name) => [make("a", { href: address("notes", [place], { show: name }), "aria-current": name === now ? "true" : null }, name), " "]));
  const behind = Object.values(status.behind ?? {}).flat().length;
  const update = make("button", { type: "button", on: { click: async () => { const job = await post("/jobs", { kind: "index", place_id: place }); follow(job, (seen) => seen.state !== "running" && location.reload()); } } }, "Update the index");
  fill(main, make("h1", {}, status.name), tabs, behind ? make("p", {}, `${behind} notes changed since they were indexed. `, update) : null, body);
  if (parameters.note) return one_note(body, place, parameters.note);
  return SHOW[now](body, place);
}

const link_to = (place, note, text = note) => make("a", { href: address("notes", [place], { note }), dir: "auto" }, text);

const SHOW = {
  async notes(body, place) {
    const { notes } = await get(`/places/${place}/notes`);
    const list = make("ul", {});
    const only = make("input", { type: "search", on: { input: () => show(only.value.toLowerCase()) } });
    const show = (part) => fill(list, notes.filter((one) => `${one.note} ${one.title}`.toLowerCase().includes(part)).slice(0, 500).map((one) => make("li", {}, link_to(place, one.note))));
    fill(body, make("label", {}, "Names with", only), list);
    show("");
    say(`${notes.length} notes`);
  },
  async tags(body, place) {
    const { tags } = await get(`/places/${place}/tags`);
    fill(body, make("ul", {}, tags.map((tag) => make("li", {}, make("details", {}, make("summary", {}, `#${tag.tag} (${tag.notes.length})`), make("ul", {}, tag.notes.map((note) => make("li", {}, link_to(place, note)))))))));
  },
  async unresolved(body, place) {
    const { links } = await get(`/places/${place}/unresolved`);
    fill(body, links.length ? make("ul", {}, links.map((link) => make("li", {}, link_to(place, link.source), ` line ${link.line}: ${link.target}`))) : make("p", {}, "Every link has a target."));
  },
  async problems(body, place) {
    const { problems } = await get(`/places/${place}/problems`);
    fill(body, problems.length ? make("ul", {}, problems.map((one) => make("li", {}, `${one.path}: ${one.message} (${one.code})`))) : make("p", {}, "No problems."));
  },
  async graph(body, place) {
    const graph = await get(`/places/${place}/graph`);
    const count = graph.nodes.map(() => 0);
    for (const [from, to] of graph.edges) { count[from] += 1; count[to] += 1; }
    const canvas = make("canvas", { "aria-hidden": "true" });
    const order = [...count.keys()].sort((a, b) => count[b] - count[a]).slice(0, 100);
    fill(body,
      make("p", {}, `${graph.nodes.length} notes, ${graph.edges.length} links. The list says the same as the picture.`), canvas,
      make("h2", {}, "Notes with most links"), make("ol", {}, order.map((at) => make("li", {}, link_to(place, graph.nodes[at]), ` ${count[at]}`))));
    return draw_graph(canvas, graph, count, (note) => { location.hash = address("notes", [place], { note }); });
  },
};

async function one_note(body, place, note) {
  keep("notes", [place], { note });
  const [links, backlinks, related] = await Promise.all(["links", "backlinks", "related"].map((what) => get(`/places/${place}/${what}`, { note })));
  const list = (items) => (items.length ? make("ul", {}, items) : make("p", { class: "soft" }, "none"));
  fill(body,
    make("h2", { dir: "auto" }, note),
    make("p", {}, make("a", { href: address("read", [place, note], { note: "true" }) }, "Read it")),
    make("h2", {}, "Links"), list(links.links.map((link) => make("li", {}, link.path ? link_to(place, link.path, link.target) : `${link.target} (nothing there)`))),
    make("h2", {}, "Links to it"), list(backlinks.links.map((link) => make("li", {}, link_to(place, link.source), ` line ${link.line}`))),
    make("h2", {}, "Related"), list((related.related ?? []).map((one) => make("li", {}, link_to(place, one.note ?? one.path ?? String(one))))));
}
