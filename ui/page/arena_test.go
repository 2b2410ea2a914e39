package page_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Records of the arena are known by their names, also after a download, and open on its page; other results do if the user
// asks for that, and nothing does in a course, which does not have that page.
func TestOpenOnArena(t *testing.T) {
	for names, want := range map[string]bool{
		"arena-records.jsonl.gz": true, "arena-records (1).jsonl": true, "folder/arena-v2.flock": true,
		"arena-v2.flock,arena-v2-data-4d318c03.flock": true, "arena-v2.flock,mine.flock": false, "arena.csv": false, "mine.jsonl": false,
	} {
		for _, course := range []bool{false, true} {
			link := "T=30"
			if course {
				link += "&embed=1&marks=1"
			}
			a, p := ready(t, link)
			a.Do(OpenFiles{Files: pagetest.NamedFiles(strings.Split(names, ",")...)})
			if got := len(p.ToArena) > 0; got != (want && !course) {
				t.Errorf("%s, in a course %v: opened on the arena's page %v", names, course, got)
			} else if got && (!strings.HasSuffix(p.ToArena[0], "arena/index.html?lang=en&opened=1") ||
				!slices.Equal(p.ToArena[1:], strings.Split(names, ","))) {
				t.Errorf("%s: opened %q", names, p.ToArena)
			}
		}
	}

	a, p := ready(t, "T=30")
	store := append(make([]byte, 16), 0xed, 0xda, 0x0c, 0xed, 0, 0, 0, 0)
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "mine.flock", Data: store}}})
	if len(p.ToArena) > 0 || len(noticed(a)) != 1 {
		t.Fatalf("a file of results opens %q, and the page says %q", p.ToArena, noticed(a))
	}
	a.Do(OpenOnArena{})
	if len(p.ToArena) != 2 || p.ToArena[1] != "mine.flock" {
		t.Errorf("asked for, %q are opened", p.ToArena)
	}
	a.Do(ArenaFailed{})
	if got := noticed(a); !strings.Contains(got[len(got)-1], "keeps no files") {
		t.Errorf("without storage, the page says %q", got)
	}
}
