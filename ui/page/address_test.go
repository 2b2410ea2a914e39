package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/say"
	. "flockscope/ui/page"
)

func TestAddress(t *testing.T) {
	a, p := open(t, "")
	f := a.Files
	load := func(text string) { a.Do(TypeFileAddress{Text: text}); a.Do(ToggleFetch{}) }
	for _, text := range []string{"ftp://host/x", "mnist.gz", "https://", "https://host/a http//b"} {
		load(text)
		if got := noticed(a); len(p.Fetches) != 0 || len(got) != 1 || !strings.Contains(got[0], "is not the address of a file") {
			t.Errorf("%q asks for %q and is noticed as %q", text, p.Fetches, got)
		}
		a.Do(DismissNotice{})
	}
	load("  ")
	load("https://host.org/data/train-images.gz  https://host.org/data/train-labels.gz")
	if len(p.Fetches) != 1 || len(p.Fetches[0]) != 2 || f.Fetching.Words != "Requesting host.org …" ||
		f.FetchLabel() != "Stop" {
		t.Errorf("two addresses ask for %q, the page says %+v", p.Fetches, f.Fetching)
	}
	a.Do(FetchProgress{Address: p.Fetches[0][0], Bytes: 3 << 20, Of: 0})
	unknown := f.Fetching.Words
	a.Do(FetchProgress{Address: p.Fetches[0][0], Bytes: 3 << 20, Of: 10 << 20})
	if unknown != "train-images.gz: 3 MB" || f.Fetching.Words != "train-images.gz: 3 MB of 10 MB" {
		t.Errorf("on the way the page says %q and %q", unknown, f.Fetching.Words)
	}
	a.Do(ToggleFetch{})
	if len(p.Fetches) != 2 || p.Fetches[1] != nil || f.Fetching.Busy || f.Fetching.Words != "" ||
		f.Fetching.Text == "" {
		t.Errorf("given up, the page says %+v", f.Fetching)
	}
	for _, tt := range []struct {
		got  say.Message
		want string
	}{
		{StatusMessage("https://host.org/x/y.gz?v=1", 404), "host.org answered 404 for y.gz: there is no such file"},
		{StatusMessage("https://host.org/x/y.gz", 503), "host.org answered 503 for y.gz"},
		{UnreachableMessage("https://host.org/"), "host.org could not be reached, or does not let other pages read its files (CORS). Download https://host.org/ and drop it on the page"},
		{ForbiddenMessage("https://host.org/y"), "The policy of this site (Content-Security-Policy) keeps the page from loading anything from host.org. Download y and drop it on the page"},
	} {
		if tt.got.String() != tt.want {
			t.Errorf("the reason is %q, want %q", tt.got, tt.want)
		}
	}
	a.Do(FetchFailed{Why: "No"})
	if got := noticed(a); len(got) != 1 || got[0] != "No. Nothing was changed." {
		t.Errorf("a failure is noticed as %q", got)
	}
}
