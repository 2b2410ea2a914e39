// Package web is the part of Flockscope's server that has something to decide:
// pages with their tags, short links, previews and oEmbed. One [Server] runs
// natively (wasm/serve) and in a Cloudflare Worker (wasm/edge); what differs
// between them stands behind [Store] and [Limiter].
//
// A Worker starts this code anew for every request, so it must be small and
// idle until asked: no registry of algorithms. Which settings
// there are it knows from schema.json, which the registries generate; how they
// are checked is sim/experiment, as on the page. Files are served elsewhere:
// natively by wasm/site, at the edge by wasm/edge/front.mjs.
package web
