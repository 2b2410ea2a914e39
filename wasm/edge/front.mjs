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
    return isRoute(url.pathname) ? think(request, url, env, context) : file(request, url, env);
  },
};

function isRoute(path) {
  return site.routes.some((route) => (route.endsWith("*") ? path.startsWith(route.slice(0, -1)) : path === route));
}

// think asks the Go program, unless an answer of this version of the site is
// in the cache. Answers say in CDN-Cache-Control how long they may be kept.
async function think(request, url, env, context) {
  const asked = new URL(url);
  asked.pathname = `/v/${site.version}${url.pathname}`;
  const key = new Request(asked);
  const reads = request.method === "GET";
  const kept = reads && (await caches.default.match(key));
  if (kept) {
    const answer = new Response(kept.body, kept);
    answer.headers.set("Cache-Control", answer.headers.get("Flockscope-Cache-Control"));
    answer.headers.delete("Flockscope-Cache-Control");
    return answer;
  }
  const answer = await program.fetch(request, { ...env, PAGE: site.page, LINK_SCRIPT: site.linkScript }, context);
  // The whole body at once: it is small, and the program ends with it.
  const body = answer.body && (await answer.arrayBuffer());
  const keep = answer.headers.get("CDN-Cache-Control");
  if (reads && answer.status === 200 && keep) {
    const headers = new Headers(answer.headers);
    headers.set("Flockscope-Cache-Control", headers.get("Cache-Control"));
    headers.set("Cache-Control", keep);
    context.waitUntil(caches.default.put(key, new Response(body, { headers })));
  }
  return new Response(request.method === "HEAD" ? null : body, answer);
}

// file answers with a file of the site, or with the page that says there is
// none, as wasm/site does.
async function file(request, url, env) {
  const headers = new Headers(site.headers);
  if (request.method !== "GET" && request.method !== "HEAD") {
    headers.set("Allow", "GET, HEAD");
    headers.set("Content-Type", "text/plain; charset=utf-8");
    return new Response("There is only something to GET here.\n", { status: 405, headers });
  }
  const [, version, name] = url.pathname.match(/^\/(?:v\/([^/]*)\/)?(.*)$/);
  const file = Object.hasOwn(site.files, name) ? site.files[name] : null;
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
  return list !== null && list.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");
}
