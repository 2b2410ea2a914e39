// front.mjs is the entry point of the Worker. It serves files and the page of status 404 from
// the table that wasm/edge/build makes of the site, and repeats answers from the cache. Only
// other requests start the Go program, which takes about ten milliseconds.
import site from "../../.build/edge/site.json";
import program from "../../.build/edge/worker.mjs";

const suffixes = { "": "", br: ".br", gzip: ".gz" };

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const answer = await (isRoute(url.pathname) ? answerRoute(request, url, env, context) : answerFile(request, url, env));
    if (url.protocol === "https:") {
      for (const [name, value] of Object.entries(site.secure)) answer.headers.set(name, value);
    }
    return answer;
  },
};

function isRoute(path) {
  return site.routes.some((route) => (route.endsWith("*") ? path.startsWith(route.slice(0, -1)) : path === route));
}

// answerRoute answers a request that the Go program or the cache handles.
async function answerRoute(request, url, env, context) {
  const answer = await cachedAnswer(request, url, env, context);
  const etag = answer.headers.get("ETag");
  if (answer.status === 200 && etag && isCurrent(request, etag)) {
    const headers = new Headers(answer.headers);
    headers.delete("Content-Type");
    return new Response(null, { status: 304, headers });
  }
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}

// cachedAnswer returns an answer from the cache, or from the Go program. The header
// CDN-Cache-Control of an answer says how long the cache may keep it.
async function cachedAnswer(request, url, env, context) {
  const reads = request.method === "GET" || request.method === "HEAD";
  const key = reads && cacheKey(url);
  const kept = key && (await caches.default.match(key));
  if (kept) {
    const answer = new Response(kept.body, kept);
    answer.headers.set("Cache-Control", answer.headers.get("Flockscope-Cache-Control"));
    answer.headers.delete("Flockscope-Cache-Control");
    return answer;
  }
  // HEAD becomes GET, so that the cache can keep the body.
  const asked = request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
  const bindings = { ...env, ORIGIN: env.ORIGIN || url.origin, PAGE: site.page, LINK_SCRIPT: site.linkScript };
  const answer = await program.fetch(asked, bindings, context);
  // Read the whole body at once: it is small, and the program ends with the request.
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

// cacheKey returns the address under which the cache keeps an answer, or null for none. It
// consists of the origin, which answers contain, the version of the site, and what else the
// answer depends on: another query, or capitals in an id, do not draw a picture again.
function cacheKey(url) {
  const kept = (path) => new Request(new URL(`/v/${site.version}${path}`, url.origin));
  const link = url.pathname.match(/^\/(s|og)\/([0-9A-Za-z]{10,16})(|\.png|\.svg)$/);
  if (link) {
    // The page of the experiment after the "?" takes the place of the stored one.
    if (link[1] === "s" && [...url.searchParams.keys()].some((k) => k.toLowerCase() === "data")) return null;
    const id = link[2].toLowerCase().replaceAll("o", "0").replace(/[il]/g, "1"); // as readID in wasm/web
    return kept(`/${link[1]}/${id}${link[3]}`);
  }
  if (url.pathname === "/" || url.pathname === "/index.html") return url.search ? null : kept("/");
  if (url.pathname === "/og.png" || url.pathname === "/og.svg") return kept(url.pathname + url.search);
  return null;
}

// answerFile serves a file of the site, or the page of status 404, as wasm/site does.
async function answerFile(request, url, env) {
  const headers = new Headers(site.headers);
  if (request.method !== "GET" && request.method !== "HEAD") {
    headers.set("Allow", "GET, HEAD");
    headers.set("Content-Type", "text/plain; charset=utf-8");
    return new Response("Only GET and HEAD are allowed here.\n", { status: 405, headers });
  }
  const [, version, name] = url.pathname.match(/^\/(?:v\/([^/]*)\/)?(.*)$/);
  const here = version === undefined || version === site.version; // files of other versions do not exist
  const file = here && Object.hasOwn(site.files, name) ? site.files[name] : null;
  if (!file) {
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(request.method === "HEAD" ? null : site.missing, { status: 404, headers });
  }
  const coding = pickCoding(file, request);
  const etag = `"${file.hash}${coding && "-"}${coding}"`;
  headers.set("Vary", "Accept-Encoding");
  headers.set("ETag", etag);
  if (version === site.version) headers.set("Cache-Control", site.forever);
  if (isCurrent(request, etag)) return new Response(null, { status: 304, headers });
  headers.set("Content-Type", file.type);
  if (coding) headers.set("Content-Encoding", coding);
  const asset = await env.ASSETS.fetch(new URL("/" + name + suffixes[coding], url));
  if (!asset.ok) return new Response("The file could not be read.\n", { status: 500, headers: site.headers });
  const body = request.method === "HEAD" ? null : asset.body;
  return new Response(body, { headers, encodeBody: coding ? "manual" : "automatic" });
}

// pickCoding returns the best compressed form of a file that the browser accepts, "" for
// none. Cloudflare rewrites Accept-Encoding and keeps the original in request.cf.
function pickCoding(file, request) {
  const header = request.cf?.clientAcceptEncoding ?? request.headers.get("Accept-Encoding") ?? "";
  const accepts = (coding) =>
    header.split(",").some((part) => {
      const [name, weight = ""] = part.split(";");
      return name.trim() === coding && !/^q=0(\.0*)?$/.test(weight.replaceAll(" ", ""));
    });
  return (file.codings ?? []).find(accepts) ?? "";
}

// isCurrent reports whether the browser already has the version with an ETag.
function isCurrent(request, etag) {
  const list = request.headers.get("If-None-Match");
  const bare = (tag) => tag.trim().replace(/^W\//, "");
  return list !== null && list.split(",").some((tag) => bare(tag) === bare(etag) || tag.trim() === "*");
}
