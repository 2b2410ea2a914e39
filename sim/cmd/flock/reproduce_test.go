//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	arenalab "flockscope/sim/lab/arena"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
)

// The reduced forms of all sweeps run. Some claims name rows that only the full form has; others have pairs to be judged by.
// Results are kept in .build/papers for as long as the program is the same, so that a test
// that was stopped goes on.
func TestClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many minutes")
	}
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	dir := resultsDir(t)
	for _, s := range all {
		if len(s.Cannot) > 0 || s.OnlyFiles() {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			n := &namedSweep{command: "reproduce", reduced: true}
			s := s.Small()
			n.sweep.out = filepath.Join(dir, s.Name+".flock")
			n.sweep.shards, n.sweep.workers = "", ""
			var errs bytes.Buffer
			drawn := sweepOnData{Sweep: s}
			err := n.compute(t.Context(), drawn, io.Discard, &errs, func(_ io.Writer, study *report.Study) error {
				for _, note := range study.Notes {
					t.Error(note)
				}
				if judged := func(c papers.Claim) bool { return s.Judge(&c, study).N > 0 }; len(s.Claims) > 0 &&
					!slices.ContainsFunc(s.Claims, judged) {
					t.Errorf("%s: no claim has pairs", s.Name)
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, &errs)
			}
		})
	}
}

