// link.js opens a short link. The server that knows the link writes what it
// stands for into this script's tag; it runs before boot.js and puts that into
// the address, where the program looks for it. What the address says already,
// such as ?embed=1, comes on top.
(() => {
  "use strict";
  const stored = new URLSearchParams(document.currentScript.dataset.query);
  const own = new URLSearchParams(location.search);
  for (const key of own.keys()) stored.delete(key);
  // As it came, since the program knows better what was meant by "&amp;".
  const text = [String(stored), location.search.slice(1)].filter(Boolean).join("&");
  // Commas and colons are as good in a query as what stands for them.
  history.replaceState(null, "", "?" + text.replaceAll("%2C", ",").replaceAll("%3A", ":") + location.hash);
})();
