// Package wasm holds the parts that bring Flockscope into a browser, each in a
// directory of its own:
//
//	app    the program that runs in the browser, as page and as engine
//	build  makes the site: the compiled program, scripts, page and assets
//	site   serves the built site over HTTP
//	serve  is the command around site
//	node   runs tests compiled for the browser under node
//
// The package itself is empty; its test states which package of Flockscope may
// import which.
package wasm
