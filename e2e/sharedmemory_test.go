package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// connectionCheck lets the two ends of a connection exchange messages of all sizes, some of
// which wait for others, and returns their contents, or what arrived wrong.
const connectionCheck = `window.check = async (near) => {
	let seed = 1;
	const below = (n) => (seed = (seed * 48271) % 2147483647) % n;
	const signal = near ? flockscopeLine.makeSignal() : null, common = flockscopeLine.share(signal);
	const ends = [0, 1].map(() => ({ memory: new WebAssembly.Memory({ initial: 64 }), due: [] }));
	ends.forEach((end, i) => {
		const { port1, port2 } = new MessageChannel();
		end.line = flockscopeLine.makeLine(end.memory, (...message) => port1.postMessage(...message), common, i === 1);
		end.other = ends[1 - i];
		port2.onmessage = ({ data }) => end.other.line.take(data);
	});
	const { port1, port2 } = new MessageChannel();
	const turnOver = () => new Promise((resolve) => { port2.onmessage = resolve; port1.postMessage(null); });
	const half = 2 << 20, seen = { messages: 0, long: 0 };
	function post(end) {
		const { memory, line, other } = end, bytes = new Uint8Array(memory.buffer), table = [];
		let at = 256, text = [];
		const fill = (length) => {
			for (let i = 0; i < length; i += 1 + (length >> 6)) bytes[at + i] = below(256);
			text.push(bytes.slice(at, at + length));
			return (at += length + below(16) * 4) && length;
		};
		for (let lists = below(4); lists > 0; lists--) table.push(at, fill(1024 + below(below(20) ? 50000 : 600000)));
		const small = at, length = fill(below(300));
		new Uint32Array(memory.buffer, 0, table.length).set(table);
		line.post(small, length, 0, table.length / 2);
		other.due.push(text);
	}
	async function open(end) {
		const { memory, line, due } = end, bytes = new Uint8Array(memory.buffer);
		while (line.state() !== 1) await turnOver();
		const lists = due.shift(), small = lists.pop(), same = (at, want) => want.every((b, i) => bytes[at + i] === b);
		if (line.open() !== small.length) return "small values are of another length";
		line.small(half);
		if (!same(half, small)) return "small values are others";
		for (const list of lists) {
			const part = below(list.length);
			if (line.read(half, part) !== part || line.read(half + part, list.length - part) !== list.length - part) return "a list is shorter";
			if (!same(half, list)) return "a list is another";
			seen.long += list.length;
		}
		if (line.left() !== 0 || line.read(half, 4) !== 0) return "there is more than was posted";
		seen.messages++;
	}
	for (let turn = 0; turn < 400; turn++) {
		const end = ends[below(2)];
		for (let n = below(4); n > 0; n--) post(end);
		for (let n = turn % 100 === 99 ? 1e9 : below(3); n > 0 && end.due.length > 0; n--) {
			const wrong = await open(end);
			if (wrong) return { wrong: wrong + " in message " + seen.messages };
		}
	}
	if (ends.some((end) => end.due.length === 0 && end.line.state() !== 0)) return { wrong: "there are messages that nobody posted" };
	return { ...seen, wrong: "", near: ends[0].line.near };
};`

// TestSharedMemory: what is posted at one end of a connection arrives at the other in order,
// by messages, by shared memory, and where WebAssembly cannot copy shared memory.
func TestSharedMemory(t *testing.T) {
	tests := []struct {
		name, before string
		near         bool
	}{
		{"by shared memory", "", true},
		{"by shared memory, without two memories in a module", "WebAssembly.Module = undefined", true},
		{"by messages", "", false},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range tests {
			routes := http.NewServeMux()
			routes.Handle("/", built())
			routes.HandleFunc("/line.html", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
				w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><script>%s;%s</script><script src="assets/line.js"></script>`, tt.before, connectionCheck)
			})
			p.Serve(routes)
			p.Open("/line.html")
			if tt.near && p.Text("typeof SharedArrayBuffer") == "undefined" {
				continue // WebKit on Linux lends shared memory to nobody, isolated or not
			}
			var got struct {
				Wrong          string
				Near           bool
				Messages, Long int
			}
			p.Eval(fmt.Sprintf("check(%t)", tt.near), &got)
			if got.Wrong != "" || got.Near != tt.near {
				t.Errorf("%s: %s; shared memory: %t", tt.name, got.Wrong, got.Near)
			}
			if got.Messages < 300 || got.Long < 10<<20 {
				t.Errorf("%s: %d messages with %d bytes of lists were carried, want more", tt.name, got.Messages,
					got.Long)
			}
		}
	})
}
