package page_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Files set the settings that they require.
func TestFilesNeedSettings(t *testing.T) {
	a, p := ready(t, "T=30")
	a.Do(OpenFiles{Files: pagetest.NamedFiles("words.svmlight")})
	p.SendText(NoRunID, wire.Accepted, "samples&shift=none&net=linear 6000 samples of 5000 numbers")
	if a.Config.Workload() != "samples" || a.Config.Value("shift") != "none" || a.Config.Value("net") != "linear" ||
		a.Files.Words().String() != "6000 samples of 5000 numbers" {
		t.Errorf("taken, the settings are %s and the words %q", a.Config.String(), a.Files.Words())
	}
	before := a.Config.String()
	a.Do(OpenFiles{Files: pagetest.NamedFiles("y")})
	p.SendText(NoRunID, wire.Accepted, "samples&colour=red 3 samples")
	if a.Config.String() != before || a.Files.Names().String() != "words.svmlight" || len(noticed(a)) != 1 {
		t.Errorf("files that need what nobody knows leave %q, %q", a.Config.String(), noticed(a))
	}
}

// Invalid answers of an engine change nothing.
func TestInvalidFileAnswers(t *testing.T) {
	a, p := ready(t, "T=30")
	before := a.Config.String()
	a.Do(OpenFiles{Files: pagetest.NamedFiles("x")})
	p.SendText(NoRunID, wire.Accepted, "poetry in three lines")

	if a.Config.String() != before || a.Files.InUse() != nil || len(noticed(a)) != 1 {
		t.Errorf("files for data that nobody knows leave %q, %q", a.Config.String(), noticed(a))
	}
	a.Do(OpenFiles{Files: nil})
	if a.Files.PendingAnswers() != 0 {
		t.Error("no files are offered")
	}
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "huge", Data: make([]byte, MaxFiles+1)}}})
	if a.Files.PendingAnswers() != 0 || len(p.Files) != 1 || noticed(a)[len(noticed(a))-1] != "Too large: huge, 201 MB; the most is 200 MB. Nothing was changed." {
		t.Errorf("too large a file is noticed as %q", noticed(a))
	}
}

// Removing files resets the settings that they require.
func TestForcedSettings(t *testing.T) {
	a, p := ready(t, "data=digits&net=cnn&T=30")
	a.Do(OpenFiles{Files: pagetest.NamedFiles("words.svmlight")})
	p.SendText(NoRunID, wire.Accepted, "samples&shift=none&net=linear 6000 samples of 5000 numbers")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "linear none" {
		t.Errorf("with numbers to predict, the model and the shift are %s", got)
	}
	set(t, a, "data", "digits")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "cnn rotations" {
		t.Errorf("at the digits again, the model and the shift are %s", got)
	}
	set(t, a, "data", "samples")
	set(t, a, "shift", "corruptions")
	a.Do(OpenFiles{Files: pagetest.NamedFiles("images.gz", "labels.gz")})
	p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "cnn corruptions" {
		t.Errorf("with images instead, the model and the shift that was chosen meanwhile are %s", got)
	}
	a.Do(OpenFiles{Files: pagetest.NamedFiles("shops.csv")})
	p.SendText(NoRunID, wire.Accepted, "samples&split=writers&C=3&K=2&shift=none 130 samples of 2 numbers in 2 classes by 3 writers in 2 groups")
	lent := func() string {
		return strings.Join([]string{a.Config.Value("split"), a.Config.Value("C"), a.Config.Value("K"),
			a.Config.Value("shift")}, " ")
	}
	if got := lent(); got != "writers 3 2 none" {
		t.Errorf("with writers in groups, split, C, K and shift are %s", got)
	}
	a.Do(OpenFiles{Files: pagetest.NamedFiles("images.gz", "labels.gz")})
	p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if got := lent(); got != "even 16 4 corruptions" {
		t.Errorf("with images again, split, C, K and shift are %s", got)
	}
}

