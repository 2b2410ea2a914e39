// Package web is the part of Flockscope's server that has something to decide:
// pages with their tags, short links, previews and oEmbed. One [Server] runs
// natively (wasm/serve) and in a Cloudflare Worker (wasm/edge); what differs
// between them stands behind [Store] and [Limiter].
//
// A Worker starts this code anew for every request, so it must be small and do
// nothing before it is asked: it has no registry of algorithms. The settings are in
// schema_gen.go, which go generate writes from the registries; sim/experiment
// checks their values, as on the page. Files are served elsewhere:
// natively by wasm/site, at the edge by wasm/edge/front.mjs.
package web
