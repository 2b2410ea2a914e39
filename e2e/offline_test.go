package e2e

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"flockscope/wasm/site"
)

// A replaceable is a site that is replaced by another one, or gone, while its
// address stays.
type replaceable struct{ handler atomic.Pointer[http.Handler] }

func (s *replaceable) put(h http.Handler) { s.handler.Store(&h) }

// leave makes every request fail as if nobody were there.
func (s *replaceable) leave() {
	s.put(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
}

func (s *replaceable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.handler.Load()).ServeHTTP(w, r)
}

// another copies the built site with one file and the service worker's sum of
// it changed, as another build would: what is between the page's name and the
// version is up to the server.
func another(t *testing.T, name, from, to string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(siteDir)); err != nil {
		t.Fatal(err)
	}
	rewrite := func(name, from, to string) (before, after []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after = bytes.Replace(before, []byte(from), []byte(to), 1)
		if bytes.Equal(before, after) {
			t.Fatalf("%s has no %q", name, from)
		}
		for _, suffix := range []string{".br", ".gz"} {
			os.Remove(path + suffix)
		}
		if err := os.WriteFile(path, after, 0o644); err != nil {
			t.Fatal(err)
		}
		return before, after
	}
	before, after := rewrite(name, from, to)
	rewrite("sw.js", sum(before), sum(after))
	rewrite("sw.js", "const build = \"", "const build = \"other")
	return dir
}

func sum(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// keptFor waits until the site with a build's mark is kept for being offline.
func (p *Page) keptFor(build string) {
	p.t.Helper()
	p.Until(`(async () => {
		for (const name of await caches.keys()) {
			if (!name.startsWith("flockscope `+build+`") || !await (await caches.open(name)).match("/")) continue;
			const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
			return !installing && !waiting && active.state === "activated" && Boolean(navigator.serviceWorker.controller);
		}
	})()`, patience)
}

// looksForNewSite does now what the browser does some time after a visit: it asks for the service worker again, and waits
// until a new one is installed, or not.
const looksForNewSite = `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(({ installing }) => !installing || new Promise((done) => {
	installing.onstatechange = () => { if (["activated", "redundant"].includes(installing.state)) done(true); };
}))`

// What was opened once opens without a network, as it was; a newer site
// replaces it as a whole or not at all.
func TestOffline(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, noise := range []string{"ERR_", "NetworkError", "Failed to load", "Loading failed", "ServiceWorker",
			"A ServiceWorker", "style.css"} {
			p.AllowProblem(noise)
		}
		s := &replaceable{}
		s.put(built())
		p.Serve(s)
		before := p.Run("?t=14&dphi=25")
		p.keptFor("")

		s.leave()
		after := p.Run("?t=14&dphi=25")
		if prints(after) != prints(before) || after.Engine != "worker" || after.Shown != 14 {
			t.Errorf("offline, the page shows %s by %s, want %s", prints(after), after.Engine, prints(before))
		}
		p.Key("End")
		p.When("s.shown === 200")
		p.Pick("rows.csv", samples(true)) // the reader of files is kept, too
		p.When(complete + " && s.clients === 6")
		p.Run("?data=mix1d")
		p.Open("/s/abcdefgh")
		if got := p.Text("document.body.innerText"); !strings.Contains(got, "There is no network") ||
			!strings.Contains(got, "Open Flockscope") {
			t.Errorf("offline, a short link says %q", got)
		}

		if testing.Short() && t.Name() == "TestOffline/firefox" {
			return // what replaces a site is the same service worker in both
		}
		// A site that is half replaced: its style is of the new build, and the
		// service worker is, but the program's script is still the old one.
		const mark = "--mark: new;"
		newer := another(t, "assets/style.css", "color-scheme: light;", "color-scheme: light; "+mark)
		half, old := site.Handler(newer), built()
		s.put(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/style.css") {
				old.ServeHTTP(w, r)
				return
			}
			half.ServeHTTP(w, r)
		}))
		p.Run("?t=3")
		p.Until(looksForNewSite, patience)
		p.Until("caches.keys().then((names) => names.length === 1)", patience)
		s.leave()
		const marked = "getComputedStyle(document.documentElement).getPropertyValue('--mark')"
		p.Run("?t=3")
		if got := p.Text(marked); got != "" {
			t.Errorf("offline after half a replacement, the page is marked %q", got)
		}

		// The new site, whole.
		s.put(half)
		p.Run("?t=3")
		if got := p.Text(marked); got != "new" {
			t.Errorf("online, the new site is marked %q", got)
		}
		p.Until(looksForNewSite, patience)
		p.keptFor("other")
		s.leave()
		p.Run("?t=3")
		if got := p.Text(marked); got != "new" {
			t.Errorf("offline, the new site is marked %q", got)
		}
	})
}