// Opening files is a step of undo like any setting.
func TestFilesUndone(t *testing.T) {
	a, p := ready(t, "T=30")
	var sent []string
	p.OnSend = func(engine int, message []byte) {
		_, records, _ := wire.Open(message)
		for kind, payload := range records {
			if f, ok := wire.OpenFile(payload); kind == wire.File && ok {
				sent = append(sent, f.Name)
			}
		}
	}
	bring := func(name string) {
		a.Do(OpenFiles{Files: pagetest.NamedFiles(name)})
		p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
		p.Finish()
	}
	bring("a")
	bring("b") // the same settings, other data
	if !slices.Equal(sent, []string{"a", "b"}) || len(p.Requests) != 3 {
		t.Fatalf("two files are sent as %q, %d runs asked for", sent, len(p.Requests))
	}
	a.Do(Undo{})
	p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if a.Files.Names().String() != "a" || !slices.Equal(sent, []string{"a", "b", "a"}) || len(p.Requests) != 4 ||
		a.Files.PendingAnswers() != 0 {
		t.Errorf("undone, the file is %q, sent were %q, %d runs asked for, %d answers due", a.Files.Names(), sent,
			len(p.Requests), a.Files.PendingAnswers())
	}
	p.Finish()
	a.Do(Redo{})
	p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if a.Files.Names().String() != "b" || len(sent) != 4 || len(p.Requests) != 5 {
		t.Errorf("redone, the file is %q, sent were %q", a.Files.Names(), sent)
	}
	p.Finish()

	// The newest files win, even if earlier ones are being sent again.
	a.Do(OpenFiles{Files: pagetest.NamedFiles("c")})
	a.Do(Undo{})
	for range 2 {
		p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	}
	if a.Files.Names().String() != "c" || sent[len(sent)-1] != "c" {
		t.Errorf("the files in use are %q, sent were %q", a.Files.Names(), sent)
	}
	for range 3 {
		a.Do(Undo{})
	}
	if a.Config.Workload() != "linreg" {
		t.Errorf("all undone, the data are %s", a.Config.Workload())
	}
	if p.SendText(NoRunID, wire.Accepted, "samples 3 images"); a.Config.Workload() != "linreg" {
		t.Error("an answer about files in use changed the data")
	}
}

// Undo goes back as far as MaxFiles allows for the files of its steps, and a step never shows files
// of another.
func TestFilesForgotten(t *testing.T) {
	for _, tt := range []struct {
		size int // of a file
		want string
	}{{10, "dcba"}, {MaxFiles * 2 / 5, "dc"}} {
		a, p := ready(t, "T=30")
		data := make([]byte, tt.size)
		for i, name := range []string{"a", "b", "c", "d", "e"} {
			a.Do(OpenFiles{Files: []wire.NamedFile{{Name: name, Data: data}}})
			p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
			p.Finish()
			set(t, a, "T", strconv.Itoa(i+1))
			p.Finish()
		}
		got := ""
		for a.Settings.CanUndo() {
			before := a.Files.Names()
			a.Do(Undo{})
			if now := a.Files.Names(); now != before {
				got += now.String()
				p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
			}
			p.Finish()
			if turn := a.Config.Value("T"); a.Config.NeedsFile() &&
				!strings.Contains(map[string]string{"a": "30 1", "b": "1 2", "c": "2 3", "d": "3 4",
					"e": "4 5"}[a.Files.Names().String()], turn) {
				t.Errorf("files of %d bytes: %s is shown with the settings of T=%s", tt.size, a.Files.Names(), turn)
			}
		}
		if got != tt.want {
			t.Errorf("files of %d bytes: undo brings back %q, want %q", tt.size, got, tt.want)
		}
	}
}

