// sweeps.js stores sweeps in the browser's IndexedDB: the plan of the last one, and a
// record of every computed cell, with the cell as key. It is loaded when the sheet of
// the sweep is opened. Its functions run in the order of calls.
(() => {
  "use strict";

  const patience = 5000; // ms; some private windows never reply
  const running = "flockscope.sweep"; // of this tab, which a reload leaves

  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const done = (transaction) => new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });

  let opened;
  function database() {
    return opened ??= Promise.race([
      (async () => {
        const request = indexedDB.open("flockscope", 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("records");
          request.result.createObjectStore("plans");
        };
        return answer(request);
      })(),
      new Promise((_, reject) => setTimeout(reject, patience, new Error("no answer"))),
    ]);
  }

  function mark(plan) {
    try {
      if (plan) sessionStorage.setItem(running, plan);
      else sessionStorage.removeItem(running);
    } catch {
      // then a reload does not go on by itself
    }
  }

  let release = null; // lets the next tab compute
  let queue = "", writing = null;

  // write stores the waiting records together, one transaction after the other.
  async function write(problem) {
    try {
      while (queue) {
        const lines = queue.split("\n");
        queue = "";
        const transaction = (await database()).transaction("records", "readwrite");
        const store = transaction.objectStore("records");
        for (const line of lines) {
          if (line) store.put(line + "\n", line.slice(9, 41)); // {"cell":"…
        }
        await done(transaction);
      }
    } catch (error) {
      problem(error?.name ?? "");
    } finally {
      writing = null;
    }
  }

  globalThis.flockscopeSweeps = {
    // recall returns the last plan, or the one that this tab was computing.
    async recall(tell) {
      let mine = null;
      try {
        mine = sessionStorage.getItem(running);
      } catch {
        // no storage
      }
      try {
        const plans = (await database()).transaction("plans").objectStore("plans");
        const last = await answer(plans.get("last"));
        if (mine) tell(mine.slice(mine.indexOf("\n") + 1), parseInt(mine), true);
        else if (last) tell(last.plan, last.engine, false);
      } catch {
        // nothing is kept
      }
    },
    async claim(plan, engine, claimed, problem) {
      mark(`${engine}\n${plan}`);
      try {
        const transaction = (await database()).transaction("plans", "readwrite");
        transaction.objectStore("plans").put({ plan, engine }, "last");
        await done(transaction);
      } catch (error) {
        problem(error?.name ?? "");
      }
      if (release) return claimed();
      if (!navigator.locks) return claimed();
      let held = false;
      navigator.locks.request("flockscope.sweep", () => new Promise((resolve) => {
        [release, held] = [resolve, true];
        claimed();
      })).catch(() => { if (!held) claimed(); }); // a frame without an origin has no locks
    },
    async release() {
      mark(null);
      await writing;
      release?.();
      release = null;
    },
    async load(cells, loaded) {
      let lines = [];
      try {
        await writing;
        const store = (await database()).transaction("records").objectStore("records");
        lines = await Promise.all(cells.split("\n").filter(Boolean).map((cell) => answer(store.get(cell))));
      } catch {
        // stored records cannot be read
      }
      loaded(lines.filter(Boolean).join(""));
    },
    keep(lines, problem) {
      queue += lines;
      writing ??= write(problem);
    },
  };
})();
