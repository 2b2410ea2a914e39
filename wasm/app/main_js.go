// Command app is the whole program in the browser. It runs as the page, an
// engine or a shard of one, as its first argument says; see assets/boot.js for the contract.
// One binary for both roles is smaller than two, and is compiled once.
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
