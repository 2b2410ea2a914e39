// Command app is the program that a visit of the page loads. Its first argument is its role: the page, an engine, or a
// shard of an engine; assets/boot.js starts it. One binary for all roles is smaller than several, and is compiled once.
// It opens no files: once the user has some, the engines are those of command fileengine.
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
		engine.Main(host, nil)
	case "shard":
		engine.ShardMain(host, nil)
	}
}
