// Package web answers the requests that need more than a file: pages with their tags,
// short links, previews and oEmbed. The same [Server] runs natively (wasm/serve) and in a
// Cloudflare Worker (wasm/edge); the two differ behind [Store], [Limiter] and [Cache].
//
// A Worker starts this code anew for every request, so the code must be small and do
// nothing before it is asked. It therefore holds no algorithms: it knows the settings from
// schema_gen.go, which is generated from the registries, and checks them with
// sim/experiment, as the page does. Files are served elsewhere: natively by wasm/site, at
// the edge by wasm/edge/front.mjs.
//
//	web.go                  Server: routes, the server's own address, limits
//	api.go, id.go           new links, and their ids
//	page.go, oembed.go      the tags of a page, and how to embed it
//	picture.go, drawing.go  previews
//	state.go, words.go      what a link opens, and its title and description
//	schema.go, rules.go     settings, and values that do not go together
//	headers.go, store.go    common headers, and what a host provides
package web
