// sw.js caches the page for use without a network: a whole build, or nothing. wasm/build writes the next line, the
// SHA-256 sums of the cached files, so each build has a different script.
const build = null, files = {};

// A page names its first script by the version of its site, /v/VERSION/assets/boot.js, and the others are found beside
// that. So a page and its files are cached together, in one cache per build, and no page gets a file of another build.
const prefix = "flockscope ";
const here = prefix + build;
const start = new URL("./", location).href;

// has reports whether the content of a response has a SHA-256 sum; false if it cannot be read.
async function has(answer, sum) {
  const content = await answer.clone().arrayBuffer().catch(() => null);
  if (!content) return false;
  const digest = await crypto.subtle.digest("SHA-256", content);
  return sum === Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, "0")).join("");
}

// keep fetches the page and its files, and caches them if they are of this build. If the site is replaced meanwhile,
// nothing is cached, and the browser tries again when the page is next opened.
async function keep() {
  const page = await fetch(start, { cache: "reload" });
  const version = (await page.clone().text()).match(/="(\/v\/[0-9a-f]+\/)assets\/boot\.js"/)?.[1];
  if (!page.ok || !version) throw new Error("the page names no version");
  const kept = await Promise.all(Object.entries(files).map(async ([name, sum]) => {
    const address = new URL(version + name, start).href;
    const answer = await fetch(address);
    if (!answer.ok || !await has(answer, sum)) throw new Error(`${name} is of another build`);
    return [address, answer];
  }));
  const cache = await caches.open(here);
  await Promise.all(kept.map(([address, answer]) => cache.put(address, answer)));
  await cache.put(start, page); // the last: without it the cache counts for nothing
}

// tidy deletes the caches of all builds but this one and the previous one, whose pages may still be open, and the rest
// of failed attempts.
async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== here);
  const whole = [];
  for (const name of old) {
    if (await (await caches.open(name)).match(start)) whole.push(name);
    else await caches.delete(name);
  }
  for (const name of whole.slice(0, -1)) await caches.delete(name);
}

addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => clients.claim()));
});

const sorry = `<!doctype html><html lang="en"><meta charset="utf-8"><title>No network · Flockscope</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<p>There is no network, and only the server knows what this short link stands for. It opens again when you are online.</p>
<p><a href="/">Open Flockscope without it</a>: everything else works.</p>
<p lang="zh-Hans">没有网络，而这个短链接代表什么，只有服务器知道。恢复联网后即可打开。<a href="/">不用它，直接打开 Flockscope</a>：其他一切照常可用。</p></html>`;

// navigate asks the network first, so that users get the newest build. The cached page serves any link, because the
// program reads the link. Only a short link needs its server.
async function navigate(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const { pathname: path, searchParams } = new URL(request.url);
    const alone = searchParams.has("data"); // the address brings its experiment along
    if (path.startsWith("/s/") && !alone) return new Response(sorry, { headers: { "Content-Type": "text/html; charset=utf-8" } });
    const page = (path === "/" || alone) && await (await caches.open(here)).match(start);
    if (!page) throw error;
    return page;
  }
}

// recall responds with the cached file. If a file of this build is damaged, it is fetched from the server and cached
// again, if there is space.
async function recall(request, path) {
  const kept = await caches.match(request, { ignoreVary: true }).catch(() => null);
  const sum = files[path.replace(/^\/v\/[0-9a-f]+\//, "")];
  if (!kept) return fetch(request);
  if (!sum || await has(kept, sum)) return kept;
  const cache = await caches.open(here).catch(() => null);
  if (!await cache?.match(request, { ignoreVary: true })) return kept; // of another build
  const answer = await fetch(request.url, { cache: "reload" });
  if (answer.ok && await has(answer, sum)) await cache.put(request.url, answer.clone()).catch(() => {});
  return answer;
}

// program responds with the unpacked program in place of the packed one, if the page has kept it at an earlier visit
// (assets/boot.js). The page reloads the packed one if the other is damaged.
async function program(request, path) {
  const unpacked = request.cache !== "reload" && await caches.match(request.url.replace(/pack$/, "wasm")).catch(() => null);
  return unpacked || recall(request, path);
}

// mend caches this build again if any of its files is missing or damaged. The page has no sum: it is valid if it names
// its version.
async function mend() {
  const cache = await caches.open(here), page = await cache.match(start);
  const text = await page?.text().catch(() => "") ?? "";
  const version = text.match(/="\/(v\/[0-9a-f]+\/)assets\/boot\.js"/)?.[1];
  const whole = version && await Promise.all(Object.entries(files).map(async ([name, sum]) => {
    const kept = await cache.match(new URL(version + name, start).href, { ignoreVary: true });
    return kept && has(kept, sum);
  }));
  if (!whole || !whole.every(Boolean)) await keep();
}

// The page sends this when it is idle.
addEventListener("message", (event) => {
  if (event.data === "mend") event.waitUntil(mend().catch(() => {})); // then the next time
});

addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (/^\/v\/.*\/flockscope\.pack$/.test(url.pathname)) event.respondWith(program(request, url.pathname));
  else if (url.pathname.startsWith("/v/")) event.respondWith(recall(request, url.pathname));
});
