// A picture of links on a canvas. Notes lie on a sunflower, those with most links in the middle; a few
// steps pull linked notes together. It takes milliseconds at ten thousand notes.

const STEPS = 60;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Draw it; a click on a dot calls `choose` with its note. Returns what ends it. */
export function draw_graph(canvas, graph, count, choose) {
  const places = layout(graph, count);
  const paint = () => {
    const scale = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const at = (one) => [(0.5 + places[2 * one] * 0.48) * canvas.width, (0.5 + places[2 * one + 1] * 0.48) * canvas.height];
    context.strokeStyle = style.getPropertyValue("--edge");
    context.beginPath();
    for (const [from, to] of graph.edges) { context.moveTo(...at(from)); context.lineTo(...at(to)); }
    context.stroke();
    context.fillStyle = style.getPropertyValue("--accent");
    for (let one = 0; one < graph.nodes.length; one += 1) {
      const size = Math.min(9, 1.5 + Math.sqrt(count[one])) * scale;
      const [x, y] = at(one);
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
  };
  const click = (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    let best = -1;
    let least = 0.0009;
    for (let one = 0; one < graph.nodes.length; one += 1) {
      const far = (0.5 + places[2 * one] * 0.48 - x) ** 2 + (0.5 + places[2 * one + 1] * 0.48 - y) ** 2;
      if (far < least) [best, least] = [one, far];
    }
    if (best >= 0) choose(graph.nodes[best]);
  };
  canvas.addEventListener("click", click);
  addEventListener("resize", paint);
  paint();
  return () => removeEventListener("resize", paint);
}

function layout(graph, count) {
  const total = graph.nodes.length;
  const places = new Float32Array(2 * total);
  const order = [...count.keys()].sort((a, b) => count[b] - count[a]);
  order.forEach((one, rank) => {
    const far = Math.sqrt((rank + 0.5) / total);
    places[2 * one] = far * Math.cos(rank * GOLDEN);
    places[2 * one + 1] = far * Math.sin(rank * GOLDEN);
  });
  const home = places.slice();
  for (let step = 0; step < STEPS; step += 1) {
    for (const [from, to] of graph.edges) {
      for (const axis of [0, 1]) {
        const way = (places[2 * to + axis] - places[2 * from + axis]) * 0.04;
        places[2 * from + axis] += way / Math.sqrt(count[from]);
        places[2 * to + axis] -= way / Math.sqrt(count[to]);
      }
    }
    for (let at = 0; at < places.length; at += 1) places[at] += (home[at] - places[at]) * 0.03;
  }
  return places;
}
