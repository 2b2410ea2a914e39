// paper.js runs assets/paper.js under node.
//
//	node paper.js assets glyphs.txt < JOBS > ANSWERS
//
// JOBS is JSON: a list of { format, page, drawn }, where page is what the page says of a
// picture, and drawn are the figures in it, in order, with their bytes in base64. Without
// drawn, the answer is the calls of draw, else the picture, or the text for LaTeX.
const fs = require("node:fs");
const path = require("node:path");
const [, , assets, glyphs] = process.argv;
for (const name of ["paint.js", "paper.js"]) (0, eval)(fs.readFileSync(path.join(assets, name), "utf8"));
flockscopePaper.read(fs.readFileSync(glyphs, "utf8"));
globalThis.ImageData = class { constructor(w, h) { this.data = new Uint8ClampedArray(4 * w * h); } };
globalThis.document = { createElement: () => ({ getContext: () => ({ putImageData() {} }), toDataURL: () => "data:image/png;base64,AA" }) };

const jobs = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(jobs.map(({ format, page, drawn }) => {
  page.say = (text) => text;
  if (format === "tex") return { text: flockscopePaper.latex(page) };
  const calls = [];
  page.draw = (...call) => {
    calls.push(call);
    const figure = drawn?.[calls.length - 1];
    return figure ? { ...figure, bytes: new Uint8Array(Buffer.from(figure.bytes, "base64")) } : { bytes: new Uint8Array(), across: "", up: "", words: "" };
  };
  const picture = flockscopePaper.picture(page);
  return drawn ? picture : { calls };
})));
