package page

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// page is a page on which nothing but notices and requests for files is seen.
type page struct {
	host.None
	notices []string
	fetches [][]string
}

func (p *page) Fetch(addresses []string) { p.fetches = append(p.fetches, addresses) }
func (p *page) Notify(text say.Message, _ ...notices.Way) {
	p.notices = append(p.notices, text.String())
}
func (p *page) Withdraw(text say.Message) {
	p.notices = slices.DeleteFunc(p.notices, func(n string) bool { return n == text.String() })
}
func (p *page) Host() host.Host                                     { return p }
func (p *page) Config() (c experiment.Config)                       { return c }
func (p *page) Engines() int                                        { return 1 }
func (p *page) OpenSheet(string)                                    {}
func (p *page) OpenRun(wire.Named)                                  {}
func (p *page) OpenResults(wire.Named) say.Message                  { return "" }
func (p *page) Remember()                                           {}
func (p *page) Previous() (l *Loaded, c experiment.Config, ok bool) { return }
func (p *page) Undo()                                               {}
func (p *page) ForgetSteps(func(*Loaded) bool)                      {}
func (p *page) FilesChanged()                                       {}
func (p *page) Become(experiment.Config)                            {}

func named(names ...string) (out []wire.Named) {
	for _, name := range names {
		out = append(out, wire.Named{Name: name})
	}
	return out
}

func TestNamesOfFiles(t *testing.T) {
	for _, tt := range []struct {
		files []wire.Named
		want  string
	}{
		{nil, ""}, {named("a"), "a"}, {named("a", "b"), "a and b"}, {named("a", "b", "c"), "a and 2 more"},
	} {
		if got := offer(tt.files).names().String(); got != tt.want {
			t.Errorf("names of %d files = %q, want %q", len(tt.files), got, tt.want)
		}
	}
}

func TestAddress(t *testing.T) {
	p := &page{}
	f := New(p)
	for _, text := range []string{"ftp://host/x", "mnist.gz", "https://", "https://host/a http//b"} {
		p.notices = nil
		f.OpenAddress(text)
		if len(p.fetches) != 0 || len(p.notices) != 1 ||
			!strings.Contains(p.notices[0], "is not the address of a file") {
			t.Errorf("%q asks for %q and is noticed as %q", text, p.fetches, p.notices)
		}
	}
	p.notices = nil
	f.OpenAddress("  ")
	f.Fetching.Text = "https://host.org/data/train-images.gz  https://host.org/data/train-labels.gz"
	f.FetchNow()
	if len(p.fetches) != 1 || len(p.fetches[0]) != 2 || f.Fetching.Words != "Asking host.org …" ||
		f.FetchWords() != "Stop" {
		t.Errorf("two addresses ask for %q, the page says %+v", p.fetches, f.Fetching)
	}
	f.Fetched(p.fetches[0][0], 3<<20, 0)
	unknown := f.Fetching.Words
	f.Fetched(p.fetches[0][0], 3<<20, 10<<20)
	if unknown != "train-images.gz: 3 MB" || f.Fetching.Words != "train-images.gz: 3 MB of 10 MB" {
		t.Errorf("on the way the page says %q and %q", unknown, f.Fetching.Words)
	}
	f.FetchNow()
	if len(p.fetches) != 2 || p.fetches[1] != nil || f.Fetching.Busy || f.Fetching.Words != "" ||
		f.Fetching.Text == "" {
		t.Errorf("given up, the page says %+v", f.Fetching)
	}
	for _, tt := range []struct {
		got  say.Message
		want string
	}{
		{Answered("https://host.org/x/y.gz?v=1", 404), "host.org answered 404 for y.gz: there is no such file"},
		{Answered("https://host.org/x/y.gz", 503), "host.org answered 503 for y.gz"},
		{Unreachable("https://host.org/"), "host.org could not be reached, or does not let other pages read its files (CORS). Download https://host.org/ and drop it on the page"},
		{Forbidden("https://host.org/y"), "The policy of this site (Content-Security-Policy) keeps the page from loading anything from host.org. Download y and drop it on the page"},
	} {
		if tt.got.String() != tt.want {
			t.Errorf("the reason is %q, want %q", tt.got, tt.want)
		}
	}
	f.FetchFailed("No")
	if got := p.notices; len(got) != 1 || got[0] != "No. Nothing was changed." {
		t.Errorf("a failure is noticed as %q", got)
	}
}
