package e2e

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// A run for which there is not enough memory is given up and said so; the settings
// stay, and what is offered instead comes through.
func TestOutOfMemory(t *testing.T) { outOfMemory(t, "") }

// So it is on the page's own thread, whose program goes on beside the engine's.
func TestOutOfMemoryWithoutWorkers(t *testing.T) {
	SkipIfShort(t)
	outOfMemory(t, "engine=main&")
}

// mourn lets a program print on its way out what it died of.
func (p *Page) mourn() {
	for _, text := range []string{"out of memory", "cannot allocate memory", "goroutine"} {
		p.AllowProblem(text)
	}
}

// outOfMemory runs the test with engines as a part of the link has them.
func outOfMemory(t *testing.T, engine string) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.mourn()
		p.Serve(changed("/assets/boot.js", within(1600)))
		asked, ended := engine+"data=digits&C=64&T=2&each=20&algos=cflgp", "s.notices.join().includes('needs more memory')"
		for _, first := range firstStates(1, []bool{false, true}) {
			// The page's first run is too large, or one that follows another.
			if first {
				p.Open("/?" + asked)
				p.Until("window.flockscope", patience)
			} else {
				p.Run("?" + strings.Replace(asked, "64", "8", 1))
				p.Enter("#heroset-C", "64")
			}
			p.When(ended)
			p.Shot("memory")
			if got := p.State(); got.Problem != "" || !strings.Contains(got.Config, "C=64") {
				t.Errorf("without memory the page is at %q with the problem %q", got.Config, got.Problem)
			}
			for range 4 { // half of them, until they fit; some may be seen before they do not
				if got := p.State(); got.Done && got.RunQuery == got.Config {
					break
				}
				p.Click(".notices .way")
				p.When(complete + " || " + ended)
			}
			if got := p.State(); !got.Done || got.RunQuery != got.Config || !strings.Contains(got.Config, "each=20") ||
				strings.Contains(got.Config, "C=64") {
				t.Errorf("what was offered leads to %+v", got)
			}
		}
	})
}

// A sweep leaves out what there is not enough memory for, with all of its seeds, says
// so, and goes on with the rest; the settings and the run on screen are as they were.
func TestSweepOutOfMemory(t *testing.T) {
	SkipIfShort(t)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.mourn()
		p.Viewport(1440, 900)
		p.Serve(changed("/assets/boot.js", within(1600)))
		before := p.Run("?data=digits&C=8&T=2&each=20&algos=cflgp")
		p.Click("#open-sweep")
		p.When("s.sheet === 'sweep'")
		p.Drawn()
		p.Choose(`[data-sweep="0.key"]`, "C")
		for _, field := range [][2]string{{"0.from", "8"}, {"0.to", "64"}, {"0.count", "2"}, {"seeds", "2"}} {
			p.Enter(`[data-sweep="`+field[0]+`"]`, field[1])
		}
		p.Click("#sweep-run")
		p.When("s.sweep && !s.sweep.busy && s.sweep.done === 4 && s.sweep.of === 4")
		p.Until("document.getElementById('sheet').innerText.includes('Some of it needs more memory than the browser provides')", patience)
		if got := p.State(); got.Problem != "" || got.Config != before.Config || prints(got) != prints(before) ||
			len(got.Notices) > 0 {
			t.Errorf("a sweep that does not fit leaves %+v, want %+v", got, before)
		}
	})
}

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