// programKept says that the unpacked program is kept for the next visit.
const programKept = `(async () => {
	const answer = await caches.match(new URL("flockscope.wasm", new URL("..", document.querySelector("script[src$='boot.js']").src)));
	return (await answer.arrayBuffer()).byteLength > 1e6 && Boolean(navigator.serviceWorker.controller);
})()`

// The program is unpacked at the first visit, and again when what was kept of it is
// damaged.
func TestProgramIsKept(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("wasm") // what is damaged is no program
		const damage = `(async () => {
			for (const name of await caches.keys()) {
				const cache = await caches.open(name);
				for (const { url } of await cache.keys()) {
					if (url.endsWith("flockscope.wasm")) await cache.put(url, new Response("<html>", { headers: { "Content-Type": "application/wasm" } }));
				}
			}
			return true;
		})()`
		for _, visit := range []struct{ name, unpacks string }{{"first", "true"}, {"second", "false"},
			{"damaged", "true"}, {"mended", "false"}} {
			if visit.name == "damaged" {
				p.Until(damage, patience)
			}
			p.Run("?t=3")
			if got := p.Text("typeof flockscopeUnpack === 'function'"); got != visit.unpacks {
				t.Errorf("%s visit: it unpacks the program: %s, want %s", visit.name, got, visit.unpacks)
			}
			p.Until(programKept, patience)
		}
	})
}

// The page says that the network is gone, and that it does not matter.
func TestNoNetworkIsSaid(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?t=14")
		p.keptFor("")
		const said = "document.querySelector('.notices').innerText.includes('No network. Everything still works.')"
		p.must("cutting the network", p.browser.(*chromiumPage).network(false))
		p.Until(said, patience)
		p.audit("no network")
		p.must("mending the network", p.browser.(*chromiumPage).network(true))
		p.Until("!"+said, patience)
	})
}

// Framed or sandboxed, nothing is kept, and nothing goes wrong.
func TestFramesKeepNothing(t *testing.T) {
	SkipIfShort(t)
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, attributes := range []string{"", `sandbox="allow-scripts"`} {
			p.Serve(built())
			host, frame := p.host("?embed=1&t=14", attributes)
			p.Open(host)
			p.EnterFrame(frame)
			p.When(complete)
			if attributes == "" { // in the other, the question itself is forbidden
				p.Until("navigator.serviceWorker.getRegistrations().then((list) => list.length === 0)", patience)
			}
		}
	})
}

// Nothing that a person does on the page asks another host for anything.
func TestNoOtherHost(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.OpenSettings()
		p.Click("#advanced")
		p.Add("clove")
		p.When(complete + " && s.lanes.length === 3")
		p.Go("?data=digits&n=400&hidden=16&T=20&t=14")
		var foreign []string
		p.Eval(`performance.getEntriesByType("resource").map((e) => e.name).filter((name) => !name.startsWith(origin + "/") && !name.startsWith("blob:" + origin) && !name.startsWith("data:"))`, &foreign)
		if len(foreign) > 0 {
			t.Errorf("the page asked for %q", foreign)
		}
		var here int
		p.Eval(`performance.getEntriesByType("resource").length`, &here)
		if here < 5 {
			t.Errorf("the browser counts only %d requests of the page", here)
		}
	})
}

