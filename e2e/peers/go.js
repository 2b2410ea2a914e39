// go.js is a worker that runs benchmarks of a Go test program, with the loops of
// sim/kernel bound as in the page's own workers. A message { program, argv, simd }
// is answered with { text }, what the program printed.
"use strict";
importScripts("wasm_exec.js", "assets/kernel.js");

const compiled = {};
const compile = (address) => (compiled[address] ??= WebAssembly.compileStreaming(fetch(address)));

let text = "";
const decoder = new TextDecoder();
fs.writeSync = (_, bytes) => {
  text += decoder.decode(bytes);
  return bytes.length;
};

async function run({ program, argv, simd }) {
  const go = new Go();
  go.argv = [program, ...argv];
  go.exit = (code) => { if (code !== 0) text += `exit ${code}\n`; };
  const kernel = simd ? await compile("kernel.wasm") : null;
  text = "";
  await go.run(await flockscopeKernel.instantiate(await compile(program), go.importObject, kernel));
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // nobody is there to be woken
  return { text };
}

onmessage = ({ data }) => run(data).then(postMessage, (error) => postMessage({ problem: String(error) }));
