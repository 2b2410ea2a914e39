// Edge is Flockscope's server as a Cloudflare Worker: package web with links in KV.
// front.mjs serves files and cached answers, and starts this program anew for each other
// request.
//
//	main_js.go      the server and its settings
//	bindings_js.go  links in KV, rate limits
//	front.mjs       the entry point: files, cache
package main

import (
	"encoding/hex"
	"log"
	"runtime/debug"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"flockscope/wasm/web"
)

func main() {
	log.SetFlags(0)
	// The program ends with its one request, before garbage collection would pay off.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(64 << 20)
	server := &web.Server{
		Schema: web.Schema,
		Check:  web.Check,
		// front.mjs passes the page as a binding.
		Page: func() (*web.Page, error) {
			return web.NewPage(cloudflare.Getenv("PAGE"), cloudflare.Getenv("LINK_SCRIPT"))
		},
		// front.mjs passes the origin of the request, unless the owner set one.
		Origin:   cloudflare.Getenv("ORIGIN"),
		Store:    store{},
		Posts:    limiter{"POSTS"},
		Drawings: limiter{"DRAWINGS"},
	}
	// make deploy sets a key of 32 bytes in hexadecimal. Without a key the server makes no
	// short links, and the page makes long ones.
	if key, err := hex.DecodeString(cloudflare.Getenv("LINK_KEY")); err == nil && len(key) >= 16 {
		server.Key = key
	}
	workers.Serve(server)
}
