// engine.js runs the Go program of Flockscope. A worker loads it as its first
// script and then runs the engine; the page loads it too, for the run function
// and for the case that no worker can be had.
//
// The engine's side of the contract. Go is started with
//
//	os.Args = ["flockscope", "engine", NAME]
//
// and finds under globalThis[NAME] its host:
//
//	host.post(value, transferList)  sends a value to the page
//	host.onmessage = (value) => …   receives the page's values, in order
//
// What the page sent before Go set onmessage is kept and delivered then. The
// page counts the engine as started once onmessage is set, so Go sets it last.
// The host is the same in a worker and on the main thread.
//
// Beside the values themselves, engine and page exchange small control objects
// with the one key flockscopeControl; Go never sees them.
(() => {
  "use strict";

  // run starts the module as one Go program and resolves, when the program
  // ends, to a sentence that says how it ended.
  async function run(module, argv) {
    const go = new Go();
    go.argv = argv;
    let code = 0;
    go.exit = (c) => { code = c; };
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    return code === 0 ? "its program ended" : `its program stopped with code ${code}; the browser's console says why`;
  }

  // makeHost returns the host object for Go and a deliver function for what
  // arrives from the page. send carries values to the page, ready is called
  // once, when Go first listens.
  function makeHost(send, ready) {
    const early = [];
    let listener = null;
    const flush = () => {
      while (listener && early.length > 0) listener(early.shift());
    };
    const host = {
      post(value, transferList) { send(value, transferList || []); },
      get onmessage() { return listener; },
      set onmessage(f) {
        const first = listener === null;
        listener = f;
        // Go is still in the middle of setting the property: call it back only
        // after it has returned to the event loop.
        queueMicrotask(flush);
        if (first) ready();
      },
    };
    const deliver = (value) => {
      early.push(value);
      flush();
    };
    return { host, deliver };
  }

  // runEngine connects a Go program to a port (the worker's own scope, or one
  // end of a MessageChannel) and runs it until it ends.
  async function runEngine(module, name, port) {
    const control = (what, message) => port.postMessage({ flockscopeControl: what, message });
    const { host, deliver } = makeHost(
      (value, transferList) => port.postMessage(value, transferList),
      () => control("ready"),
    );
    globalThis[name] = host;
    port.onmessage = (event) => deliver(event.data);
    try {
      control("exit", await run(module, ["flockscope", "engine", name]));
    } catch (error) {
      control("exit", String(error));
    }
  }

  globalThis.flockscopeRun = { run, runEngine };

  // In a worker, the page's first message brings the compiled module and the
  // absolute address of the site: a worker made from a blob has no address of
  // its own against which "wasm_exec.js" could be resolved.
  if (typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope) {
    globalThis.onmessage = (event) => {
      const { base, module } = event.data;
      importScripts(new URL("wasm_exec.js", base).href);
      runEngine(module, "flockscopeHost", globalThis);
    };
  }
})();
