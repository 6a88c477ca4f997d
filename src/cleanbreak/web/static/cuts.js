// The view of cuts: a text, every cut in it with its level, and why each is where it is.

import { get, post, upload } from "./api.js";
import "./column.js";
import { fill, make, whole } from "./dom.js";
import { debounced, say } from "./page.js";
import { histogram, lengthsOf, levelList, nextOfLevel } from "./figures.js";
import { keep } from "./state.js";

const SAMPLE = "Fog came over the bay. Nobody rang the bell.\n\nAt noon the ferry left for Oslo.\n";
const WINDOW = 100;

/** Show a split in a column; cuts at offsets outside `others` are marked as differing. */
function show(column, split, others = null) {
  const marked = new Set(others ? split.ends.filter((end) => !others.has(end)) : []);
  const load = async (first, limit) => (await get(`/splits/${split.split_id}/chunks`, { first, limit })).chunks;
  column.split = split;
  column.show({ ends: split.ends, levels: split.levels, marked }, load, split.chunks);
}

/** The fields of one recipe, made of what the server says a splitter takes. */
class Recipe {
  constructor(formats, given, name, changed) {
    this.formats = formats;
    this.values = { ...given };
    this.name = name;
    this.changed = changed;
    this.node = make("fieldset", {});
    this.draw();
  }

  get by() {
    return this.values.by ?? "boundary";
  }

  draw() {
    const splitter = this.formats.splitters.find((one) => one.by === this.by);
    const choose = make("select", { on: { change: (event) => { this.values = { by: event.target.value }; this.draw(); this.changed(); } } },
      this.formats.splitters.map((one) => make("option", { value: one.by, selected: one.by === this.by }, one.by)));
    fill(this.node, make("legend", {}, this.name), make("label", {}, "Cut by", choose), splitter.settings.filter(editable).map((setting) => this.field(setting)));
  }

  field(setting) {
    const now = this.values[setting.name] ?? setting.default ?? NEEDED[this.by]?.[setting.name] ?? "";
    const set = (value) => { this.values[setting.name] = value; this.changed(); };
    const label = setting.name.replaceAll("_", " ");
    if (typeof setting.default === "boolean") {
      return make("label", { class: "check" }, make("input", { type: "checkbox", checked: String(now) === "true", on: { change: (event) => set(event.target.checked) } }), label);
    }
    if (setting.name === "measure") {
      return make("label", {}, label, make("select", { on: { change: (event) => set(event.target.value) } }, this.formats.measures.map((one) => make("option", { value: one, selected: one === (now || "words") }, one))));
    }
    const is_number = typeof setting.default === "number" || NUMBERS.has(setting.name);
    return make("label", {}, label, make("input", { type: is_number ? "number" : "text", min: is_number ? "0" : null, value: String(now), on: { input: (event) => set(event.target.value) } }));
  }

  /** The settings as a request takes them; empty fields are left to the splitter. */
  settings() {
    const splitter = this.formats.splitters.find((one) => one.by === this.by);
    const found = {};
    for (const setting of splitter.settings.filter(editable)) {
      const value = this.values[setting.name] ?? NEEDED[this.by]?.[setting.name];
      if (value === undefined || value === "" ) continue;
      if (typeof setting.default === "boolean") found[setting.name] = String(value) === "true";
      else found[setting.name] = typeof setting.default === "number" || NUMBERS.has(setting.name) ? Number(value) : value;
    }
    return found;
  }
}

// Settings that are lists or functions are for programs.
const editable = (setting) => !["separators", "abbreviations"].includes(setting.name);
const NUMBERS = new Set(["max_sentences", "max_tokens"]);
const NEEDED = { tokens: { max_tokens: 200, measure: "words" }, sentences: { max_sentences: 5 } };

