package page_test

import (
	"slices"
	"testing"

	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// longRun returns a page with a run that took six seconds, and its engines.
func longRun(t *testing.T, query string) (*pagetest.Page, *pagetest.Engines) {
	t.Helper()
	a, p := open(t, query)
	finishLong(a, p)
	return a, p
}

// finishLong finishes the newest request, which takes six seconds.
func finishLong(a *pagetest.Page, p *pagetest.Engines) {
	run := p.Last()
	p.EditSummary = nil
	p.Rounds(run, -1, a.Config.Values(-1).Int("T"))
	p.EditSummary = pagetest.FingerprintOf(a.Run)
	p.Time += 6000
	p.End(run)
}

// A long run is stored, and opens at once when its link is opened again, without an engine.
func TestStoredRun(t *testing.T) {
	const query = "data=digits&T=12&algos=cflgp,ifca"
	a, p := longRun(t, query)
	if len(p.StoredRuns) != 1 {
		t.Fatalf("%d runs are stored, want 1", len(p.StoredRuns))
	}
	var key string
	for key = range p.StoredRuns {
	}
	before := given(t, a, "run").Data

	b, q := pagetest.New(t, query)
	b.Do(Begin{StoredRuns: `[["` + key + `",1234]]`})
	if len(q.Requests) > 0 || !slices.Equal(q.RecalledRuns, []string{key}) {
		t.Fatalf("opened again, the page requests %v and recalls %v", q.Requests, q.RecalledRuns)
	}
	b.Do(RunRecalled{key, p.StoredRuns[key]})
	if !b.Runs.Complete() || !slices.Equal(given(t, b, "run").Data, before) || b.Runs.RunTime() != 6000 {
		t.Error("the page shows another run")
	}
	if got := noticed(b); !slices.Equal(got, []string{"This run is stored in this browser. It took 6 s to compute."}) {
		t.Errorf("the page says %q", got)
	}
	b.Do(RunAction{0, 0})
	if len(q.Requests) != 1 || len(q.RecalledRuns) != 1 || len(noticed(b)) > 0 {
		t.Errorf("computed again: %v, recalled %v, and the page says %q", q.Requests, q.RecalledRuns, noticed(b))
	}
	q.Finish()
	set(t, b, "lr", "0.2")
	if len(q.Requests) != 2 {
		t.Errorf("another setting is not computed: %v", q.Requests)
	}
}

// A stored run that is gone or damaged is computed, and one that is no longer wanted is not shown.
func TestStoredRunIsGone(t *testing.T) {
	const query = "data=digits&T=12&algos=cflgp,ifca"
	_, p := longRun(t, query)
	for key, data := range p.StoredRuns {
		for name, data := range map[string][]byte{"gone": nil, "cut": data[:len(data)-9], "another": []byte("1\nflockscope run 9\n")} {
			a, q := pagetest.New(t, query)
			a.Do(Begin{StoredRuns: key})
			a.Do(RunRecalled{key, data})
			if len(q.Requests) != 1 || len(noticed(a)) > 0 {
				t.Errorf("%s: requests %v, and the page says %q", name, q.Requests, noticed(a))
			}
		}
		a, q := pagetest.New(t, query)
		a.Do(Begin{StoredRuns: key})
		set(t, a, "lr", "0.2")
		a.Do(RunRecalled{key, data})
		if len(q.Requests) != 1 || q.Last().Query != a.Config.String() {
			t.Errorf("after another setting the page requests %v", q.Requests)
		}
	}
}

// Short runs are not stored, and a user's file is part of the key.
func TestWhatIsStored(t *testing.T) {
	a, p := ready(t, "data=digits&T=12")
	if len(p.StoredRuns) > 0 {
		t.Error("a short run is stored")
	}
	for _, content := range []string{"one", "two", "two"} {
		a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "a.csv", Data: []byte(content)}}})
		p.SendText(pagetest.AboutFiles, wire.Accepted, "csv 4 rows of 3 clients")
		if len(p.RecalledRuns) == 0 {
			finishLong(a, p)
		}
	}
	if len(p.StoredRuns) != 2 || len(p.RecalledRuns) != 1 {
		t.Errorf("of two files %d runs are stored, and %d recalled", len(p.StoredRuns), len(p.RecalledRuns))
	}
	// Nobody knows whether the engines compute this run of the files before or of the next ones.
	for key, data := range p.StoredRuns {
		a.Do(RunRecalled{key, data})
	}
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "a.csv", Data: []byte("three")}}})
	set(t, a, "lr", "0.03")
	finishLong(a, p)
	if len(p.StoredRuns) != 2 {
		t.Error("a run is stored while other files are on their way")
	}
}
