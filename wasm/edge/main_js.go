// Edge is Flockscope's server as a Cloudflare Worker: package web with links in
// KV. front.mjs stands before it and answers for files and from the cache; it
// starts this program anew for each request that is left.
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
	// The program ends with its one request, before collecting would pay.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(64 << 20)
	server := &web.Server{
		Schema: web.Schema,
		Check:  web.Check,
		// front.mjs puts the page among the bindings.
		Page: func() (*web.Page, error) {
			return web.NewPage(cloudflare.Getenv("PAGE"), cloudflare.Getenv("LINK_SCRIPT"))
		},
		// And the origin of the request, unless the owner set one.
		Origin:   cloudflare.Getenv("ORIGIN"),
		Store:    store{},
		Posts:    limiter{"POSTS"},
		Drawings: limiter{"DRAWINGS"},
	}
	// A key is 32 bytes in hexadecimal, as make deploy makes it. Without one no
	// short links are made, and the page makes long ones.
	if key, err := hex.DecodeString(cloudflare.Getenv("LINK_KEY")); err == nil && len(key) >= 16 {
		server.Key = key
	}
	workers.Serve(server)
}
