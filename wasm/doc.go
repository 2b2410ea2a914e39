// Package wasm holds the parts that bring Flockscope into a browser, each in a
// directory of its own:
//
//	app    the program that runs in the browser, as page and as engine
//	fileengine the engine once there are files, which it can read
//	arena  the arena's page, which answers questions from records, and its program
//	slim   drops from the compiled program what only the trace of a crash shows
//	pack   writes the program as it travels, for compressors
//	build  makes the site: the compiled program, scripts, page, assets and documentation
//	site   serves the built site over HTTP
//	web    answers what needs thought: pages of links, previews, oEmbed
//	raster turns display lists into pixels, for the previews
//	serve  is the native server: site and web, with links in a file
//	edge   is the Cloudflare Worker: web, with links in KV
//	node   runs tests compiled for the browser under node
//
// The package itself is empty; its test states which package of Flockscope may
// import which.
package wasm
