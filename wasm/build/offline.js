// sw.js keeps the page for when there is no network: the whole of one build,
// or nothing of it. wasm/build writes the next line, and so makes another
// script of each build: the SHA-256 sums of the files that are kept.
const build = null, files = {};

// A page names its first script by the version of the site that it is of,
// /v/VERSION/assets/boot.js, and the others are found beside that. So a page
// and its files are kept together, a build in a cache of its own, and no page
// ever gets a file of another build from here.
const prefix = "flockscope ";
const here = prefix + build;
const start = new URL("./", location).href;

// has reports whether an answer's content has a SHA-256 sum. What cannot be read has none.
async function has(answer, sum) {
  const content = await answer.clone().arrayBuffer().catch(() => null);
  if (!content) return false;
  const digest = await crypto.subtle.digest("SHA-256", content);
  return sum === Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, "0")).join("");
}

// keep fetches the page and its files, and keeps them if they are what this
// build wrote. Should the site be replaced meanwhile, nothing is kept, and the
// browser tries again when the page is opened the next time.
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

// tidy drops the caches of builds before the one that was in force until now,
// whose pages may still be open, and what is left of attempts that failed.
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

// navigate asks the network first, so that people get the newest build; the
// kept page is as good as any other, since what a link says is read by the
// program. Only a short link needs its server.
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

// recall answers with the kept file. One of this build that is damaged comes from the
// server and is kept anew, if there is room.
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

// mend keeps this build anew where something of it is gone or damaged. Of the page, which
// has no sum, it is enough that it names its version.
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

// The page says when it is idle.
addEventListener("message", (event) => {
  if (event.data === "mend") event.waitUntil(mend().catch(() => {})); // then the next time
});

addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (url.pathname.startsWith("/v/")) event.respondWith(recall(request, url.pathname));
});