// Files without a run can be undone at once.
func TestUndoOfRefusedFiles(t *testing.T) {
	a, p := ready(t, "T=30")
	a.Do(OpenFiles{Files: pagetest.NamedFiles("mnist")})
	p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	p.Finish()
	a.Do(OpenFiles{Files: pagetest.NamedFiles("few")})
	p.SendText(NoRunID, wire.Accepted, "samples 10 images of 28 × 28 in 10 classes")
	id := p.Last().ID
	p.SendText(id, wire.Suggestion, "C=5")
	p.SendText(id, wire.Refused, `C: got "16", want at most 5 (few has 10 samples)`)
	var words []string
	for _, w := range a.Notices[0].Actions {
		words = append(words, w.Label.String())
	}
	if !slices.Equal(words, []string{"Set Clients C to 5", "Back to mnist"}) {
		t.Fatalf("too few samples are answered by %q", words)
	}
	a.Do(RunAction{Notice: 0, Action: 1})
	if a.Files.Names().String() != "mnist" || p.Last().ID == id {
		t.Errorf("taken back, the file is %q", a.Files.Names())
	}
}

// Packed results go to an engine like data. It unpacks them, and the sheet shows them; the data in use stay.
func TestPackedResults(t *testing.T) {
	a, p := ready(t, "T=30")
	before := a.Config.String()
	config, _ := a.Schema.Parse("data=linreg&T=30")
	cell := plan.CellOf(config, 0, "")
	record := cell.Failed("a reason")
	text, err := record.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text, sheet string
		notices     []string
	}{
		{"nothing\n", "", []string{"results.jsonl.gz has no complete result of a sweep. Nothing was changed."}},
		{string(text) + "\n", "sweep", nil},
	} {
		a.Do(OpenFiles{Files: pagetest.NamedFiles("results.jsonl.gz")})
		if a.Files.PendingAnswers() != 1 {
			t.Fatalf("%d answers are due", a.Files.PendingAnswers())
		}
		p.SendText(NoRunID, wire.Unpacked, tt.text)
		if got := noticed(a); a.Sheet != tt.sheet || !slices.Equal(got, tt.notices) || a.Files.PendingAnswers() != 0 ||
			a.Files.InUse() != nil || a.Config.String() != before {
			t.Errorf("%q opens the sheet %q, notices %q; %d answers are due", tt.text, a.Sheet, got, a.Files.PendingAnswers())
		}
	}
	if r := a.Jobs.Sweep.Results; r == nil || len(r.Rows) != 1 {
		t.Errorf("the sheet shows %+v", r)
	}
}

// Files being read are named until they have arrived, cannot be read or are refused.
func TestReadingWords(t *testing.T) {
	a, p := ready(t, "T=30")
	a.Do(ReadFiles{Names: "big.gz", Size: 1})
	if got := a.Files.ReadingWords(); got != "Reading big.gz …" {
		t.Errorf("reading, the page says %q", got)
	}
	a.Do(OpenFiles{Files: pagetest.NamedFiles("big.gz")})
	if got := a.Files.ReadingWords(); got != "Reading big.gz …" {
		t.Errorf("while the engine reads, the page says %q", got)
	}
	p.SendText(NoRunID, wire.Refused, "big.gz: it is empty")
	if got := a.Files.ReadingWords(); got != "" {
		t.Errorf("after an answer the page says %q", got)
	}
	a.Do(ReadFiles{Names: "x"})
	a.Do(ReadFailed{Names: "x"})
	if got := a.Files.ReadingWords(); got != "" ||
		!slices.Equal(noticed(a), []string{"x could not be read. Nothing was changed."}) {
		t.Errorf("unreadable, the page says %q, notices %q", got, noticed(a))
	}
}

// The surrounding page does not get runs of the user's files.
func TestRunsOfFilesArePrivate(t *testing.T) {
	for _, query := range []string{"data=samples", "data=csv"} {
		a, p := ready(t, "T=30")
		if a.Export.HasOwnFiles() {
			t.Error("a simulated run counts as one of the user's files")
		}
		a.Do(OpenFiles{Files: pagetest.NamedFiles("x")})
		p.SendText(NoRunID, wire.Accepted, strings.TrimPrefix(query, "data=")+" 2500 of them")
		p.Finish()
		if !a.Export.HasOwnFiles() || !strings.Contains(a.Export.Command(), "-data FILE ") {
			t.Errorf("%s: the run counts as simulated, and its command is %s", query, a.Export.Command())
		}
	}
}
