// peak.js runs an experiment in the built program, which it starts in the way a browser starts an engine, and prints
// the size of the program's memory at the end in bytes. That is the peak, because the memory of WebAssembly never
// shrinks.
//
//	node wasm/build/peak.js SITE QUERY
"use strict";

const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");
const [site, query] = process.argv.slice(2);
const file = (name) => readFileSync(resolve(site, name));

globalThis.crypto ??= require("node:crypto").webcrypto;
require(resolve(site, "wasm_exec.js"));
require(resolve(site, "assets/kernel.js"));
require(resolve(site, "assets/unpack.js"));

// Kinds of records; see sim/wire.
const RUN = 1, DONE = 35, REFUSED = 36;

// A message is the number of a run and records: a kind, a length, a payload.
function message(kind, text) {
  const payload = new TextEncoder().encode(text);
  const bytes = new Uint8Array(9 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 1, true);
  view.setUint8(4, kind);
  view.setUint32(5, payload.length, true);
  bytes.set(payload, 9);
  return bytes;
}

function* records(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 4; at < bytes.length; at += 5 + view.getUint32(at + 1, true)) {
    yield [view.getUint8(at), bytes.subarray(at + 5, at + 5 + view.getUint32(at + 1, true))];
  }
}

(async () => {
  const go = new Go();
  go.argv = ["flockscope", "engine", "host"];
  const module = await WebAssembly.compile(flockscopeUnpack(file("flockscope.pack")));
  const kernel = await WebAssembly.compile(file("kernel.wasm"));
  const instance = await flockscopeKernel.instantiate(module, go.importObject, kernel);
  globalThis.host = {
    set onmessage(receive) {
      setTimeout(() => receive(message(RUN, query)));
    },
    post(bytes) {
      for (const [kind, payload] of records(bytes)) {
        if (kind === REFUSED) {
          console.error(`${query}: ${new TextDecoder().decode(payload)}`);
          process.exit(1);
        }
        if (kind === DONE) {
          console.log(instance.exports.mem.buffer.byteLength);
          process.exit(0);
        }
      }
    },
  };
  await go.run(instance);
  process.exit(1); // the program has ended, which an engine never does
})();
