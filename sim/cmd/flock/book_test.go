//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
)

// inFolder runs the built program in a folder, which gets its results files, and returns what it prints.
func inFolder(t *testing.T, dir string, args ...string) (out, errs string) {
	t.Helper()
	cmd := program(t, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &stderr)
	}
	return stdout.String(), stderr.String()
}

// machine is what a page says of the computer that made it.
var machine = regexp.MustCompile(`by flock [^,]*, |The times of its .* add up to [^.]*\.`)

// pagesOf returns the pages of a book, but for their records and outcomes, without what differs from one computer and hour to
// the next.
func pagesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*", "results/*"} {
		names, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".json") {
				continue // the folder of pages
			}
			rel, _ := filepath.Rel(folder, name)
			out[rel] = machine.ReplaceAllString(string(text), "")
		}
	}
	return out
}

// A book has a page for each table and one with a row for each, which links to it. Numbers link to the page beside it,
// and a reduced form has none of the paper's numbers.
func TestBook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, format := range []string{"markdown", "html"} {
		inFolder(t, dir, "reproduce", "-reduced", "-format", format, "-book", "book", "cflgp-fig1b", "cflgp-fig1d")
	}
	pages := pagesOf(t, filepath.Join(dir, "book"))
	if len(pages) != 6 {
		t.Fatalf("the book has %d pages, want 6", len(pages))
	}
	for name, text := range pages {
		ending := filepath.Ext(name)
		for _, never := range []string{"localhost", "Paper and Flockscope", "0.04 at best"} {
			if strings.Contains(text, never) {
				t.Errorf("%s says %q", name, never)
			}
		}
		if strings.HasPrefix(name, "results/") {
			link := map[string]string{".md": "](../?data=linreg", ".html": `<a href="../?data=linreg`}[ending]
			if !strings.Contains(text, link) || !strings.Contains(text, "not comparable with the paper") {
				t.Errorf("%s has no number with a relative link, or does not say that it is reduced", name)
			}
			continue
		}
		for _, table := range []string{"cflgp-fig1b", "cflgp-fig1d"} {
			if to := "results/" + table + "-reduced" + ending; !strings.Contains(text, to) || pages[to] == "" {
				t.Errorf("%s has no link to %s, or that is not there", name, to)
			}
		}
		if !strings.Contains(text, "reduced form: not comparable") || !strings.Contains(text, "●") {
			t.Errorf("%s does not count:\n%s", name, text)
		}
	}

	// Costs are measured, whatever is done.
	out, _ := inFolder(t, dir, "reproduce", "-reduced", "-cost", "cflgp-fig1b", "cflgp-fig1c")
	for _, want := range []string{`cflgp-fig1b .* 72 .* 12 clients, 200 rounds, 2 parameters +24 +72, in .* by the clock`,
		`cflgp-fig1c .* 30 .* 12 clients, 200 rounds, 2 parameters +10 +none`,
		`\nall: .* of CPU time`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the costs do not say %s:\n%s", want, out)
		}
	}
}

// A book of what results files have computes nothing, and says which tables have not been run.
func TestBookOfStoredResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inFolder(t, dir, "reproduce", "-reduced", "-book", "one", "cflgp-fig1d")
	_, errs := inFolder(t, dir, "reproduce", "-reduced", "-stored", "-book", "two", "all")
	if files, _ := filepath.Glob(filepath.Join(dir, "*.flock")); len(files) != 1 {
		t.Errorf("it computes: %v\n%s", files, errs)
	}
	one, two := pagesOf(t, filepath.Join(dir, "one")), pagesOf(t, filepath.Join(dir, "two"))
	const page = "results/cflgp-fig1d-reduced.md"
	if len(two) != 2 || one[page] != two[page] {
		t.Errorf("%d pages, want 2, of which one has been run", len(two))
	}
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		row := regexp.MustCompile(`## Not run yet\n(.*\n)*\| ` + regexp.QuoteMeta(s.Title) + ` \| [^|]* \| \d+ \|\n`)
		if s.IsPaper() && s.Name != "cflgp-fig1d" && len(s.Cannot) == 0 && !row.MatchString(two["RESULTS.md"]) {
			t.Errorf("it does not say that %q has not been run", s.Title)
		}
	}
	// Tables that can be run on the files that are given are, and others are drawn, under a heading that says so.
	picture := make([]byte, 1+3*32*32)
	for _, name := range []string{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch"} {
		var batch []byte
		for class := range byte(10) {
			picture[0] = class
			batch = append(batch, picture...)
		}
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "cifar"), 0o755),
			os.WriteFile(filepath.Join(dir, "cifar", name+".bin"), batch, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	inFolder(t, dir, "reproduce", "-stored", "-data", "cifar", "-book", "three", "cflgp-fig1d", "clove-tab17")
	three := pagesOf(t, filepath.Join(dir, "three"))["RESULTS.md"]
	for _, want := range []string{"with two ways to start | as in the paper |", "CLoVE, Table 17: ablations | CIFAR-10 |"} {
		if !strings.Contains(three, want) {
			t.Errorf("the book does not have %s\n%s", want, three)
		}
	}
	if code, _, errs := invoke(t, "reproduce", "-stored", "all"); code != exitInput || !strings.Contains(errs, "-stored goes with -book") {
		t.Errorf("-stored alone: code %d, %s", code, errs)
	}
}

// recordsIn counts the records in the files of results in a folder that another program may be writing to.
func recordsIn(folder string) int {
	anything := func(*plan.Record) error { return nil }
	sum := 0
	names, _ := filepath.Glob(filepath.Join(folder, "*.flock"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if r, err := results.Read(name, data, anything); err == nil && r.Damage() == nil {
			sum += r.Len()
		}
	}
	return sum
}

// A book that is killed twice goes on, and ends with the pages of one that was not.
func TestBookIsKilled(t *testing.T) {
	t.Parallel()
	args := []string{"reproduce", "-reduced", "-book", "book", "cflgp-fig1a", "cflgp-fig1b"}
	whole, killed := t.TempDir(), t.TempDir()
	inFolder(t, whole, args...)
	kept := 0
	for range 2 {
		cmd := program(t, args...)
		cmd.Dir = killed
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for before := kept; kept == before; { // until it has kept more results
			select {
			case err := <-ended:
				t.Fatalf("it ended before it was killed: %v", err)
			default:
			}
			kept = max(kept, recordsIn(killed))
		}
		cmd.Process.Signal(syscall.SIGKILL)
		<-ended
	}
	_, errs := inFolder(t, killed, args...)
	if !strings.Contains(errs, "what it has is not computed again") {
		t.Errorf("it does not go on:\n%s", errs)
	}
	got, want := pagesOf(t, filepath.Join(killed, "book")), pagesOf(t, filepath.Join(whole, "book"))
	if len(got) != len(want) || len(want) != 3 {
		t.Errorf("%d pages, want %d", len(got), len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
}

// A book goes on on another computer, from the records beside its pages. It keeps the rows of tables that are not asked for,
// unless a new version of a table makes them wrong.
func TestBookMoves(t *testing.T) {
	t.Parallel()
	first := t.TempDir()
	inFolder(t, first, "reproduce", "-reduced", "-book", "book", "cflgp-fig1a", "cflgp-fig1b")
	want := pagesOf(t, filepath.Join(first, "book"))
	move := func() (dir string) {
		dir = t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "book"), os.DirFS(filepath.Join(first, "book"))); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	same := func(dir string) {
		t.Helper()
		got := pagesOf(t, filepath.Join(dir, "book"))
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s is another:\n%s\nand was\n%s", name, got[name], want[name])
			}
		}
	}
	one := move()
	if _, errs := inFolder(t, one, "reproduce", "-reduced", "-book", "book", "cflgp-fig1b"); !strings.Contains(errs,
		"holds 72 results; what it has is not computed again") {
		t.Errorf("it does not go on:\n%s", errs)
	}
	same(one)
	// Runs of other tables that are the same are not computed again: Figure 1(a) has some of Figure 1(c).
	if _, errs := inFolder(t, one, "reproduce", "-reduced", "-book", "book", "cflgp-fig1c"); !strings.Contains(errs,
		"what it has is not computed again") {
		t.Errorf("it computes runs of other tables again:\n%s", errs)
	}
	// A results file with fewer runs than the book takes none from it.
	files, _ := filepath.Glob(filepath.Join(first, "cflgp-fig1b*.flock"))
	if len(files) != 1 {
		t.Fatalf("the results files of Figure 1(b) are %v", files)
	}
	fewRecords := func(dir string) {
		all, err := results.OpenToRead(files[0], cluster.CheckRecord)
		if err != nil {
			t.Fatal(err)
		}
		defer all.Close()
		few, err := results.Open(filepath.Join(dir, filepath.Base(files[0])), cluster.CheckRecord)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range all.All() {
			if err == nil {
				_, err = few.Put(r)
			}
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if err := few.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, stored := range []string{"-stored=true", "-stored=false"} {
		dir := move()
		fewRecords(dir)
		if _, errs := inFolder(t, dir, "reproduce", "-reduced", stored, "-book", "book", "cflgp-fig1b"); stored == "-stored=false" &&
			!strings.Contains(errs, "holds 72 results") {
			t.Errorf("it does not take what the book has:\n%s", errs)
		}
		same(dir)
	}
	two := move()
	inFolder(t, two, "reproduce", "-reduced", "-stored", "-book", "book", "cflgp-*")
	if files, _ := filepath.Glob(filepath.Join(two, "*.flock")); len(files) > 0 {
		t.Errorf("-stored writes %v", files)
	}
	delete(want, "RESULTS.md") // which now has the other tables, too
	same(two)
	text := pagesOf(t, filepath.Join(two, "book"))["RESULTS.md"]
	if strings.Count(text, "](results/") != 2 || !strings.Contains(text, "CFL-GP, Figure 1(c)") {
		t.Errorf("the summary is\n%s", text)
	}

	three := move()
	outcomes := filepath.Join(three, "book", "RESULTS.json")
	old, err := os.ReadFile(outcomes) // Figure 1(a) is the first
	if err == nil {
		err = os.WriteFile(outcomes, bytes.Replace(old, []byte(`"version": 1`), []byte(`"version": 0`), 1), 0o644)
	}
	records := filepath.Join(three, "book", "results", "cflgp-fig1b-reduced.jsonl.gz")
	if err := errors.Join(err, os.Truncate(records, 999)); err != nil {
		t.Fatal(err)
	}
	inFolder(t, three, "reproduce", "-reduced", "-stored", "-book", "book", "cflgp-fig1d")
	if text := pagesOf(t, filepath.Join(three, "book"))["RESULTS.md"]; strings.Contains(text, "(results/cflgp-fig1a") ||
		!strings.Contains(text, "(results/cflgp-fig1b") {
		t.Errorf("a row is kept that is not current, or the others are not:\n%s", text)
	}
	cmd := program(t, "reproduce", "-reduced", "-book", "book", "cflgp-fig1b")
	cmd.Dir = three
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "and its runs are computed again") {
		t.Errorf("of damaged records it says\n%s", out)
	}
}

// The committed page on theory is what the command gives, but for its last line, which names the program.
func TestCommittedTheory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes most of a minute")
	}
	withoutLast := func(text string) string {
		text = strings.TrimSpace(text)
		return text[:strings.LastIndex(text, "\n")]
	}
	got, _ := inFolder(t, t.TempDir(), "theory", "-seeds", "10", "-site", bookSite)
	if withoutLast(got) != withoutLast(fileText(t, filepath.Join(root, "sim", "lab", "papers", "THEORY.md"))) {
		t.Error("THEORY.md is not what flock theory gives")
	}
}

// The committed book: every row links to a page that is there, with the records that give it again, numbers link to the page
// beside it, no page of a reduced form has the paper's numbers, and some numbers on drawn samples come out again.
func TestCommittedBook(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(root, "sim", "lab", "papers")
	pages := pagesOf(t, folder)
	summary := pages["RESULTS.md"]
	rows := regexp.MustCompile(`\]\((results/[^)]*)\)`).FindAllStringSubmatch(summary, -1)
	if len(rows) == 0 {
		t.Fatal("the book has no table")
	}
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all { // also those that have not been run
		if s.IsPaper() && !strings.Contains(summary, "(results/"+s.Name) && !strings.Contains(summary, s.Title) {
			t.Errorf("the book does not name %s", s.Name)
		}
	}
	var links [][]string
	seen := map[string]bool{}
	for _, row := range rows {
		text := pages[row[1]]
		if text == "" {
			t.Fatalf("%s is not there", row[1])
		}
		if seen[row[1]] {
			continue // several tables have one page
		}
		seen[row[1]] = true
		if _, err := os.Stat(filepath.Join(folder, strings.TrimSuffix(row[1], ".md")+recordsEnding)); err != nil {
			t.Errorf("%s has no records: %v", row[1], err)
		}
		for _, never := range []string{"localhost", "-reduced"} {
			if strings.Contains(text, never) {
				t.Errorf("%s says %q", row[1], never)
			}
		}
		if !regexp.MustCompile("Made by `flock reproduce[^`]*`, version \\d+ of this sweep").MatchString(text) {
			t.Errorf("%s does not say how it was made", row[1])
		}
		for _, link := range pageLink.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(link[1], "data=samples") {
				links = append(links, link)
			}
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "book"), os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	inFolder(t, dir, "reproduce", "-stored", "-book", "book", "all")
	for name, text := range pagesOf(t, filepath.Join(dir, "book")) {
		if text != pages[name] {
			t.Errorf("%s is not what its records give", name)
		}
	}
	want, err := os.ReadFile(filepath.Join(folder, "RESULTS.json"))
	if got, _ := os.ReadFile(filepath.Join(dir, "book", "RESULTS.json")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("RESULTS.json is not what records give: %v", err)
	}
	for i := range min(10, len(links)) {
		link := links[i*len(links)/10]
		var out, errs bytes.Buffer
		if code := flock(t.Context(), []string{"run", strings.ReplaceAll(link[1], "%7C", "|")}, &out, &errs); code != exitOK {
			t.Fatalf("%s: %s", link[1], &errs)
		}
		if !strings.Contains(out.String(), `"result":"`+link[2]+`"`) {
			t.Errorf("%s does not give %s", link[1], link[2])
		}
	}
}