// A page that cannot be kept works all the same.
func TestNothingIsKeptOfBrokenSite(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		p.AllowProblem("404")
		p.Serve(changed("/sw.js", func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }))
		p.Run("?t=14")
		p.Until("navigator.serviceWorker.getRegistrations().then((list) => list.length === 0)", patience)
	})
}

// A page whose build the server has no more goes on and says so, once; nothing of the
// other build gets into it.
func TestReplacedWhileOpen(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, noise := range []string{"404", "Failed to load", "Loading failed", "ServiceWorker", "A ServiceWorker"} {
			p.AllowProblem(noise)
		}
		// As in a frame, nothing is kept for later: the page asks the server for what it lacks.
		unkept := func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/sw.js" {
					http.NotFound(w, r)
					return
				}
				h.ServeHTTP(w, r)
			})
		}
		s := &replaceable{}
		s.put(unkept(built()))
		p.Serve(s)
		const marked = "getComputedStyle(document.documentElement).getPropertyValue('--mark')"
		const said = "[...document.querySelectorAll('.notices')].map((n) => n.innerText).join().split('new version of Flockscope').length - 1"
		before := p.Run("?t=14")
		s.put(unkept(site.Handler(another(t, "assets/style.css", "color-scheme: light;", "color-scheme: light; --mark: new;"))))
		p.Until(`fetch(new URL("zh.txt", document.querySelector("script[src$='boot.js']").src)).then((a) => a.status === 404)`, patience)
		for range 3 {
			p.Click("#language")
			p.Until(said+" === 1", patience)
		}
		if got := p.State(); prints(got) != prints(before) {
			t.Errorf("the page shows %s, want %s", prints(got), prints(before))
		}
		p.Key("End")
		p.When("s.shown === 200")
		if got := p.Text(marked); got != "" {
			t.Errorf("the page of the old build is marked %q", got)
		}
		p.Run("?t=14")
		if got := p.Text(marked); got != "new" {
			t.Errorf("reloaded, the page is marked %q, want new", got)
		}
	})
}

// Files that were kept and are damaged, or gone, come from the server at the next visit
// with a network and are kept anew.
func TestDamagedCacheMends(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, noise := range []string{"ERR_", "NetworkError", "Failed to load", "Loading failed", "ServiceWorker"} {
			p.AllowProblem(noise)
		}
		s := &replaceable{}
		s.put(built())
		p.Serve(s)
		before := p.Run("?t=14")
		p.keptFor("")
		p.Until(`(async () => {
			for (const name of await caches.keys()) {
				const cache = await caches.open(name);
				for (const { url } of await cache.keys()) {
					if (/style\.css$|engine\.js$/.test(url)) await cache.delete(url);
					else if (!/flockscope\.wasm$/.test(url)) await cache.put(url, new Response("damaged", { headers: { "Content-Type": "text/javascript" } }));
				}
			}
			return true;
		})()`, patience)
		for _, visit := range []string{"online", "offline"} {
			if got := p.Run("?t=14"); prints(got) != prints(before) {
				t.Errorf("%s, the page shows %s, want %s", visit, prints(got), prints(before))
			}
			if visit == "offline" {
				break
			}
			p.Until(`(async () => {
				for (const name of await caches.keys()) {
					const cache = await caches.open(name), page = await cache.match("/");
					if (!(await page.text()).includes("boot.js")) return false;
					const urls = (await cache.keys()).map(({ url }) => url);
					if (!["style.css", "engine.js", "boot.js"].every((file) => urls.some((url) => url.endsWith(file)))) return false;
					for (const url of urls) {
						if (await (await cache.match(url)).text() === "damaged" && /\.js$|\.css$|\.pack$/.test(url)) return false;
					}
				}
				return true;
			})()`, patience)
			s.leave()
		}
	})
}
