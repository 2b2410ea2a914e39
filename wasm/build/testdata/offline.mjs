// Runs the service worker that stands in the standard input, with a cache and a server of
// its own, and says "done" if it answers as it should.
import assert from "node:assert";
import { readFileSync } from "node:fs";

const script = readFileSync(0, "utf8");
const origin = "https://host", address = (version, name) => `${origin}/v/${version}/${name}`;
const page = '<script src="/v/a1/assets/boot.js"></script>';

// start begins a visit: a worker of its own that has kept all of its build.
async function start() {
  const listeners = {}, kept = new Map(), here = {};
  Object.assign(here, {
    broken: false, // the cache cannot be read
    full: false, // nothing can be put into it
    up: true, // there is a server
    asked: 0,
    files: new Map([[`${origin}/`, page], [address("a1", "assets/boot.js"), "boot"], [address("a1", "assets/sweeps.js"), "sweeps"],
      [address("a1", "flockscope.pack"), "packed"]]),
  });
  const url = (request) => request.url ?? request;
  const open = (name) => {
    if (!kept.has(name)) kept.set(name, new Map());
    const entries = kept.get(name);
    return {
      async match(request) { return entries.get(url(request))?.clone(); },
      async put(request, answer) {
        if (here.full) throw new DOMException("full", "QuotaExceededError");
        entries.set(url(request), new Response(await answer.text()));
      },
      async keys() { return [...entries.keys()].map((url) => ({ url })); },
    };
  };
  const check = () => { if (here.broken) throw new DOMException("broken", "UnknownError"); };
  const caches = {
    async open(name) { check(); return open(name); },
    async keys() { return [...kept.keys()]; },
    async delete(name) { return kept.delete(name); },
    async match(request) {
      check();
      for (const entries of kept.values()) if (entries.has(url(request))) return entries.get(url(request)).clone();
    },
  };
  const fetch = async (request) => {
    here.asked++;
    if (!here.up) throw new TypeError("no network");
    const text = here.files.get(url(request));
    return text === undefined ? new Response("", { status: 404 }) : new Response(text);
  };
  const run = new Function("addEventListener", "caches", "fetch", "location", "skipWaiting", "clients", "URL", script);
  run((type, call) => { listeners[type] = call; }, caches, fetch, new URL(`${origin}/sw.js`), () => {}, { claim() {} }, URL);
  const wait = async (type, more) => {
    let ends;
    listeners[type]({ ...more, waitUntil(end) { ends = end; }, respondWith(end) { ends = end; } });
    return ends;
  };
  await wait("install");
  const [entries] = kept.values();
  here.get = async (where, mode = "no-cors", cache = "default") => (await wait("fetch", { request: { url: where, method: "GET", mode, cache } })).text();
  here.mend = () => wait("message", { data: "mend" });
  here.asked = 0;
  return Object.assign(here, { entries, kept });
}

// unreadable is an answer whose content cannot be read.
const unreadable = () => {
  const answer = new Response(new ReadableStream({ start(c) { c.error(new Error("unreadable")); } }));
  answer.clone = unreadable;
  return answer;
};
const boot = address("a1", "assets/boot.js"), sweeps = address("a1", "assets/sweeps.js");
const packed = address("a1", "flockscope.pack"), unpacked = address("a1", "flockscope.wasm");
const cases = {
  async "what is kept needs no server"(s) {
    s.up = false;
    assert.equal(await s.get(boot), "boot");
    assert.equal(await s.get(`${origin}/`, "navigate"), page);
  },
  async "what is damaged comes from the server and is kept anew"(s) {
    for (const damage of [() => new Response("x"), unreadable]) {
      s.entries.set(boot, damage());
      assert.equal(await s.get(boot), "boot");
      assert.equal(await s.entries.get(boot).clone().text(), "boot");
    }
  },
  async "the unpacked program that is kept stands for the packed one, which is not even read"(s) {
    assert.equal(await s.get(packed), "packed");
    s.entries.set(unpacked, new Response("unpacked"));
    s.entries.get(packed).clone = () => assert.fail("it is read");
    assert.equal(await s.get(packed), "unpacked");
    assert.equal(s.asked, 0);
  },
  async "the packed program comes if the page says that the unpacked one is damaged"(s) {
    s.up = false;
    s.entries.set(unpacked, new Response("x"));
    assert.equal(await s.get(packed, "no-cors", "reload"), "packed");
  },
  async "there may be no room to keep it anew"(s) {
    s.entries.set(boot, new Response("x"));
    s.full = true;
    assert.equal(await s.get(boot), "boot");
  },
  async "the cache may be broken as a whole"(s) {
    s.broken = true;
    assert.equal(await s.get(boot), "boot");
  },
  async "files of an earlier build are those of that build"(s) {
    s.kept.set("flockscope old", new Map([[address("b2", "assets/boot.js"), new Response("old boot")]]));
    assert.equal(await s.get(address("b2", "assets/boot.js")), "old boot");
    assert.equal(s.asked, 0);
  },
  async "what is whole is not fetched again"(s) {
    await s.mend();
    assert.equal(s.asked, 0);
  },
  async "a file that nobody has asked for yet is mended"(s) {
    for (const damage of [() => new Response("x"), unreadable, null]) {
      if (damage) s.entries.set(sweeps, damage());
      else s.entries.delete(sweeps);
      s.up = true;
      await s.mend();
      s.up = false;
      assert.equal(await s.get(sweeps), "sweeps");
    }
  },
  async "a page is mended that is damaged or cannot be read"(s) {
    for (const damage of [() => new Response("x"), unreadable, null]) {
      if (damage) s.entries.set(`${origin}/`, damage());
      else s.entries.delete(`${origin}/`);
      s.up = true;
      await s.mend();
      s.up = false;
      assert.equal(await s.get(`${origin}/`, "navigate"), page);
    }
  },
  async "nothing is kept of another build"(s) {
    s.entries.delete(sweeps);
    s.files.set(`${origin}/`, page.replace("a1", "c3"));
    await s.mend();
    assert.ok([...s.entries.keys()].every((url) => !url.includes("c3")));
    assert.equal(await s.entries.get(`${origin}/`).text(), page);
  },
};
for (const [name, run] of Object.entries(cases)) {
  try {
    await run(await start());
  } catch (error) {
    console.error(`${name}: ${error.stack ?? error}`);
    process.exitCode = 1;
  }
}
console.log("done");
