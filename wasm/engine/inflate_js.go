package engine

import (
	"encoding/binary"
	"syscall/js"

	"flockscope/ui/guard"
)

// inflate is [textfile.Inflate] by the browser's own program, which is some ten times
// as fast as Go's in WebAssembly. It lets other messages in meanwhile.
func inflate(data []byte, most int) ([]byte, bool) {
	kind := js.Global().Get("DecompressionStream")
	size, ok := declaredSize(data, most)
	if !kind.Truthy() || !ok {
		return nil, false
	}
	packed := js.Global().Get("Response").New(bytesOf(data))
	reader := packed.Get("body").Call("pipeThrough", kind.New("gzip")).Call("getReader")
	chunks := make(chan js.Value, 1) // null where there will be none
	came := guard.FuncOf(func(_ js.Value, args []js.Value) any { chunks <- args[0]; return nil })
	defer came.Release()
	broken := guard.FuncOf(func(js.Value, []js.Value) any { chunks <- js.Null(); return nil })
	defer broken.Release()
	out := make([]byte, 0, size)
	for {
		reader.Call("read").Call("then", came, broken)
		chunk := <-chunks
		switch {
		case chunk.IsNull():
			return nil, false
		case chunk.Get("done").Bool():
			return out, true
		}
		value, at := chunk.Get("value"), len(out)
		n := value.Length()
		if at+n > size {
			reader.Call("cancel")
			return nil, false
		}
		out = out[:at+n]
		js.CopyBytesToGo(out[at:], value)
	}
}

// declaredSize is how many bytes gzip data say at their end that they unpack to, and whether
// that is possible: no more than most, and than deflate can make of that many. Data of
// several members, which promise only what is in the last, are left to Go.
func declaredSize(data []byte, most int) (size int, ok bool) {
	const best = 1032 // times as many
	if len(data) < 4 {
		return 0, false
	}
	size = int(binary.LittleEndian.Uint32(data[len(data)-4:]))
	return size, size <= most && size <= best*len(data)
}
