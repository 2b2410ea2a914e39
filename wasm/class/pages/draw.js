// draw.js turns strokes into the picture that a model sees: like the digits of MNIST, it fits into a box of 20 × 20 pixels,
// and its centre of mass is in the middle of 28 × 28.

const box = 20, pen = 1.15; // in pixels

// picture returns side × side pixels from 0 to 1. A stroke is a list of points [x, y] in any unit. Turned drawings are
// those of a phone that is held upside down: strokes are as its user sees them.
export function picture(strokes, side, turned) {
  const points = strokes.flat(), out = new Float32Array(side * side);
  if (points.length === 0) return out;
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const left = Math.min(...xs), top = Math.min(...ys);
  const wide = Math.max(...xs) - left, high = Math.max(...ys) - top, scale = (box - 2 * pen) / Math.max(wide, high, 1e-9);
  const small = strokes.map((s) => s.map(([x, y]) =>
    [side / 2 + (x - left - wide / 2) * scale, side / 2 + (y - top - high / 2) * scale]));
  rasterize(out, small, side);
  let mass = 0, mx = 0, my = 0;
  out.forEach((v, i) => { mass += v; mx += v * (i % side + 0.5); my += v * (Math.floor(i / side) + 0.5); });
  const dx = side / 2 - mx / mass, dy = side / 2 - my / mass;
  out.fill(0);
  rasterize(out, small.map((s) => s.map(([x, y]) => [x + dx, y + dy])), side);
  return turned ? out.reverse() : out;
}

// rasterize draws lines with a round pen, whose edge is one pixel wide.
function rasterize(out, strokes, side) {
  for (const s of strokes) {
    for (let i = 0; i < s.length; i++) {
      const [ax, ay] = s[Math.max(0, i - 1)], [bx, by] = s[i];
      const reach = pen + 1, dx = bx - ax, dy = by - ay, long = dx * dx + dy * dy;
      const from = (v) => Math.max(0, Math.floor(v - reach)), to = (v) => Math.min(side - 1, Math.ceil(v + reach));
      for (let y = from(Math.min(ay, by)); y <= to(Math.max(ay, by)); y++) {
        for (let x = from(Math.min(ax, bx)); x <= to(Math.max(ax, bx)); x++) {
          const px = x + 0.5 - ax, py = y + 0.5 - ay;
          const t = long > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / long)) : 0;
          const ink = Math.min(1, Math.max(0, pen + 0.5 - Math.hypot(px - t * dx, py - t * dy)));
          out[y * side + x] = Math.max(out[y * side + x], ink);
        }
      }
    }
  }
}
