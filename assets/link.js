// link.js opens a short link. The server writes the long link into this script's tag;
// the script runs before boot.js and puts it into the address, where the program looks
// for it. The present query, such as ?embed=1, takes precedence.
(() => {
  "use strict";
  const stored = new URLSearchParams(document.currentScript.dataset.query);
  const own = new URLSearchParams(location.search);
  for (const key of own.keys()) stored.delete(key);
  // Unchanged, because the program interprets "&amp;" itself.
  const text = [String(stored), location.search.slice(1)].filter(Boolean).join("&");
  // Commas and colons need no escapes in a query.
  history.replaceState(null, "", "?" + text.replaceAll("%2C", ",").replaceAll("%3A", ":") + location.hash);
})();
