// kernel.js joins a Go program to kernel.wasm, the module of its vector loops.
//
// The two need each other: Go imports the loops, and they run on the memory
// that Go brings along. So Go is given functions that pass each call on to a
// loop once there is one, and the module is bound to them after Go has been
// instantiated and before it runs. Without the module (no vectors in this
// browser, or it could not be loaded) every call returns 0, the one of
// "available" too, by which Go knows to use its own loops.
(() => {
  "use strict";

  // late returns a function for Go to import, and a function that replaces it. A fixed number of parameters is faster
  // than a rest parameter.
  function late() {
    let f = () => 0;
    return {
      call: (a, b, c, d, e, g, h, i, j, k, l, m) => f(a, b, c, d, e, g, h, i, j, k, l, m),
      bind: (loop) => { f = loop; },
    };
  }

  // instantiate is WebAssembly.instantiate for a compiled Go program that may
  // import "kernel"; kernel is the compiled kernel.wasm, or null.
  async function instantiate(module, importObject, kernel) {
    const loops = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      if (from === "kernel") loops[name] = late();
    }
    const calls = Object.fromEntries(Object.entries(loops).map(([name, loop]) => [name, loop.call]));
    const instance = await WebAssembly.instantiate(module, { ...importObject, kernel: calls });
    if (kernel) {
      const { exports } = await WebAssembly.instantiate(kernel, { env: { memory: instance.exports.mem } });
      // The cached module may be of another version: use all of its loops, or none.
      if (Object.keys(loops).every((name) => name in exports)) {
        for (const [name, loop] of Object.entries(loops)) loop.bind(exports[name]);
      }
    }
    return instance;
  }

  globalThis.flockscopeKernel = { instantiate };
})();
