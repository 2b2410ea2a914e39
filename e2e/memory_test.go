package e2e

import (
	"bytes"
	"fmt"
	"net/http/httptest"
)

// within has programs find so many pages of memory, of 64 KB, and no more: it
// gives the memory of compiled modules an upper end. With 0 they find what they
// begin with.
func within(pages int) func(*httptest.ResponseRecorder) {
	return func(a *httptest.ResponseRecorder) {
		a.Body = bytes.NewBufferString(fmt.Sprintf(`(() => {
			const { compile } = WebAssembly;
			const number = (bytes, at) => { // LEB128, and where it ends
				let n = 0, shift = 0, byte;
				do { byte = bytes[at++]; n |= (byte & 127) << shift; shift += 7; } while (byte & 128);
				return [n, at];
			};
			const written = (n) => (n < 128 ? [n] : [n & 127 | 128, ...written(n >> 7)]);
			const ends = (bytes) => {
				for (let at = 8; at < bytes.length;) {
					const [size, from] = number(bytes, at + 1);
					if (bytes[at] === 5) {
						const [least] = number(bytes, from + 2);
						const memory = [1, 1, ...written(least), ...written(Math.max(least, %d))];
						return new Uint8Array([...bytes.subarray(0, at), 5, memory.length, ...memory, ...bytes.subarray(from + size)]);
					}
					at = from + size;
				}
				return bytes;
			};
			WebAssembly.compile = (source) => compile(ends(new Uint8Array(source)));
			WebAssembly.compileStreaming = async (source) => WebAssembly.compile(await (await source).arrayBuffer());
		})();
		%s`, pages, a.Body))
	}
}
