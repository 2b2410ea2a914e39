// runs.js stores long runs in the browser's IndexedDB, compressed where the browser can, the newest within a limit. The
// page reads beforehand from localStorage which there are. It is loaded when a long run is complete, or opened again.
// Where nothing can be stored, nothing is.
(() => {
  "use strict";

  const room = 32 << 20; // bytes, compressed
  const list = "flockscope.runs"; // JSON: [key, bytes] of each run, the oldest first

  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  let opened;
  function database() {
    return opened ??= Promise.race([
      (async () => {
        const request = indexedDB.open("flockscope.runs", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("runs");
        return answer(request);
      })(),
      new Promise((_, reject) => setTimeout(reject, 5000, new Error("no answer"))), // as in some private windows
    ]);
  }

  const through = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

  globalThis.flockscopeRuns = {
    async store(key, bytes) {
      try {
        if (globalThis.CompressionStream) bytes = await through(bytes, new CompressionStream("gzip"));
        if (bytes.length > room) return;
        const transaction = (await database()).transaction("runs", "readwrite");
        const runs = transaction.objectStore("runs");
        const kept = JSON.parse(localStorage.getItem(list) ?? "[]").filter(([other]) => other !== key);
        kept.push([key, bytes.length]);
        let sum = kept.reduce((sum, [, size]) => sum + size, 0);
        while (sum > room) {
          const [old, size] = kept.shift();
          runs.delete(old);
          sum -= size;
        }
        runs.put(bytes, key);
        await new Promise((resolve, reject) => {
          transaction.oncomplete = resolve;
          transaction.onabort = () => reject(transaction.error);
        });
        localStorage.setItem(list, JSON.stringify(kept));
      } catch {
        // the run is computed again next time
      }
    },
    async recall(key, tell) {
      let bytes = null;
      try {
        bytes = await answer((await database()).transaction("runs").objectStore("runs").get(key));
        if (bytes && isGzip(bytes)) bytes = await through(bytes, new DecompressionStream("gzip"));
      } catch {
        bytes = null;
      }
      tell(bytes);
    },
  };
})();
