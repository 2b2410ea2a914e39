// record.js plays lists with assets/paint.js on a context that only notes what
// is done to it, and prints the notes as JSON.
//
//	node record.js paint.js LIST.bin ...
const fs = require("node:fs");
const [, , player, ...lists] = process.argv;
(0, eval)(fs.readFileSync(player, "utf8"));

const palette = Array.from({ length: 300 }, (_, i) => "#" + (i * 70000 % 0x1000000).toString(16).padStart(6, "0"));

// What is laid out for drawImage is noted like a call.
let note = () => {};
globalThis.document = {
  createElement: () => ({ getContext: () => ({ putImageData: (picture) => note(["putImageData", ...picture.data]) }) }),
};

function play(bytes) {
  const calls = [];
  const state = {};
  const context = new Proxy(state, {
    get: (_, name) => (...args) => {
      if (name === "createImageData") return { data: new Uint8ClampedArray(4 * args[0] * args[1]) };
      calls.push([name, ...args.filter((v) => typeof v !== "object" || Array.isArray(v))]);
    },
    set: (_, name, value) => { calls.push(["=" + name, value]); return true; },
  });
  note = (call) => calls.push(call);
  let sized = 0;
  const canvas = {
    w: 0, h: 0,
    get width() { return this.w; }, set width(v) { this.w = v; sized++; },
    get height() { return this.h; }, set height(v) { this.h = v; sized++; },
    getContext: () => context,
  };
  let error = "";
  try {
    flockscopePaint(canvas, bytes, palette, 100, 50, 2);
    calls.length = 0;
    flockscopePaint(canvas, bytes, palette, 100, 50, 2);
  } catch (e) {
    error = String(e);
  }
  return { error, width: canvas.w, height: canvas.h, sized, calls };
}

// Into the middle of a larger buffer, as a view of Go's memory would be.
const middle = (bytes) => { const b = new Uint8Array(bytes.length + 7); b.set(bytes, 3); return b.subarray(3, 3 + bytes.length); };
console.log(JSON.stringify(lists.map((name) => play(middle(fs.readFileSync(name))))));
