// front.mjs is what Cloudflare calls. Files and pages that are not there it
// answers for itself, by the table that wasm/edge/build made of the site; what
// the cache holds it repeats; only the rest starts the Go program, which takes
// about ten milliseconds.
import site from "../../.build/edge/site.json";
import program from "../../.build/edge/worker.mjs";

const suffixes = { "": "", br: ".br", gzip: ".gz" };

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const answer = await (isRoute(url.pathname) ? think(request, url, env, context) : file(request, url, env));
    if (url.protocol === "https:") {
      for (const [name, value] of Object.entries(site.secure)) answer.headers.set(name, value);
    }
    return answer;
  },
};

function isRoute(path) {
  return site.routes.some((route) => (route.endsWith("*") ? path.startsWith(route.slice(0, -1)) : path === route));
}

// think asks the Go program, unless the answer is in the cache.
async function think(request, url, env, context) {
  const answer = await recall(request, url, env, context);
  const etag = answer.headers.get("ETag");
  if (answer.status === 200 && etag && knows(request, etag)) {
    const headers = new Headers(answer.headers);
    headers.delete("Content-Type");
    return new Response(null, { status: 304, headers });
  }
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}

// recall returns an answer from the cache, or from the Go program. Answers say in
// CDN-Cache-Control how long they may be kept.
async function recall(request, url, env, context) {
  const reads = request.method === "GET" || request.method === "HEAD";
  const key = reads && cacheKey(url);
  const kept = key && (await caches.default.match(key));
  if (kept) {
    const answer = new Response(kept.body, kept);
    answer.headers.set("Cache-Control", answer.headers.get("Flockscope-Cache-Control"));
    answer.headers.delete("Flockscope-Cache-Control");
    return answer;
  }
  // HEAD becomes GET, so that what it draws is kept.
  const asked = request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
  const bindings = { ...env, ORIGIN: env.ORIGIN || url.origin, PAGE: site.page, LINK_SCRIPT: site.linkScript };
  const answer = await program.fetch(asked, bindings, context);
  // The whole body at once: it is small, and the program ends with it.
  const body = answer.body && (await answer.arrayBuffer());
  const keep = answer.headers.get("CDN-Cache-Control");
  if (key && answer.status === 200 && keep) {
    const headers = new Headers(answer.headers);
    headers.set("Flockscope-Cache-Control", headers.get("Cache-Control"));
    headers.set("Cache-Control", keep);
    context.waitUntil(caches.default.put(key, new Response(body, { headers })));
  }
  return new Response(body, answer);
}

// cacheKey returns the address under which an answer is kept, or null if it is not.
// It has the origin, which stands in answers, the version of the site, and of the
// rest only what the answer depends on: nobody makes the program draw the picture of
// a link again with another query, or with capitals in its id.
function cacheKey(url) {
  const kept = (path) => new Request(new URL(`/v/${site.version}${path}`, url.origin));
  const link = url.pathname.match(/^\/(s|og)\/([0-9A-Za-z]{10,16})(|\.png|\.svg)$/);
  if (link) {
    // A whole experiment behind the "?" is what its page shows.
    if (link[1] === "s" && [...url.searchParams.keys()].some((k) => k.toLowerCase() === "data")) return null;
    const id = link[2].toLowerCase().replaceAll("o", "0").replace(/[il]/g, "1"); // as readID in wasm/web
    return kept(`/${link[1]}/${id}${link[3]}`);
  }
  if (url.pathname === "/" || url.pathname === "/index.html") return url.search ? null : kept("/");
  if (url.pathname === "/og.png" || url.pathname === "/og.svg") return kept(url.pathname + url.search);
  return null;
}

// file answers with a file of the site, or with the page that says there is
// none, as wasm/site does.
async function file(request, url, env) {
  const headers = new Headers(site.headers);
  if (request.method !== "GET" && request.method !== "HEAD") {
    headers.set("Allow", "GET, HEAD");
    headers.set("Content-Type", "text/plain; charset=utf-8");
    return new Response("Only GET and HEAD are allowed here.\n", { status: 405, headers });
  }
  const [, version, name] = url.pathname.match(/^\/(?:v\/([^/]*)\/)?(.*)$/);
  const here = version === undefined || version === site.version; // of other versions there is nothing
  const file = here && Object.hasOwn(site.files, name) ? site.files[name] : null;
  if (!file) {
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(request.method === "HEAD" ? null : site.missing, { status: 404, headers });
  }
  const coding = pick(file, request);
  const etag = `"${file.hash}${coding && "-"}${coding}"`;
  headers.set("Vary", "Accept-Encoding");
  headers.set("ETag", etag);
  if (version === site.version) headers.set("Cache-Control", site.forever);
  if (knows(request, etag)) return new Response(null, { status: 304, headers });
  headers.set("Content-Type", file.type);
  if (coding) headers.set("Content-Encoding", coding);
  const asset = await env.ASSETS.fetch(new URL("/" + name + suffixes[coding], url));
  if (!asset.ok) return new Response("This file cannot be read.\n", { status: 500, headers: site.headers });
  const body = request.method === "HEAD" ? null : asset.body;
  return new Response(body, { headers, encodeBody: coding ? "manual" : "automatic" });
}

// pick returns the best form of a file that the browser takes. Cloudflare
// rewrites Accept-Encoding and remembers what it was.
function pick(file, request) {
  const header = request.cf?.clientAcceptEncoding ?? request.headers.get("Accept-Encoding") ?? "";
  const accepts = (coding) =>
    header.split(",").some((part) => {
      const [name, weight = ""] = part.split(";");
      return name.trim() === coding && !/^q=0(\.0*)?$/.test(weight.replaceAll(" ", ""));
    });
  return (file.codings ?? []).find(accepts) ?? "";
}

// knows reports whether the browser holds the file already.
function knows(request, etag) {
  const list = request.headers.get("If-None-Match");
  const bare = (tag) => tag.trim().replace(/^W\//, "");
  return list !== null && list.split(",").some((tag) => bare(tag) === bare(etag) || tag.trim() === "*");
}
