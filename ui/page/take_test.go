package page_test

import (
	"bytes"
	"context"
	stdcsv "encoding/csv"
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/runfile"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// given returns the contents of a file that must exist.
func given(t *testing.T, a *pagetest.Page, format string) host.File {
	t.Helper()
	f, err := a.Export.File(format)
	if err != nil || len(f.Data) == 0 {
		t.Fatalf("%s: %d bytes, %v", format, len(f.Data), err)
	}
	return f
}

// The numbers are those of the frames, in fixed columns.
func TestNumbers(t *testing.T) {
	a, p := open(t, "T=20&algos=cflgp,ifca")
	p.EditFrame = func(h *trace.Header, lane int, f *trace.Frame) { f.Loss = 0.5 + float64(f.Round)/8 + float64(lane) }
	p.Finish()
	rows, err := stdcsv.NewReader(bytes.NewReader(given(t, a, "csv").Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != "lane,round,ari,misplaced,loss,accuracy,clusters,up,down,computed" {
		t.Errorf("the columns are %s", got)
	}
	if len(rows) != 1+2*21 || rows[1+21+4][0] != "ifca" || rows[1+21+4][1] != "4" || rows[1+21+4][4] != "2" ||
		rows[5][5] != "" {
		t.Errorf("%d rows, of which one is %q", len(rows), rows[1+21+4])
	}
	var doc struct {
		Query, Fingerprint string
		Clients, Rounds    int
		Groups             []int
		Lanes              []struct {
			ID, Fingerprint string
			Settled         *int
			Rounds          []struct {
				Round    int
				ARI      *float64
				Loss     float64
				Accuracy *float64
				Labels   []uint16
			}
		}
	}
	if err := stdjson.Unmarshal(given(t, a, "json").Data, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Query != a.Config.String() || doc.Fingerprint != a.Fingerprint() || doc.Clients != 12 ||
		len(doc.Groups) != 12 || len(doc.Lanes) != 2 {
		t.Errorf("the JSON begins as %+v", doc)
	}
	for lane, l := range doc.Lanes {
		track := &a.Run.Tracks[lane]
		if len(l.Rounds) != 21 || len(l.Fingerprint) != 16 {
			t.Fatalf("lane %s has %d rounds and the fingerprint %q", l.ID, len(l.Rounds), l.Fingerprint)
		}
		for i, r := range l.Rounds {
			f := &track.Frames[i]
			if r.Round != i || *r.ARI != f.ARI || r.Loss != f.Loss || r.Accuracy != nil ||
				!slices.Equal(r.Labels, f.Label) {
				t.Errorf("lane %s, round %d is %+v, want %+v", l.ID, i, r, f.Metrics)
			}
		}
	}
}

// Without known groups there are neither ARI nor misplaced clients.
func TestNumbersWithoutTruth(t *testing.T) {
	a, p := open(t, "T=3")
	p.NoTruth = true
	p.Finish()
	if got := string(given(t, a, "csv").Data); !strings.Contains(got, "cflgp,1,,,") {
		t.Errorf("without groups the numbers are\n%s", got)
	}
	if got := string(given(t, a, "json").Data); !strings.Contains(got, `"groups":null`) ||
		!strings.Contains(got, `"ari":null`) || !stdjson.Valid([]byte(got)) {
		t.Errorf("without groups the numbers are\n%s", got)
	}
}

// Values without evaluation are empty or null: losses and accuracies, in files and for the
// surrounding page.
func TestNumbersNotEvaluated(t *testing.T) {
	a, _ := ready(t, "data=digits&T=7&algos=fedavg")
	rows, err := stdcsv.NewReader(bytes.NewReader(given(t, a, "csv").Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Lanes []struct {
			Rounds []struct{ Loss, Accuracy *float64 }
		}
	}
	if err := stdjson.Unmarshal(given(t, a, "json").Data, &doc); err != nil {
		t.Fatal(err)
	}
	for round, r := range rows[1:] {
		known := round%5 == 0 || round == 7
		j := doc.Lanes[0].Rounds[round]
		if (r[4] != "") != known || (r[5] != "") != known || (j.Loss != nil) != known || (j.Accuracy != nil) != known {
			t.Errorf("round %d is %q and %+v", round, r, j)
		}
		a.Do(Seek{Round: round})
		lane := a.Posts(ParentCall{Kind: "get"})[0]["lanes"].([]any)[0].(map[string]any)
		if (lane["loss"] != nil) != known || (lane["accuracy"] != nil) != known {
			t.Errorf("of round %d the page around hears %v", round, lane)
		}
	}
}

// A lane that does not cluster has no verdict, though its frames have numbers; the lane beside it
// has one, and both have losses and labels.
func TestNumbersWithoutClusters(t *testing.T) {
	a, _ := ready(t, "T=3&algos=local,cflgp")
	rows, err := stdcsv.NewReader(bytes.NewReader(given(t, a, "csv").Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		if alone := r[0] == "local"; (r[2] == "") != alone || (r[3] == "") != alone || r[4] == "" || r[6] == "" {
			t.Errorf("one row is %q", r)
		}
	}
	var doc struct {
		Lanes []struct {
			ID      string
			Settled *int
			Rounds  []struct {
				ARI, Misplaced, Loss *float64
				Labels               []uint16
			}
		}
	}
	if err := stdjson.Unmarshal(given(t, a, "json").Data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, l := range doc.Lanes {
		alone := l.ID == "local"
		if (l.Settled == nil) != alone {
			t.Errorf("%s is settled from round %v", l.ID, l.Settled)
		}
		for _, r := range l.Rounds {
			if (r.ARI == nil) != alone || (r.Misplaced == nil) != alone || r.Loss == nil || len(r.Labels) != 12 {
				t.Errorf("one round of %s is %+v", l.ID, r)
			}
		}
	}
	for _, report := range a.Posts(ParentCall{Kind: "get"})[0]["lanes"].([]any) {
		lane := report.(map[string]any)
		if alone := lane["id"] == "local"; (lane["ari"] == nil) != alone || (lane["misplaced"] == nil) != alone ||
			(lane["settled"] == nil) != alone {
			t.Errorf("the page around hears %v", lane)
		}
	}
}

func TestMissingExports(t *testing.T) {
	a, p := open(t, "T=20")
	if _, err := a.Export.File("csv"); err != ErrNoRun {
		t.Errorf("before a run: %v", err)
	}
	p.Rounds(p.Last(), -1, 5)
	if _, err := a.Export.File("run"); err != ErrNotDone {
		t.Errorf("half a run: %v", err)
	}
	for _, format := range []string{"gif", ""} {
		if _, err := a.Export.File(format); err != ErrNoFormat {
			t.Errorf("%q: %v, want %v", format, err, ErrNoFormat)
		}
	}
	for kind, lane := range map[string]int{"sky": 0, "map": 7, "timeline": 0, "": 0} {
		if p, ok := a.Export.Picture(kind, lane); ok {
			t.Errorf("%q of lane %d is %v", kind, lane, p)
		}
	}
}

// The citation is about the methods and data of the run.
func TestCitation(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,fedem&dphi=8")
	a.Export.Home = "https://host/"
	for format, wants := range map[string][]string{
		"txt": {"https://host/?data=linreg&dphi=8&algos=cflgp,fedem&t=0, result " + a.Fingerprint(), "(2024)", "Marfoq"},
		"bib": {"@misc{flockscope,", "@inproceedings{cflgp2024,", "@inproceedings{fedem2021,", "Kim, Heasung and Kim, Hyeji and de Veciana, Gustavo}",
			"Marfoq, Othmane and Neglia, Giovanni and Bellet, Aurélien", "booktitle = {Advances in Neural Information Processing Systems}",
			"year = {2021}"},
		"sh": {"flock run 'data=linreg&dphi=8&algos=cflgp,fedem'"},
	} {
		text := string(given(t, a, format).Data)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q:\n%s", format, want, text)
			}
		}
		if strings.Count(text, "{") != strings.Count(text, "}") {
			t.Errorf("%s has braces that do not match:\n%s", format, text)
		}
	}
}

// A run in progress does not replace a file opened meanwhile.
func TestRunFileWins(t *testing.T) {
	a, _ := ready(t, "T=30&algos=clove")
	pagetest.Fingerprint(a.Run)
	file := given(t, a, "run")
	b, p := open(t, "algos=ifca")
	b.Do(OpenFiles{Files: []wire.NamedFile{{Name: "x.flock", Data: file.Data}}})
	p.Finish()
	if got := b.Run.Header.Query; got != "data=linreg&T=30&algos=clove" {
		t.Errorf("the page shows %q", got)
	}
}

// The page shows the file of `flock run -save` without an engine, also if the models are convolutional networks, and
// exports the same bytes.
func TestSavedRun(t *testing.T) {
	c, problems := catalog.Schema().Parse("data=shapes&n=80&net=lenet&exam=4&C=4&b=4&probe=4&T=2&algos=cflgp,ifca")
	if problems != nil {
		t.Fatal(problems)
	}
	run, err := engine.Record(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	saved := runfile.Write(run)
	a, p := ready(t, "dphi=5")
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "saved.run", Data: saved}}})
	if a.Config.String() != c.String() || len(p.Requests) != 1 || len(noticed(a)) > 0 {
		t.Fatalf("the page shows %s after %d requests, and says %q", a.Config, len(p.Requests), noticed(a))
	}
	a.Do(Seek{2})
	if !a.Run.Done() || a.Shown() != 2 || !bytes.Equal(given(t, a, "run").Data, saved) {
		t.Error("the page shows another run")
	}
}

// Invalid run files change nothing.
func TestBrokenRunFiles(t *testing.T) {
	a, _ := ready(t, "T=30&algos=cflgp,clove")
	pagetest.Fingerprint(a.Run)
	whole := given(t, a, "run").Data
	broken := map[string][]byte{
		"cut":     whole[:len(whole)-9],
		"head":    []byte("flockscope run 1\n"),
		"later":   bytes.Replace(whole, []byte("run 1"), []byte("run 9"), 1),
		"half":    whole[:len(whole)/2],
		"another": bytes.Replace(whole, []byte("clove"), []byte("glove"), 1),
	}
	flipped := slices.Clone(whole)
	flipped[len(whole)/2] ^= 4 // somewhere in a frame
	broken["flipped"] = flipped
	for name, data := range broken {
		b, p := ready(t, "dphi=5")
		before := b.Run
		b.Do(OpenFiles{Files: []wire.NamedFile{{Name: "x.flock", Data: data}}})
		if b.Run != before || len(p.Requests) != 1 {
			t.Errorf("%s: the page shows another run, or asked for one", name)
		}
		if got := noticed(b); len(got) != 1 || !strings.HasPrefix(got[0], "x.flock cannot be shown: it is ") {
			t.Errorf("%s is noticed as %q", name, got)
		}
	}
}
