// A file of cuts on its own: what `cb.to_html` writes. The page does not load this module.
import { outlineOf } from "./column.js";
import { make, whole } from "./dom.js";
import { histogram, levelList, nextOfLevel } from "./figures.js";
import { levelOf } from "./levels.js";

const records = JSON.parse(document.getElementById("chunks").textContent);
const outline = outlineOf(records);
const column = document.querySelector("cb-column");
const details = make("div", { className: "details" });
details.setAttribute("role", "status");
let current = 0;

function explain(record) {
  current = record.chunk_number;
  const rows = {
    chunk: whole(record.chunk_number),
    "ends at": levelOf(record.break_level).words,
    characters: `${whole(record.character_start_offset)} to ${whole(record.character_end_offset)}`,
    length: whole(record.character_end_offset - record.character_start_offset),
    overlap: whole([...record.overlap_text].length),
    counted: record.token_count === null ? "" : whole(record.token_count),
    pages: record.pages.join(", "),
    chapters: record.chapters.join(", "),
    headings: record.heading_path ?? "",
    source: record.source_filename ?? "",
  };
  details.replaceChildren(make("h2", {}, `Cut ${whole(current)}`), make("dl", {}, ...Object.entries(rows)
    .filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", { dir: "auto" }, value)])));
}

const lengths = records.map((record) => record.character_end_offset - record.character_start_offset);
document.querySelector("aside").append(
  histogram(lengths), make("h2", {}, "Cuts"),
  levelList(outline.levels, (level) => column.goTo(nextOfLevel(outline.levels, level, current)).then((chunk) => {
    if (chunk) explain(records[Number(chunk.dataset.number) - 1]);
  })),
  details,
);
column.addEventListener("cut", (event) => explain(event.detail));
column.show(outline, async (first, limit) => records.slice(first - 1, first - 1 + limit), records.slice(0, 40));
