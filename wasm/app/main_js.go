// Command app is the whole program in the browser. Its first argument is its role: the page, an
// engine, or a shard of an engine; assets/boot.js starts it. One binary for all roles is smaller
// than several, and is compiled once.
package main

import (
	"os"
	"syscall/js"

	"flockscope/sim/catalog"
	"flockscope/sim/kernel"
	"flockscope/ui/browser"
	"flockscope/wasm/engine"
)

func main() {
	host := js.Global().Get(os.Args[2])
	switch os.Args[1] {
	case "page":
		browser.Mount(host, catalog.Schema(), kernel.Available())
	case "engine":
		engine.Main(host)
	case "shard":
		engine.ShardMain(host)
	}
}
