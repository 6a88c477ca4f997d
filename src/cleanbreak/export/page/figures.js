// Figures about the cuts of a text: how long chunks are, how clean cuts are.
import { counted, draw, make, whole } from "./dom.js";
import { LEVELS, levelOf } from "./levels.js";

const BARS = 24, WIDTH = 240, HEIGHT = 72;

/** The lengths of chunks from where each ends. */
export function lengthsOf(ends) {
  return ends.map((end, index) => end - (index ? ends[index - 1] : 0));
}

/** A histogram of lengths with its longest, shortest and middle one in words. */
export function histogram(lengths, unit = "character") {
  if (!lengths.length) return make("p", {}, "No chunks.");
  const sorted = [...lengths].sort((one, other) => one - other);
  const most = sorted.at(-1), middle = sorted[Math.floor(sorted.length / 2)];
  const step = Math.max(1, Math.ceil((most + 1) / BARS));
  const bars = new Array(Math.ceil((most + 1) / step)).fill(0);
  for (const length of lengths) bars[Math.floor(length / step)] += 1;
  const highest = Math.max(...bars), width = WIDTH / bars.length;
  const words = `${counted(lengths.length, "chunk")}: ${whole(sorted[0])} to ${whole(most)} ${unit}s, middle ${whole(middle)}`;
  const image = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "histogram", role: "img", "aria-label": words });
  bars.forEach((count, index) => {
    const height = count ? Math.max(1, (count / highest) * HEIGHT) : 0;
    const bar = draw("rect", { x: index * width, y: HEIGHT - height, width: Math.max(1, width - 1), height });
    bar.append(draw("title"));
    bar.firstChild.textContent = `${index * step} to ${index * step + step - 1}: ${counted(count, "chunk")}`;
    image.append(bar);
  });
  return make("figure", {}, image, make("figcaption", {}, words));
}

/** A list of levels with the number of cuts of each; `choose(level)` is called for one that is pressed. */
export function levelList(levels, choose) {
  const counts = new Map();
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1);
  const order = [...Object.keys(LEVELS), null].filter((level) => counts.has(level));
  return make("ul", { className: "levels" }, ...order.map((level) => make("li", {}, make("button", {
    type: "button", data: { level: level ?? "unknown" }, on: { click: () => choose(level) },
    title: "Go to the next cut of this level",
  },
    make("span", { className: "badge" }, levelOf(level).badge), ` ${levelOf(level).words} `,
    make("strong", {}, whole(counts.get(level)))))));
}

/** The number of the next chunk after `number` whose cut is of `level`; the first one after the last. */
export function nextOfLevel(levels, level, number) {
  const after = levels.indexOf(level, number);
  return (after === -1 ? levels.indexOf(level) : after) + 1;
}
