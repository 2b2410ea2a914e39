// engines.js has engines of the site compute runs that nobody looks at: what they
// send is dropped. compute(name, query, shards) has the engine of that name, which
// its first run starts, play a run with so many workers below it, and is answered
// with { ms }, from the wish to the last round. The messages are those of sim/wire.
"use strict";
(() => {
  const Kind = { run: 1, lanes: 5, shards: 6, done: 35, refused: 36 };
  const header = 4, head = 5; // bytes before the records, and before a record's own

  const loadScript = (src) => new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
  });

  async function loadProgram() {
    await loadScript("assets/unpack.js");
    const packed = await (await fetch("flockscope.pack")).arrayBuffer();
    return {
      module: await WebAssembly.compile(flockscopeUnpack(new Uint8Array(packed))),
      kernel: await WebAssembly.compileStreaming(fetch("kernel.wasm")),
    };
  }
  let program;

  function pack(id, records) {
    const length = records.reduce((sum, [, bytes]) => sum + head + bytes.length, header);
    const message = new Uint8Array(length), view = new DataView(message.buffer);
    view.setUint32(0, id, true);
    let at = header;
    for (const [kind, bytes] of records) {
      view.setUint8(at, kind);
      view.setUint32(at + 1, bytes.length, true);
      message.set(bytes, at + head);
      at += head + bytes.length;
    }
    return message;
  }

  function* unpack(message) {
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    for (let at = header; at < message.length;) {
      const length = view.getUint32(at + 1, true);
      yield [message[at], message.subarray(at + head, at + head + length)];
      at += head + length;
    }
  }

  const engines = {};

  async function start() {
    const worker = new Worker("assets/engine.js");
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data.flockscopeControl === "ready" ? resolve() : reject(data.message));
      worker.onerror = ({ message }) => reject(message);
    });
    worker.postMessage({ base: new URL("/", location).href, program: await (program ??= loadProgram()) });
    await ready;
    return worker;
  }

  let id = 0;

  async function run(name, query, shards) {
    const worker = await (engines[name] ??= start());
    const begin = performance.now();
    const complete = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (!(data instanceof Uint8Array)) return reject(data.message);
        for (const [kind, bytes] of unpack(data)) {
          if (kind === Kind.done) resolve();
          if (kind === Kind.refused) reject(new TextDecoder().decode(bytes));
        }
      };
    });
    const wish = pack(++id, [[Kind.lanes, Uint8Array.of(0)], [Kind.shards, Uint8Array.of(shards)], [Kind.run, new TextEncoder().encode(query)]]);
    worker.postMessage(wish, [wish.buffer]);
    await complete;
    return { ms: performance.now() - begin };
  }

  window.compute = (name, query, shards) => {
    run(name, query, shards).then((value) => answers.push({ value }), (problem) => answers.push({ problem: String(problem) }));
  };
})();
