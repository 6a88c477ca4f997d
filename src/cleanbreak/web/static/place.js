// A world: its books, what was said of them, and the work that can be done on it.

import { follow, get, post, remove, upload } from "./api.js";
import { fill, make } from "./dom.js";
import { say } from "./page.js";
import { address } from "./state.js";

/** The view. */
export async function draw(main, { parts: [place] }) {
  const { places } = await get("/places");
  const known = places.find((one) => one.place_id === place);
  if (!known) throw new Error("There is no such place.");
  const table = make("div", {});
  let events = null;
  const work = make("div", { "aria-live": "polite" });
  const file = make("input", { type: "file", multiple: true, on: { change: () => add([...file.files]) } });
  const drop = make("div", { class: "drop" }, make("label", {}, "Drop books here, or choose them", file));
  for (const event of ["dragover", "dragleave", "drop"]) drop.addEventListener(event, (at) => { at.preventDefault(); drop.classList.toggle("over", event === "dragover"); });
  drop.addEventListener("drop", (event) => add([...event.dataTransfer.files]));
  const run = (kind, label) => make("button", { type: "button", on: { click: () => start({ kind }) } }, label);
  fill(main, make("h1", {}, known.name), drop, make("p", {}, run("resume", "Resume"), " ", run("verify", "Verify"), " ", run("repair", "Repair")), work, table);
  await books();
  const { jobs } = await get("/jobs");
  const running = jobs.find((job) => job.place_id === place && job.state === "running");
  if (running) events = follow(running, show);

  async function books() {
    if (!(await get("/places")).places.find((one) => one.place_id === place).exists) return fill(table, make("p", {}, "No book yet."));
    const found = (await get(`/places/${place}/books`)).books;
    const head = ["number", "title", "author", "format", "chunks", "state", "change"];
    fill(table, make("table", {}, make("thead", {}, make("tr", {}, head.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, found.map(row))));
  }

  function row(book) {
    const warnings = (book.warnings ?? []).map((warning) => make("small", {}, ` ${warning.message}`));
    const removal = make("button", { type: "button", "aria-label": `Remove ${book.title ?? book.source_filename}`, on: { click: () => drop_book(book) } }, "Remove");
    return make("tr", {},
      make("td", {}, String(book.number)),
      make("td", { dir: "auto" }, make("a", { href: address("read", [place, String(book.number)]) }, book.title ?? book.source_filename), make("div", { class: "soft" }, book.source_path, warnings)),
      make("td", {}, (book.authors ?? []).join(", ")), make("td", {}, book.media_type ?? ""), make("td", {}, String(book.chunks ?? "")),
      make("td", {}, book.complete ? "complete" : (book.state ?? "unfinished")), make("td", {}, removal));
  }

  async function drop_book(book) {
    if (!confirm(`Remove ${book.title ?? book.source_filename} from ${known.name}? Its chunks go; the stored copies of the source stay.`)) return;
    try {
      await remove(`/places/${place}/books/${book.number}`);
      say("Removed");
      await books();
    } catch (error) {
      fill(work, make("p", { class: "error" }, error.message));
    }
  }

  async function add(files) {
    if (!files.length) return;
    try {
      const uploads = [];
      for (const one of files) {
        fill(work, make("p", {}, `Sending ${one.name}`));
        uploads.push((await upload("/uploads", one)).upload_id);
      }
      await start({ kind: "ingest", uploads });
    } catch (error) {
      fill(work, make("p", { class: "error" }, error.message));
    }
  }

  async function start(asked) {
    try {
      events?.close();
      events = follow(await post("/jobs", { place_id: place, ...asked }), show);
    } catch (error) {
      fill(work, make("p", { class: "error" }, error.message));
    }
  }

  async function show(job) {
    if (job.state === "running") {
      const now = job.progress;
      const bar = make("progress", { "aria-label": "chunks of this book", max: String(now?.total_chunks ?? 1) });
      if (now?.total_chunks) bar.value = now.completed_chunks;
      fill(work,
        make("p", {}, now ? `${job.kind}: ${now.source_filename ?? ""}, ${now.books_done ?? 0} of ${now.books ?? "?"} done` : `${job.kind} has begun`), bar,
        make("button", { type: "button", on: { click: () => post(`/jobs/${job.job_id}/stop`) } }, "Stop"));
      return;
    }
    const failures = job.report?.failures ?? job.report?.problems ?? [];
    fill(work,
      make("p", {}, job.error ? job.error.message : `${job.kind}: ${job.state}`),
      job.state === "stopped" ? make("p", {}, "What was finished is safe; Resume goes on from there.") : null,
      failures.length ? make("ul", {}, failures.map((one) => make("li", {}, one.error?.message ?? one.message ?? JSON.stringify(one)))) : null);
    say(`${job.kind}: ${job.state}`);
    await books();
  }

  return () => events?.close();
}