// resultsDir returns the folder of results of this very program, and removes those of others.
func resultsDir(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		t.Fatal(err)
	}
	parent := filepath.Join(root, ".build", "papers")
	dir := filepath.Join(parent, hex.EncodeToString(h.Sum(nil)[:8]))
	others, _ := filepath.Glob(filepath.Join(parent, "*"))
	for _, other := range others {
		if other != dir {
			if err := os.RemoveAll(other); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pageLink is a number of a committed report, or of a book.
var pageLink = regexp.MustCompile(`\((?:` + regexp.QuoteMeta(defaultSite) + `|` + regexp.QuoteMeta(bookSite) + `)\?([^ ]*) "fingerprint ([0-9A-F-]+)[^"]*"\)`)

// However many runs the full arena has, it prints its report, also of what there is when
// it is stopped.
func TestFullArenaIsPrinted(t *testing.T) {
	t.Parallel()
	s, err := papers.Find(papers.Arena)
	if err != nil {
		t.Fatal(err)
	}
	s.Seeds *= 10
	p, _, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if p.Cells() <= cluster.MaxUnkept {
		t.Fatalf("%d cells are too few to tell", p.Cells())
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	flags := sweepFlags{out: filepath.Join(t.TempDir(), "arena.flock")}
	called := false
	err = flags.play(stopped, p, nil, io.Discard, nil, func(io.Writer, *results.Table) error {
		called = true
		return nil
	})
	if !called || !errors.Is(err, context.Canceled) {
		t.Errorf("printed: %v; %v", called, err)
	}
}

// Runs in the arena's committed records come out again, and the committed page is what these records give.
func TestCommittedArena(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(root, "sim", "lab", "papers")
	sources, err := (&cluster.Damaged{}).Sources([]string{filepath.Join(folder, arenalab.RecordsFile)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn := slices.DeleteFunc(sources[0].Records, func(r plan.Record) bool { return r.Data != "" })
	some := 6
	if !testing.Short() {
		some = 60
	}
	for i := range some {
		r := &drawn[(2*i+1)*len(drawn)/(2*some)]
		var out, errs bytes.Buffer
		if code := flock(t.Context(), []string{"run", r.Query}, &out, &errs); code != exitOK {
			t.Fatalf("%s: %s", r.Query, &errs)
		}
		if !strings.Contains(out.String(), `"result":"`+r.Fingerprint+`"`) {
			t.Errorf("%s does not give %s", r.Query, r.Fingerprint)
		}
	}
	if testing.Short() {
		return
	}
	made := t.TempDir()
	if code, _, errs := invoke(t, "page", "-o", made, filepath.Join(folder, arenalab.RecordsFile)); code != exitOK {
		t.Fatal(errs)
	}
	files, err := os.ReadDir(made)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if fileText(t, filepath.Join(made, f.Name())) != fileText(t, filepath.Join(folder, f.Name())) {
			t.Errorf("%s is not what the records give; flock page makes it", f.Name())
		}
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Pages of the book that were computed on real files name them, their owners and the command, and have nothing of drawn
// samples. Their numbers cannot be computed here, without the files.
func TestCommittedBookOnFiles(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "sim", "lab", "papers", "results", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	onFiles := 0
	for _, page := range pages {
		text := fileText(t, page)
		if !strings.Contains(text, "data=samples") {
			continue
		}
		onFiles++
		for _, want := range []string{"Made by `flock reproduce -data ", "SHA-256 ", " is part of this report"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", page, want)
			}
		}
		for _, link := range pageLink.FindAllStringSubmatch(text, -1) {
			c, problems := catalog.Schema().Parse(strings.ReplaceAll(link[1], "%7C", "|"))
			if len(problems) > 0 || c.Workload() != "samples" {
				t.Errorf("%s: data=%s, %v", link[1], c.Workload(), problems)
			}
		}
	}
	if onFiles < 10 {
		t.Errorf("%d pages are on real files", onFiles)
	}
}

// The list of what can be reproduced names every sweep but the arena and the studies beside it.
func TestReproduceList(t *testing.T) {
	t.Parallel()
	code, list, errs := invoke(t, "reproduce", "-list")
	if code != exitOK {
		t.Fatal(errs)
	}
	files, err := filepath.Glob("../../lab/papers/sweeps/*.sweep")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d sweeps, error %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sweep")
		if listed := strings.Contains("\n"+list, "\n"+name+" "); listed == strings.HasPrefix(name, papers.Arena) {
			t.Errorf("the list names %s: %v", name, listed)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"reproduce"}, "flock reproduce -list"},
		{[]string{"reproduce", "nothing"}, "flock reproduce -list"},
		{[]string{"reproduce", "-o", "x", "clove-fig1", "clove-fig3"}, "one sweep"},
		{[]string{"reproduce", "-format", "csv", "all"}, "markdown, latex or html"},
		{[]string{"reproduce", "-plan", "x", "clove-fig1"}, "a plan of its own"},
		{[]string{"arena", "now"}, "takes no arguments"},
		{[]string{"arena", "-study", "weather"}, "there are k, liars"},
		{[]string{"arena", "-tuned", "-study", "k"}, "no tuned settings"},
	} {
		if code, _, errs := invoke(t, tt.args...); code != exitInput || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: code %d, %s; want %q", tt.args, code, errs, tt.want)
		}
	}
}

// The design of the arena is printed without a run, in each format, and so is that of a study.
func TestArenaDesign(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"arena", "-design"}, "| label groups: Clients of a group hold the same two classes. | label groups |"},
		{[]string{"arena", "-design", "-format", "html"}, `<td class="name">fedavg:oracle</td>`},
		{[]string{"arena", "-design", "-study", "liars"}, "| turns, hidden |"},
	} {
		if code, out, errs := invoke(t, tt.args...); code != exitOK || !strings.Contains(out, tt.want) {
			t.Errorf("%v: code %d, %s; want %q:\n%s", tt.args, code, errs, tt.want, out)
		}
	}
}

// A table of a paper is made by one command, goes on where it was, and has the paper's
// numbers beside ours.
func TestReproduce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.flock")
	code, first, errs := invoke(t, "reproduce", "-reduced", "-o", file, "cflgp-fig1b")
	if code != exitOK {
		t.Fatal(errs)
	}
	for _, want := range []string{"not comparable with the paper", "| cflgp:released | ", "holds",
		"Made by `flock reproduce -reduced cflgp-fig1b`", " runs add up to "} {
		if !strings.Contains(first, want) {
			t.Errorf("the report does not say %q:\n%s", want, first)
		}
	}
	if code, again, errs := invoke(t, "reproduce", "-reduced", "-o", file,
		"cflgp-fig1b"); code != exitOK || again != first ||
		!strings.Contains(errs, "what it has is not computed again") {
		t.Errorf("code %d, %s\n%s", code, errs, again)
	}
	if code, text, errs := invoke(t, "reproduce", "-reduced", "-o", file, "-format", "latex",
		"cflgp-fig1b"); code != exitOK || !strings.Contains(text, `\bottomrule`) {
		t.Errorf("code %d, %s\n%s", code, errs, text)
	}
}
