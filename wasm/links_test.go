package wasm

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/testing/goldenlinks"
	"flockscope/sim/trace"
	"flockscope/ui/page"
)

// Updating the golden links is right where links are added. A changed block is an
// old link that opens another page, or another run, than it did: that needs a reason,
// a section of sim/experiment/CHANGES.md.
var (
	updateLinks = flag.Bool("update", false, "rewrite testdata/links.txt from what links open now")
	updateWhy   = flag.String("why", "", "with -update: the heading in sim/experiment/CHANGES.md that explains changed values")
)

// goldenLinks are links as people keep them: in bookmarks, frames and slides.
// Together they have every key that a page knows.
var goldenLinks = []string{
	"?",
	"?dphi=8&t=14",
	"#dphi=8&t=14&algos=cflgp,clove",
	"https://flockscope.example/?data=linreg&dphi=8&algos=cflgp,clove&t=14&lane=2&sel=3&view=losses&curve=loss&theme=dark&speed=2&zoom=1#top",
	"?dphi=8&t=14&algos=cflgp,clove&map=3d&zoom=1",
	"?dphi=8&t=14&view=losses&heat=own",
	"?dphi=8&t=14&algos=cflgp,clove&map=3d.250.10",
	"?v=1&data=mix1d&algos=ifca,clove&t=60&view=data&theme=light&speed=0.25",
	"?T=60&algos=cflgp,ifca,clove,fedavg&t=20&lane=4&view=flow&curve=cost&theme=projector",
	"?T=80&view=curves&curve=misplaced&autostop=0&motion=none",
	"?T=40&view=spectrum&sel=12&speed=4&t=40",
	"?embed=1",
	"?embed=1&T=60&controls=play,scrub,dphi,open&autoplay=0",
	"?embed=1&T=60&controls=none&hide=data,curves,title&lanes=1&loop=1&autoplay=1",
	"?embed=1&T=60&controls=hero,step,share&hide=losses,story,cost,client,caption,below&keys=0&id=slide-3",
	"?embed=1&T=60&origin=https%3A%2F%2Fexample.org&theme=dark&speed=0.5&lanes=2&algos=cflgp,ifca,clove",
	"?embed=1&T=60&hide=map,metrics,round,progress,theme,undo,settings,rewind,back,play,step,speed,scrub,tabs,switch,lanes,open&lang=en&quiz=1",
	"?T=60&engine=main&workers=2&simd=0&ph=C&autoplay=1",
	"?lesson=3",
	"?lesson=1&marks=1,2,110%3B&hide=lessons",
	"https://flockscope.example/?lesson=1&scent=0&t=5",
	"?data=digits&C=8&n=800&T=4&net=softmax&algos=cflgp,ifca&view=answers&curve=accuracy&t=4",
	"?algos=cflgp,cflgp:nomem,ifca&cflgp:nomem.beta=1&T=60&t=30&lane=2",
	"?T=60&sd=7&sm=8&sa=9&C=17&D=5&K=6&b=3&probe=4&t=59",
	"?data=words&n=900&C=9&T=12&algos=cflgp,clove&view=data&curve=accuracy&t=12",
	"?data=wireless&n=300&C=6&T=5&dtheta=20&algos=cflgp,clove&view=data&curve=loss&t=5",
	"?T=60&t=14&sel=9,2-4,3,12",
	"?t=14&lang=zh",
	"?T=20&algos=ifca&sweep=3,dphi,0,45,10,ifca.K,2,4,3",
	"?T=20&t=14&lecture=1&ph=3",
}

// verdicts keeps what comes at the end of a run.
type verdicts struct{ prints []uint64 }

func (v *verdicts) Begin(h *trace.Header)          { v.prints = make([]uint64, len(h.Lanes)) }
func (*verdicts) Frame(int, *trace.Frame)          {}
func (*verdicts) Round(int)                        {}
func (v *verdicts) End(lane int, s *trace.Summary) { v.prints[lane] = s.Fingerprint }

// openLink opens a link and returns its block of the golden links.
func openLink(t *testing.T, link string) string {
	t.Helper()
	a := page.New(catalog.Schema(), link)
	for _, n := range a.AllNotices() {
		t.Errorf("%s opens with the notice %q", link, n.Text)
	}
	for _, text := range a.ConsoleWarnings {
		t.Errorf("%s opens with a word to the console: %s", link, text)
	}
	var v verdicts
	if err := engine.Run(context.Background(), a.Config, nil, &v); err != nil {
		t.Fatalf("%s: %v", link, err)
	}
	sum := trace.Combine(v.prints)
	return fmt.Sprintf("link %s\nopens %s\nresult %04X-%04X", link, a.Query(), sum>>48, sum>>32&0xFFFF)
}

const linksHead = `# Links, what they open, and the result that stands on the page then. Rewritten by
#
#	go test ./wasm -run TestLinks -update -why HEADING
#
# A changed value means that old links show something else. It needs a reason, a heading
# of sim/experiment/CHANGES.md; the old value stays in a line that begins with "was".

`

// TestLinks: whoever kept a link finds what was there.
func TestLinks(t *testing.T) {
	var blocks []string
	for _, link := range goldenLinks {
		blocks = append(blocks, openLink(t, link))
	}
	text, err := os.ReadFile("testdata/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	kept := goldenlinks.Blocks(strings.TrimPrefix(string(text), linksHead))
	if *updateLinks {
		fresh, err := goldenlinks.Update(kept, blocks, *updateWhy)
		if err != nil {
			t.Fatal(err)
		}
		text := linksHead + strings.Join(fresh, "\n\n") + "\n"
		if err := os.WriteFile("testdata/links.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, difference := range goldenlinks.Differences(kept, blocks) {
		t.Error(difference)
	}
}

// TestChangesAreExplained: each reason for which a link shows another result than it
// once did is a section of the page about such changes.
func TestChangesAreExplained(t *testing.T) {
	page, err := os.ReadFile("../sim/experiment/CHANGES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"testdata/links.txt", "../sim/engine/testdata/links.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, why := range goldenlinks.Reasons(goldenlinks.Blocks(string(text))) {
			if !strings.Contains(string(page), "\n## "+why+"\n") {
				t.Errorf("%s gives the reason %q, which is no heading of CHANGES.md", file, why)
			}
		}
	}
}

// TestLinksAgain: what a link opens is a link that opens the same.
func TestLinksAgain(t *testing.T) {
	for _, link := range goldenLinks {
		first := page.New(catalog.Schema(), link).Query()
		if second := page.New(catalog.Schema(), "?"+first).Query(); second != first {
			t.Errorf("%s opens %s, and that opens %s", link, first, second)
		}
	}
}

// TestLinksHaveEveryKey: no key of a page is without an old link that has it.
func TestLinksHaveEveryKey(t *testing.T) {
	var seen []string
	for _, link := range goldenLinks {
		text := link[strings.IndexAny(link, "?#")+1:]
		text, _, _ = strings.Cut(text, "#")
		values, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		for key := range values {
			seen = append(seen, key)
		}
	}
	for _, key := range experiment.PageKeys() {
		if !slices.Contains(seen, key) {
			t.Errorf("no golden link has %s=", key)
		}
	}
}
