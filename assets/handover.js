// handover.js hands files from the main page to the arena's page, which opens in its place: flockscopeHandover.put(files)
// keeps files, each {name, data}, in this browser, and flockscopeHandover.take() returns them once.
(() => {
  "use strict";

  const open = () => new Promise((resolve, reject) => {
    const request = indexedDB.open("flockscope-handover", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("files");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  // inStore calls use(store), and resolves to what it gives once that is done.
  async function inStore(use) {
    const db = await open();
    try {
      const transaction = db.transaction("files", "readwrite"), request = use(transaction.objectStore("files"));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      return request.result;
    } finally {
      db.close();
    }
  }

  globalThis.flockscopeHandover = {
    put: (files) => inStore((store) => store.put(files, "files")),
    async take() {
      const files = await inStore((store) => store.get("files"));
      await inStore((store) => store.clear());
      return files ?? [];
    },
  };
})();
