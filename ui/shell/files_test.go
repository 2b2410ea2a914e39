package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/wire"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Files that are dropped together travel together, and the engine's answer says
// what they are good for.
func TestFilesTogether(t *testing.T) {
	a, p := ready(t, "T=30")
	var messages [][]string
	p.OnSend = func(engine int, message []byte) {
		_, records, _ := wire.Open(message)
		var names []string
		for kind, payload := range records {
			if f, ok := wire.OpenFile(payload); kind == wire.File && ok {
				names = append(names, f.Name)
			}
		}
		if names != nil {
			messages = append(messages, names)
		}
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("images.gz", "labels.gz", "writers.csv")})
	if len(messages) != 1 || !slices.Equal(messages[0], []string{"images.gz", "labels.gz", "writers.csv"}) {
		t.Fatalf("the files went out as %q", messages)
	}
	p.SendText(pagetest.AboutFiles, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if a.Config.Workload() != "samples" || a.Files.Names().String() != "images.gz and 2 more" ||
		a.Files.Words().String() != "2500 images of 28 × 28 in 10 classes" {
		t.Errorf("taken, the data are %s from %q, %q", a.Config.Workload(), a.Files.Names(), a.Files.Words())
	}
	p.Finish()
	if got := (&Panel{App: a}).fileWords(); got != "images.gz and 2 more: 2500 images of 28 × 28 in 10 classes." {
		t.Errorf("the panel says %q", got)
	}

	// They are no rows of x and y: those are still to come.
	asked := len(p.Requests)
	set(t, a, "data", "csv")
	if len(p.Requests) != asked || !slices.ContainsFunc(noticed(a), func(n string) bool {
		return strings.HasPrefix(n, "These data come from your own files")
	}) || !strings.HasPrefix((&Panel{App: a}).fileWords(), "No file yet.") {
		t.Errorf("with images for a table, %d runs were asked for, the notices are %q", len(p.Requests)-asked, noticed(a))
	}
	set(t, a, "data", "samples")
	if len(p.Requests) != asked+1 || len(noticed(a)) != 0 {
		t.Errorf("back at the images, %d runs were asked for, the notices are %q", len(p.Requests)-asked, noticed(a))
	}
	p.Finish()

	// A new engine is told of the files in use and of those in question.
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("more.csv")})
	if got := len(a.Jobs.Page.StartMessages()); got != 2 {
		t.Errorf("a new engine is told of %d sets of files, want 2", got)
	}
	p.SendText(pagetest.AboutFiles, wire.Refused, "more.csv: line 2 has 3 columns; expected 4")
	if got := noticed(a); !slices.Equal(got, []string{"more.csv: line 2 has 3 columns; expected 4. Nothing was changed."}) || a.Files.Names().String() != "images.gz and 2 more" {
		t.Errorf("a broken file leaves %q and says %q", a.Files.Names(), got)
	}
	if got := len(a.Jobs.Page.StartMessages()); got != 1 {
		t.Errorf("a new engine is told of %d sets of files, want 1", got)
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("mended.csv")})
	p.SendText(pagetest.AboutFiles, wire.Accepted, "csv 20 rows of 4 clients in 2 groups")
	if got := noticed(a); a.Files.Names().String() != "mended.csv" || len(got) > 0 {
		t.Errorf("with %q in its place, the broken file leaves %q", a.Files.Names(), got)
	}
}