/** The view. */
export async function draw(main, { parameters }) {
  const formats = await get("/formats");
  const kept = await get("/documents");
  let held = kept.documents.find((one) => one.document_id === parameters.doc) ?? kept.documents[0] ?? null;
  const is_compare = parameters.compare === "true";
  let running = null;

  const text = make("textarea", { id: "text", dir: "auto", "aria-label": "Text to cut", on: { input: debounced(() => { held = null; recut(); }, 150) } });
  const file = make("input", { type: "file", accept: formats.extensions.join(","), on: { change: () => file.files[0] && take(file.files[0]) } });
  const drop = make("div", { class: "drop" }, make("label", { for: "text" }, "Paste a text, or drop a file here"), text, make("label", {}, "or choose one", file));
  for (const event of ["dragover", "dragleave", "drop"]) drop.addEventListener(event, (at) => { at.preventDefault(); drop.classList.toggle("over", event === "dragover"); });
  drop.addEventListener("drop", (event) => event.dataTransfer.files[0] && take(event.dataTransfer.files[0]));

  const title = make("h1", {}, "Cuts");
  const warnings = make("div", {});
  const problem = make("p", { class: "error", role: "alert" });
  const figures = make("div", {});
  const why = make("div", { id: "why", "aria-live": "polite" }, make("p", { class: "soft" }, "Choose a cut to see why it is there."));
  const new_column = () => make("cb-column", { on: { cut: (event) => explain(event.target.closest("cb-column"), event.detail.chunk_number) } });
  const one = new_column();
  const two = is_compare ? new_column() : null;
  let current = 0;
  const recut = debounced(() => cut().catch(failed), 150);
  const own = (prefix) => Object.fromEntries(Object.entries(parameters).filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
  const first = new Recipe(formats, own("a."), is_compare ? "Recipe A" : "Recipe", recut);
  const second = is_compare ? new Recipe(formats, own("b."), "Recipe B", recut) : null;
  const compare = make("label", { class: "check" }, make("input", { type: "checkbox", checked: is_compare, on: { change: (event) => { parameters.compare = event.target.checked || undefined; remember(); dispatchEvent(new HashChangeEvent("hashchange")); } } }), "Compare two recipes");

  fill(
    main,
    title,
    make("div", { class: "columns" },
      make("div", {}, drop, warnings, problem, is_compare ? make("div", { class: "compare" }, one, two) : one),
      make("div", { class: "panel" }, make("form", { on: { submit: (event) => event.preventDefault() } }, first.node, second?.node, compare), figures, why)),
  );

  function remember() {
    if (!main.isConnected) return;
    const kept = { doc: held?.document_id, compare: second || parameters.compare ? parameters.compare : undefined };
    for (const [prefix, recipe] of [["a.", first], ["b.", second]]) {
      for (const [name, value] of Object.entries(recipe?.values ?? {})) kept[prefix + name] = value;
    }
    keep("cuts", [], kept);
  }

  function failed(error) {
    if (error.name === "AbortError") return;
    problem.textContent = error.message;
  }

  async function take(chosen) {
    problem.textContent = "";
    say(`Reading ${chosen.name}`);
    try {
      held = await upload("/documents/read", chosen);
      text.value = "";
      await cut();
    } catch (error) {
      failed(error);
    }
  }

  async function cut() {
    running?.abort();
    running = new AbortController();
    if (!held) held = await post("/documents", { text: text.value || SAMPLE }, running.signal);
    const ask = (recipe) => post("/split", { document_id: held.document_id, by: recipe.by, settings: recipe.settings(), limit: WINDOW }, running.signal);
    const split = await ask(first);
    const other = second ? await ask(second) : null;
    problem.textContent = "";
    title.textContent = held.title ?? held.source_filename ?? "Cuts";
    fill(warnings, held.warnings.map((warning) => make("p", { class: "soft" }, `${warning.message} (${warning.code})`)));
    show(one, split, other && new Set(other.ends));
    if (two) show(two, other, new Set(split.ends));
    show_figures(split, other);
    remember();
    say(`${whole(split.total_chunks)} chunks`);
  }

  function show_figures(split, other) {
    const go = (level) => one.goTo((current = nextOfLevel(split.levels, level, current)));
    const links = (name, numbers) => numbers.length
      ? make("p", {}, `${name}: `, numbers.slice(0, 12).map((at) => [make("button", { type: "button", on: { click: () => one.goTo(at) } }, String(at)), " "]), numbers.length > 12 ? `and ${numbers.length - 12} more` : "")
      : make("p", {}, `${name}: none`);
    const tokens = make("p", {});
    const measures = formats.measures.filter((name) => name !== "characters");
    fill(
      figures,
      make("h2", {}, "Lengths"),
      histogram(lengthsOf(split.ends)),
      levelList(split.levels, go),
      links("Hard cuts", split.hard_cuts),
      links("Chunks over the limit", split.oversize),
      other ? make("p", {}, `Cuts of A that B does not have: ${whole(split.ends.filter((end) => !other.ends.includes(end)).length)}; of B: ${whole(other.ends.filter((end) => !split.ends.includes(end)).length)}.`) : null,
      make("p", {}, measures.map((name) => [make("button", { type: "button", on: { click: () => measure(split, name, tokens) } }, `Count ${name}`), " "])),
      tokens,
      make("h2", {}, "The same elsewhere"),
      copy("Python", split.python),
      copy("command", split.command),
    );
  }

  async function measure(split, name, target) {
    target.textContent = "Counting";
    try {
      const { counts } = await get(`/splits/${split.split_id}/counts`, { measure: name });
      target.textContent = `${name}: ${whole(Math.min(...counts))} to ${whole(Math.max(...counts))}, together ${whole(counts.reduce((sum, count) => sum + count, 0))}`;
    } catch (error) {
      target.textContent = error.message;
    }
  }

  async function explain(column, chunk_number) {
    current = chunk_number;
    for (const cut of main.querySelectorAll(".cut[aria-current]")) cut.removeAttribute("aria-current");
    column.querySelector(`[data-cut="${chunk_number}"]`)?.setAttribute("aria-current", "true");
    try {
      const found = await get(`/splits/${column.split.split_id}/cuts/${chunk_number}`);
      fill(why, explanation(found));
    } catch (error) {
      fill(why, make("p", { class: "error" }, error.message));
    }
  }

  if (held || parameters.doc === undefined) await cut().catch(failed);
  return () => running?.abort();
}

/** Why a cut is where it is, in words. */
function explanation(found) {
  const window_size = found.window_end - found.window_start;
  return [
    make("h2", {}, `Why chunk ${found.chunk_number} ends at ${whole(found.character_end_offset)}`),
    make("p", {}, found.reason),
    make("dl", {},
      make("dt", {}, "level"), make("dd", {}, found.break_level),
      found.count === null ? null : [make("dt", {}, "size"), make("dd", {}, `${whole(found.count)} ${found.measure ?? "characters"}`)],
      Object.entries(found.limits).map(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]),
      window_size ? [make("dt", {}, "window"), make("dd", {}, `${whole(found.window_start)} to ${whole(found.window_end)}`)] : null),
    found.candidates.length
      ? make("table", {}, make("caption", {}, "Places in the window, by level"), make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "level"), make("th", { scope: "col" }, "places"), make("th", { scope: "col" }, "last at"))),
          make("tbody", {}, found.candidates.map((one) => make("tr", {}, make("td", {}, one.break_level), make("td", {}, whole(one.total)), make("td", {}, one.offsets.length ? whole(one.offsets.at(-1)) : "none")))))
      : null,
  ];
}

function copy(name, value) {
  const button = make("button", { type: "button", on: { click: async () => { await navigator.clipboard.writeText(value); say("Copied"); } } }, `Copy as ${name}`);
  return make("div", {}, button, make("pre", { tabindex: "0", "aria-label": `As ${name}` }, value));
}
