// kernel.js lets Go's runner for node start programs that import sim/kernel: it is
// loaded before the runner and replaces WebAssembly.instantiate for one call. With
// FLOCKSCOPE_SIMD=0 the vector loops are not used.
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
require("../../assets/kernel.js");

const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (program, importObject) => {
  WebAssembly.instantiate = instantiate;
  const module = await WebAssembly.compile(program);
  const kernel = process.env.FLOCKSCOPE_SIMD === "0" ? null
    : await WebAssembly.compile(readFileSync(join(__dirname, "../../sim/kernel/kernel.wasm")));
  return { module, instance: await flockscopeKernel.instantiate(module, importObject, kernel) };
};
