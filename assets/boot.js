// boot.js starts Flockscope: it loads the compiled Go program and runs it as the page, and it can start the same
// program again as an engine. Another program, which it loads when the page asks for it, is an engine that can also read
// files.
//
// The page's side of the contract. Go is started with
//
//	os.Args = ["flockscope", "page", NAME]
//
// and finds under globalThis[NAME] its host:
//
//	host.startEngine(onMessage, onProblem, onReady) → port
//	    onMessage(value)      called with each value the engine posts, in order
//	    onProblem(started, reasons)  called once, when no engine could be started or when
//	                          the engine that had started ended; the port is dead from
//	                          then on. A reason is a list of words
//	onReady()             called once, when the engine has started
//	host.loadReader(onProgress) → promise; once it is kept, engines that start are of the program that can
//	                        also read files. onProgress(bytes) is called while that takes longer than a moment
//	host.words(name)        → promise of the text assets/NAME.txt: the page's texts in a
//	                          language (sim/say), or explanations (ui/guide)
//	host.dropped(data)      → promise of the files in a DataTransfer and in its folders; those in folders have their
//	                          place there, such as pets/cats/1.png, as path
//	host.licences           the address of the licences of everything in the page
//	host.keptOffline()      whether the page would open without a network
//	host.qr(canvas, text)   draws a QR code, once lean-qr.js is loaded, if it can be
//	host.sweeps()           → promise of globalThis.flockscopeSweeps; see sweeps.js
//	host.runs()             → promise of globalThis.flockscopeRuns; see runs.js
//	host.paper()            → promise of globalThis.flockscopePaper; see paper.js
//	host.arena(files, address)  opens another page, which takes files; → promise that is rejected if it cannot. See handover.js
//	host.settled()          to be called once, when the first run is complete
//	host.early()            the messages to a frame so far; from now on the page listens
//	host.onReplaced(call)   calls when a file that is loaded later is missing because the
//	                        server has another version of the site now
//	port.post(value, transferList)  sends a value; before the engine has started
//	                                the value waits, and is transferred only then
//	port.close()                    ends the engine without a problem
//	port.how                        "worker", "blob worker" or "main thread";
//	                                "" until the engine has started, which it
//	                                has before the first onMessage
//
// An engine is tried, in this order, as
//
//	worker         a plain worker
//	blob worker    a worker from a blob: inside a sandboxed frame the page has
//	               no origin, and only this kind of worker is allowed
//	main thread    a second Go program beside the page's own
//
// The query parameter "engine" picks one step instead of the chain, for tests: ?engine=worker, ?engine=blob,
// ?engine=main, and ?engine=none for no engine. With ?simd=0 the programs compute without kernel.wasm; see kernel.js.
//
// When the page itself cannot start, boot.js says why in the element #why, in Chinese if the page would be in Chinese;
// the poster stays visible. Go hides both once it has rendered. See engine.js for the other side.
(() => {
  "use strict";

  const base = new URL("..", document.currentScript.src).href;
  const at = (path) => new URL(path, base).href;
  const query = new URLSearchParams(location.search);

  // A worker is ready within milliseconds; in ms, how long to wait before it counts as
  // failed.
  const patience = 20000;

  // The page's Chinese translations are not loaded yet, so messages of this script are in both languages. The language
  // is chosen as in ui/browser/locale_js.go.
  const lang = [query.get("lang"), navigator.language].map((tag) => tag?.match(/^(en|zh)(?:[-_]|$)/i)?.[1]).find(Boolean);
  const chinese = lang?.toLowerCase() === "zh";
  const say = (english, own) => (chinese ? own : english);

  function fail(sentence) {
    const why = document.getElementById("why");
    why.textContent = sentence + (globalThis.flockscopeFirst ? say(" The pictures below are from a recorded run.", "下面的画面来自一次录制的运行。") : "");
    if (chinese) why.lang = "zh-Hans";
    why.hidden = false;
  }

  // How a program can end; see engine.js.
  const endings = {
    "its program ended": "程序结束了",
    "it ran out of memory": "内存用完了",
    "its program stopped; see the browser's console": "程序停止了，原因见浏览器的控制台",
  };
  const stopped = (why) => fail(say(`Flockscope stopped: ${why}. Reload the page to start again.`, `Flockscope 已停止：${endings[why] ?? why}。请重新加载页面。`));

  // The page that embeds a frame cannot know when Go begins to listen, and may send messages as soon as this script has
  // loaded, as reveal.js does.
  const early = [];
  const keep = (event) => early.length < 100 && early.push(event);
  if (parent !== self) addEventListener("message", keep);

  // A Problem is an error whose message is a sentence for the user.
  class Problem extends Error {}

  const unreachable = (path) => new Problem(say(`${path} could not be loaded. Check the connection and reload the page.`, `无法加载 ${path}。请检查网络，再重新加载页面。`));

  function loadScript(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = at(path);
      script.onload = resolve;
      script.onerror = () => reject(unreachable(path));
      document.head.append(script);
    });
  }

  // A file that is loaded later may be missing because the site was replaced. Then the
  // page says so.
  let replaced = () => {};
  async function late(loading) {
    try {
      return await loading;
    } catch (error) {
      const answer = await fetch(at("assets/boot.js"), { method: "HEAD", cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) replaced();
      throw error;
    }
  }

  async function get(path, options) {
    const response = await fetch(at(path), options).catch(() => { throw unreachable(path); });
    if (!response.ok) {
      throw new Problem(say(`${path} could not be loaded: the server answered ${response.status}. Reload the page, or ask whoever runs this server.`,
        `无法加载 ${path}：服务器回答 ${response.status}。请重新加载页面，或询问服务器的管理者。`));
    }
    return response;
  }

  const read = (path, response) => response.arrayBuffer().catch(() => { throw unreachable(path); });

  // Most browsers apply the policy when they compile, WebKit when it instantiates.
  const forbidden = (error) => /Content.Security.Policy|CSP|unsafe-eval/i.test(String(error));

  async function compile(path, bytes) {
    try {
      return await WebAssembly.compile(bytes);
    } catch (error) {
      if (forbidden(error)) throw error;
      throw new Problem(say(`${path} could not be compiled (${error}). Reload the page; if that does not help, update the browser.`,
        `无法编译 ${path}（${error}）。请重新加载页面；如果没有用，请更新浏览器。`));
    }
  }

  // Go's module is sent packed; see unpack.js. If the service worker keeps the files of its version, the unpacked bytes
  // are kept with them, and it answers with these (offline.js): then browsers compile while they read, and most keep the
  // compiled code for the next visit.
  const programPath = "flockscope.pack", unpackedPath = "flockscope.wasm", unpackedType = "application/wasm";
  const readerPath = `flockscope-${"files"}.pack`; // no part of a first visit

  // loadProgram returns a compiled module, and its bytes unless they are kept. It may say how many have arrived.
  async function loadProgram(programPath, onProgress) {
    let response = await get(programPath);
    if (response.headers.get("Content-Type") === unpackedType) {
      try {
        return { module: await WebAssembly.compileStreaming(response) };
      } catch {
        response = await get(programPath, { cache: "reload" }); // the packed one, since what is kept is damaged
      }
    }
    const [packed] = await Promise.all([read(programPath, onProgress ? counted(response, onProgress) : response),
      globalThis.flockscopeUnpack || loadScript("assets/unpack.js")]);
    let bytes = new Uint8Array(packed);
    try {
      // Learning platforms send files as they are, so the program of a course is compressed; see sim/course.
      if (bytes[0] === 31) bytes = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
      bytes = flockscopeUnpack(bytes);
    } catch (error) {
      throw new Problem(say(`${programPath} could not be unpacked (${error.message}). Reload the page, or ask whoever runs this server.`,
        `无法解开 ${programPath}（${error.message}）。请重新加载页面，或询问服务器的管理者。`));
    }
    return { module: await compile(programPath, bytes), bytes };
  }

  // counted returns a response whose bytes are counted as they arrive.
  function counted(response, onProgress) {
    const begin = performance.now();
    let bytes = 0;
    return new Response(response.body.pipeThrough(new TransformStream({
      transform(part, controller) {
        bytes += part.length;
        if (performance.now() - begin > 300) onProgress(bytes);
        controller.enqueue(part);
      },
    })));
  }

  async function keepProgram(bytes) {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      if (!await cache.match(at(programPath))) continue; // of another version
      await cache.put(at(unpackedPath), new Response(bytes, { headers: { "Content-Type": unpackedType } }));
    }
  }

  // connect wires one end of an engine: calls.ready, calls.message and
  // calls.end (with a sentence) as its control objects and values arrive.
  function connect(end, calls) {
    end.onmessage = (event) => {
      const data = event.data;
      switch (data && data.flockscopeControl) {
        case "ready": calls.ready(); break;
        case "exit": calls.end(data.message); break;
        default: calls.message(data);
      }
    };
  }

  function connectWorker(worker, program, calls) {
    connect(worker, calls);
    worker.onerror = (event) => {
      event.preventDefault(); // it is handled here, not an uncaught error
      calls.end(event.message || "the browser refused to run it");
    };
    worker.postMessage({ base, program });
    return {
      post: (value, transferList) => worker.postMessage(value, transferList),
      close: () => worker.terminate(),
    };
  }

  // Each step starts an engine and returns functions that post to it and end it. A step
  // may throw, or report a failure later through calls.end.
  const steps = {
    "worker": (program, calls) => connectWorker(new Worker(at("assets/engine.js")), program, calls),

    "blob worker": (program, calls) => {
      const source = `importScripts(${JSON.stringify(at("assets/engine.js"))});`;
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const release = () => URL.revokeObjectURL(address);
      const line = connectWorker(new Worker(address), program, {
        ready: () => { release(); calls.ready(); },
        message: calls.message,
        end: (why) => { release(); calls.end(why); },
      });
      return { post: line.post, close: () => { release(); line.close(); } };
    },

    "main thread": (program, calls) => {
      const { port1, port2 } = new MessageChannel();
      connect(port1, calls);
      flockscopeRun.runEngine(program, `flockscopeHost${++engines}`, port2);
      return {
        post: (value, transferList) => port1.postMessage(value, transferList),
        // A Go program cannot be stopped from outside; without its port it does nothing,
        // and without work it returns to the event loop.
        close: () => port1.close(),
      };
    },
  };
  let engines = 0;

  const chains = {
    worker: ["worker"],
    blob: ["blob worker"],
    main: ["main thread"],
    none: [],
  };
  const chain = chains[query.get("engine")] || Object.keys(steps);

  function startEngine(program, onMessage, onProblem, onReady) {
    const waiting = [];
    const failures = [];
    let line = null; // of the step being tried, later of the running engine
    let closed = false;

    const port = {
      how: "",
      post(value, transferList) {
        if (closed) return;
        if (port.how) line.post(value, transferList || []);
        else waiting.push([value, transferList || []]);
      },
      close() {
        closed = true;
        if (line) line.close();
      },
    };

    function problem(started, reasons) {
      if (closed) return;
      port.close();
      onProblem(started, reasons);
    }

    function attempt(remaining) {
      if (closed) return;
      if (remaining.length === 0) {
        problem(false, failures.length > 0 ? failures : [["the address of this page disables it"]]);
        return;
      }
      const [how, ...rest] = remaining;
      let over = false;
      const next = (why) => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        if (line) line.close();
        line = null;
        failures.push([how, why]);
        late(Promise.reject(why)).catch(() => {}); // engine.js may be what is gone
        attempt(rest);
      };
      const timer = setTimeout(next, patience, "no answer");
      const calls = {
        ready() {
          if (over || closed) return;
          clearTimeout(timer);
          port.how = how;
          for (const [value, transferList] of waiting.splice(0)) line.post(value, transferList);
          if (onReady) onReady();
        },
        message(value) { if (!over && !closed) onMessage(value); },
        end(why) {
          if (port.how === how) problem(true, [[why]]);
          else next(why);
        },
      };
      try {
        line = steps[how](program, calls);
      } catch (error) {
        next(error.message);
      }
    }

    // Start after this call has returned, so that no callback comes before it.
    queueMicrotask(() => attempt(chain));
    return port;
  }

  // startAhead starts an engine while the page itself starts. It returns what startEngine would be called for: until
  // then the calls wait.
  function startAhead(program) {
    const waiting = [];
    let calls = null;
    const call = (i) => (...args) => (calls ? calls[i](...args) : waiting.push([i, args]));
    const port = startEngine(program, call(0), call(1), call(2));
    return (...given) => {
      calls = given;
      queueMicrotask(() => waiting.splice(0).forEach(([i, args]) => calls[i](...args)));
      return port;
    };
  }

  // A program is two compiled modules: Go's, and kernel.wasm, or null if this browser has
  // no vector instructions or is asked to use none.
  async function loadKernel() {
    if (query.get("simd") === "0") return null;
    try {
      return await compile("kernel.wasm", await read("kernel.wasm", await get("kernel.wasm")));
    } catch {
      return null; // Go has the same loops, only slower
    }
  }

  async function start() {
    if (typeof WebAssembly !== "object") {
      throw new Problem(say("This browser cannot run WebAssembly, which Flockscope needs. Any current Firefox, Chrome, Edge or Safari can.",
        "这个浏览器不能运行 WebAssembly，而 Flockscope 需要它。当前版本的 Firefox、Chrome、Edge 或 Safari 都可以。"));
    }
    const scripts = ["wasm_exec.js", "vugu-render.js", "assets/kernel.js", "assets/engine.js", "assets/paint.js"];
    const [{ module, bytes }, kernel] = await Promise.all([
      loadProgram(programPath), loadKernel(), ...scripts.map(loadScript),
    ]);
    const program = { module, kernel };
    let engine = program;
    let first = startAhead(program);

    // Vugu passes its render script to window.eval, which the page's policy forbids. The
    // script is vugu-render.js and has run already, so this one call does nothing; later
    // calls are the browser's own. See wasm/build/VUGU.md.
    const eval_ = window.eval;
    window.eval = () => { window.eval = eval_; };

    globalThis.flockscopeHost = {
      startEngine(...calls) {
        const started = first;
        first = null;
        return started ? started(...calls) : startEngine(engine, ...calls);
      },
      async loadReader(onProgress) {
        engine = { module: (await late(loadProgram(readerPath, onProgress))).module, kernel };
      },
      words: (lang) => late(fetch(at(`assets/${lang}.txt`)).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))),
      dropped,
      licences: at("licences.txt"),
      keptOffline: () => Boolean(workers()?.controller),
      qr: (canvas, text) => late(import(at(`assets/${"lean-qr"}.js`))).then(({ generate }) => generate(text).toCanvas(canvas), () => {}),
      sweeps: () => (globalThis.flockscopeSweeps ? Promise.resolve() : late(loadScript(`assets/${"sweeps"}.js`))),
      runs: () => (globalThis.flockscopeRuns ? Promise.resolve() : late(loadScript(`assets/${"runs"}.js`))),
      paper: () => (globalThis.flockscopePaper ? Promise.resolve() : late(loadScript(`assets/${"paper"}.js`))),
      arena: (files, address) => late(loadScript(`assets/${"handover"}.js`)).then(() => flockscopeHandover.put(files)).then(() => location.assign(address)),
      onReplaced: (call) => { replaced = call; },
      settled: () => keepOffline(bytes),
      early() {
        removeEventListener("message", keep);
        return early;
      },
    };
    setTimeout(keepOffline, patience / 2, bytes);
    return flockscopeRun.run(program, ["flockscope", "page", "flockscopeHost"]);
  }

  // dropped is host.dropped. Only before its first wait does the browser tell what was dropped.
  async function dropped(data) {
    const files = [...data.files], found = [];
    const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.some((entry) => entry.isDirectory)) return files;
    const get = (from, method) => new Promise((yes, no) => from[method](yes, no));
    const walk = async (entry) => {
      if (entry.name.startsWith(".")) return; // as in archives
      if (entry.isFile) {
        found.push(Object.assign(await get(entry, "file"), { path: entry.fullPath.slice(1) }));
        return;
      }
      const reader = entry.createReader();
      for (let part; (part = await get(reader, "readEntries")).length;) { // a hundred at a time
        for (const one of part) await walk(one);
      }
    };
    try {
      for (const entry of entries) await walk(entry);
      return found;
    } catch {
      return files; // reading the folder itself fails, which the page reports
    }
  }

  // workers returns what registers service workers, where the browser has it and
  // the page may use it: a sandboxed frame, or a page without storage, may not.
  function workers() {
    try {
      return navigator.serviceWorker;
    } catch {
      return null;
    }
  }

  // keepOffline caches the site, including the program, for visits without a network. It begins once the first run is
  // complete, because it needs a processor, or after a while if there is no run. It does nothing in frames, which are
  // never opened alone, and on sites without versioned addresses.
  let keeping = false;
  function keepOffline(program) {
    const root = base.match(/^(.*\/)v\/[0-9a-f]+\/$/)?.[1];
    if (keeping || !root || parent !== self || !workers()) return;
    keeping = true;
    const idle = self.requestIdleCallback ?? ((call) => setTimeout(call, 2000));
    idle(async () => {
      try {
        await workers().register(root + "sw.js");
        (await workers().ready).active.postMessage("mend");
        if (program) await keepProgram(program);
      } catch {
        // then only online, and unpacked on each visit
      }
    });
  }

  // A trap inside WebAssembly (out of memory, say) surfaces in whichever
  // callback was running; the program cannot go on after it.
  window.addEventListener("error", (event) => {
    if (event.error instanceof WebAssembly.RuntimeError) {
      stopped(event.error.message);
    }
  });

  start().then(
    stopped,
    (error) => fail(error instanceof Problem ? error.message
      : forbidden(error) ? say("The server forbids WebAssembly here. Its Content-Security-Policy needs 'wasm-unsafe-eval'.",
        "服务器不允许在此运行 WebAssembly。它的 Content-Security-Policy 需要 'wasm-unsafe-eval'。")
      : say(`Flockscope could not start (${error}). Reload the page.`, `Flockscope 无法启动（${error}）。请重新加载页面。`)),
  );
})();
