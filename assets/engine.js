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
// A worker's host has also
//
//	host.startShard(onMessage, onProblem) → port   a worker below this one, with
//	                                the program in the role of a shard; port has
//	                                post(value, transferList), close() and line,
//	                                an end of a line for messages (see line.js)
//
// a shard's has
//
//	host.line                       the other end
//
// and both have, if workers can share memory,
//
//	host.wait(ms) → bool            waits for a message (see makeSignal in line.js)
//
// What the page sent before Go set onmessage is kept and delivered then. The
// page counts the engine as started once onmessage is set, so Go sets it last.
// The host is the same in a worker and on the main thread.
//
// Beside the values themselves, engine and page exchange small control objects
// with the one key flockscopeControl; Go never sees them.
(() => {
  "use strict";

  // run starts a program and resolves, when it ends, to a clause that says how it
  // ended; the page knows them. Its kernel may be null; see kernel.js. ready, unless
  // there is none, is called with the program's memory before it begins.
  async function run({ module, kernel }, argv, ready) {
    const go = new Go();
    go.argv = argv;
    go.env = { GOTRACEBACK: "system" }; // a trace with addresses, whose names are in names.txt, or names-files.txt
    // The page starts without the garbage collector, whose code would have to be compiled first; see (*browser).open.
    if (argv[1] === "page") go.env.GOGC = "400";
    let code = 0, full = false;
    go.exit = (c) => { code = c; };
    // Before Go exits it writes the reason to its error output, which it shares with other programs of the same thread.
    const calls = go.importObject.gojs, write = calls["runtime.wasmWrite"];
    calls["runtime.wasmWrite"] = (sp) => {
      const { writeSync } = fs;
      fs.writeSync = (file, bytes) => {
        full ||= file === 2 && /out of memory|cannot allocate/.test(new TextDecoder().decode(bytes));
        return writeSync(file, bytes);
      };
      try { write(sp); } finally { fs.writeSync = writeSync; }
    };
    const instance = await flockscopeKernel.instantiate(module, go.importObject, kernel);
    if (ready) ready(instance.exports.mem);
    try {
      await go.run(instance);
    } catch (error) {
      if (!full) throw error; // else it is how Go ends once it has said so
    }
    if (full) return "it ran out of memory";
    return code === 0 ? "its program ended" : "its program stopped; see the browser's console";
  }

  // makeHost returns the host object for Go, and a function deliver for values from the page. send carries values to
  // the page, ready is called once, when Go first listens. Values for the line are not passed to Go.
  function makeHost(send, ready) {
    const early = [];
    let listener = null;
    const flush = () => {
      while (listener && early.length > 0) {
        const value = early.shift();
        if (!host.line || !host.line.take(value)) listener(value);
      }
    };
    const host = {
      post(value, transferList) { send(value, transferList || []); },
      get onmessage() { return listener; },
      set onmessage(f) {
        const first = listener === null;
        listener = f;
        // Go is still setting the property: call it only after it has returned to the event loop.
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
  async function runEngine(program, name, port, role, startShard, common) {
    const control = (what, message) => port.postMessage({ flockscopeControl: what, message });
    const { host, deliver } = makeHost(
      (value, transferList) => port.postMessage(value, transferList),
      () => control("ready"),
    );
    const ready = (memory) => {
      if (role === "shard") {
        host.line = flockscopeLine.makeLine(memory, host.post, common, true);
        if (common) host.wait = flockscopeLine.makeSignal(common.signals[1]).wait;
      } else if (startShard) {
        const signal = flockscopeLine.near() ? flockscopeLine.makeSignal() : null;
        if (signal) host.wait = signal.wait;
        host.startShard = (...calls) => startShard(memory, flockscopeLine.share(signal), ...calls);
      }
    };
    globalThis[name] = host;
    port.onmessage = (event) => deliver(event.data);
    try {
      control("exit", await run(program, ["flockscope", role || "engine", name], ready));
    } catch (error) {
      control("exit", String(error));
    }
  }

  // shard starts one more worker, below this one: messages between the two do not pass through the page. common is
  // shared by their line.
  function shard(base, program, memory, common, onMessage, onProblem) {
    const script = new URL("assets/engine.js", base).href;
    let over = false;
    const end = (why) => {
      if (over) return;
      over = true;
      worker.terminate();
      onProblem(String(why));
    };
    let worker;
    try {
      worker = new Worker(script);
    } catch {
      // Without an origin of its own, only a worker from a blob is allowed.
      const source = `importScripts(${JSON.stringify(script)});`;
      worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    }
    worker.onmessage = ({ data }) => {
      if (over) return;
      if (data && data.flockscopeControl) {
        if (data.flockscopeControl === "exit") end(data.message);
      } else if (!line.take(data)) {
        onMessage(data);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault(); // it is handled here
      end(event.message || "the browser refused to run it");
    };
    worker.postMessage({ base, program, role: "shard", common });
    const post = (value, transferList) => { if (!over) worker.postMessage(value, transferList || []); };
    const line = flockscopeLine.makeLine(memory, post, common, false);
    return { post, line, close: () => { over = true; worker.terminate(); } };
  }

  globalThis.flockscopeRun = { run, runEngine };

  // In a worker, the page's first message brings the compiled program and the
  // absolute address of the site: a worker made from a blob has no address of
  // its own against which "wasm_exec.js" could be resolved.
  if (typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope) {
    globalThis.onmessage = (event) => {
      const { base, program, role, common } = event.data;
      importScripts(...["wasm_exec.js", "assets/kernel.js", "assets/line.js"].map((path) => new URL(path, base).href));
      const startShard = (...calls) => shard(base, program, ...calls);
      runEngine(program, "flockscopeHost", globalThis, role, startShard, common);
    };
  }
})();
