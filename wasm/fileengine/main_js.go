// Command fileengine is the engine that can also read the user's files: the page loads it once there are any. Its first
// argument is its role, an engine or a shard of an engine; assets/boot.js starts it.
package main

import (
	"os"
	"syscall/js"

	"flockscope/wasm/engine"
	"flockscope/wasm/engine/reader"
)

func main() {
	host := js.Global().Get(os.Args[2])
	switch os.Args[1] {
	case "engine":
		engine.Main(host, reader.Reader{})
	case "shard":
		engine.ShardMain(host, reader.Reader{})
	}
}
