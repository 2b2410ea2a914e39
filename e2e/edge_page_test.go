package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The page itself loads from a link of each server, in a frame of another site
// that allows it nothing but scripts, and runs; and from there a link can be
// made again. Both servers send the same page, so one of them will do for the
// second browser.
func TestServersPage(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		inBrowsers := InChromium
		if s.name == "native" {
			inBrowsers = InBrowsers
		}
		const query = "data=linreg&dphi=8&algos=cflgp,clove&t=14"
		made := s.Client(t).Do("POST", "/api/links", query).JSON(t)
		inBrowsers(t, func(t *testing.T, p *Page) {
			p.Viewport(1300, 900)
			// What a sandboxed frame may not do, which the page tries first.
			p.AllowProblem("Clipboard API")
			frame := strings.Replace(s.address, "127.0.0.1", "localhost", 1) + "/"
			p.Open(p.Server(framing(fmt.Sprintf("%ss/%s?embed=1", frame, made["id"]))))
			p.EnterFrame(frame)
			p.When(complete)
			p.Drawn()
			got := p.State()
			if p.Text("origin") != "null" || got.Query != query+"&embed=1" || got.Shown != 14 || got.Problem != "" ||
				len(got.Notices) > 0 {
				t.Errorf("from its link the page shows %+v, want %s", got, query)
			}
			if want := native(t, query); prints(got) != want {
				t.Errorf("in the frame the run is %s, on the command line %s", prints(got), want)
			}
			p.Click("#step")
			p.When("s.shown === 15")

			p.Click("#copy-link")
			p.When("s.copied || s.link")
			want := s.Client(t).Do("POST", "/api/links", strings.Replace(query, "t=14", "t=15", 1)).JSON(t)
			if state := p.State(); state.Copied == "" && state.Link != frame+"s/"+fmt.Sprint(want["id"]) {
				t.Errorf("the link to share is %q, want that of %v", state.Link, want["id"])
			}
		})
	})
}

// Where the server refuses, the long link is as good.
func TestLongLinkWithoutServer(t *testing.T) {
	list, err := servers()
	if err != nil {
		t.Fatal(err)
	}
	s := list[0]
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Open(s.address + "/?t=3")
		p.When(complete)
		p.Eval(`(() => {
			window.asked = [];
			window.fetch = (...a) => { asked.push(a[0]); return Promise.resolve(new Response('{"error":"no"}', { status: 503 })); };
			Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } } });
		})()`, nil)
		p.Click("#copy-link")
		p.When("s.copied === 'Link copied'")
		if got, want := p.Text("asked.join() + ' ' + copied"), "/api/links "+s.address+
			"/?data=linreg&dphi=8&algos=cflgp,ifca&t=3"; got != want {
			t.Errorf("refused, the page asked and copied %q, want %q", got, want)
		}
		p.Eval("window.fetch = (...a) => Promise.resolve(new Response(JSON.stringify({ id: 'abc' })))", nil)
		p.Click("#copy-link")
		p.Until("copied === "+quote(s.address+"/s/abc"), patience)
	})
}

// Without credentials, deploying goes as far as it can and sends nothing.
func TestDeployWithoutCredentials(t *testing.T) {
	if _, err := servers(); err != nil { // which says what is missing
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(root, "wasm", "edge", "deploy.sh"))
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "CLOUDFLARE_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "CI=1", "XDG_CONFIG_HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"--dry-run: exiting now.", "env.LINKS", "env.POSTS", "env.ASSETS",
		"nothing was sent"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it says\n%s\nwant %q in it", out, want)
		}
	}
}

// framing is a page of another site with an address in a frame.
func framing(address string) http.Handler {
	quoted, _ := json.Marshal(address)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Host</title><link rel="icon" href="data:,">
			<style>body { margin: 0 } iframe { border: 0; display: block }</style>
			<iframe src=%s sandbox="allow-scripts" width="1200" height="700"></iframe>`, quoted)
	})
}
