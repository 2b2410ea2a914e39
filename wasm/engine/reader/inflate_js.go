package reader

import (
	"encoding/binary"
	"syscall/js"

	"flockscope/sim/textfile/packed"
	"flockscope/ui/guard"
)

func init() { packed.Inflate = inflate }

// inflate is [packed.Inflate] by the browser, about ten times as fast as Go in WebAssembly. Other
// messages are handled meanwhile.
func inflate(data []byte, most int) ([]byte, bool) {
	kind := js.Global().Get("DecompressionStream")
	size, ok := declaredSize(data, most)
	if !kind.Truthy() || !ok {
		return nil, false
	}
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	response := js.Global().Get("Response").New(array)
	reader := response.Get("body").Call("pipeThrough", kind.New("gzip")).Call("getReader")
	chunks := make(chan js.Value, 1) // null after an error
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

// declaredSize returns the unpacked size that gzip data declare at their end, and whether it is
// possible: at most most, and at most what deflate can unpack from that many bytes. Files of
// several members declare only the size of the last; Go unpacks them.
func declaredSize(data []byte, most int) (size int, ok bool) {
	const best = 1032 // the maximum compression ratio of deflate
	if len(data) < 4 {
		return 0, false
	}
	size = int(binary.LittleEndian.Uint32(data[len(data)-4:]))
	return size, size <= most && size <= best*len(data)
}
