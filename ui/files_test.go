package ui

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/wire"
	"flockscope/ui/pretend"
)

// Files bring the settings that they need along.
func TestFilesNeedSettings(t *testing.T) {
	a, p := ready(t, "T=30")
	a.OpenFiles(pretend.Named("words.svmlight"))
	p.Say(aboutFile, wire.Accepted, "samples&shift=none&net=linear 6000 samples of 5000 numbers")
	if a.Config.Workload() != "samples" || a.Config.Value("shift") != "none" || a.Config.Value("net") != "linear" || a.OwnFileWords() != "6000 samples of 5000 numbers" {
		t.Errorf("taken, the settings are %s and the words %q", a.Config.String(), a.OwnFileWords())
	}
	before := a.Config.String()
	a.OpenFiles(pretend.Named("y"))
	p.Say(aboutFile, wire.Accepted, "samples&colour=red 3 samples")
	if a.Config.String() != before || a.OwnFileNames() != "words.svmlight" || len(notices(a)) != 1 {
		t.Errorf("files that need what nobody knows leave %q, %q", a.Config.String(), notices(a))
	}
}

// What an engine makes up changes nothing.
func TestFilesForNothing(t *testing.T) {
	a, p := ready(t, "T=30")
	before := a.Config.String()
	a.OpenFiles(pretend.Named("x"))
	p.Say(aboutFile, wire.Accepted, "poetry in three lines")

	if a.Config.String() != before || a.own != nil || len(notices(a)) != 1 {
		t.Errorf("files for data that nobody knows leave %q, %q", a.Config.String(), notices(a))
	}
	a.OpenFiles(nil)
	if len(a.offered) != 0 {
		t.Error("no files are offered")
	}
	a.OpenFiles([]wire.Named{{Name: "huge", Data: make([]byte, MaxFiles+1)}})
	if len(a.offered) != 0 || len(p.Files) != 1 || notices(a)[len(notices(a))-1] != "Too large: huge, 201 MB; the most is 200 MB. Nothing was changed." {
		t.Errorf("too large a file is noticed as %q", notices(a))
	}
}

func TestNamesOfFiles(t *testing.T) {
	for _, tt := range []struct {
		files []wire.Named
		want  string
	}{
		{nil, ""}, {pretend.Named("a"), "a"}, {pretend.Named("a", "b"), "a and b"}, {pretend.Named("a", "b", "c"), "a and 2 more"},
	} {
		if got := offer(tt.files).names(); got != tt.want {
			t.Errorf("names of %d files = %q, want %q", len(tt.files), got, tt.want)
		}
	}
}

func TestAddress(t *testing.T) {
	a, p := open(t, "data=samples&T=30")
	for _, text := range []string{"ftp://host/x", "mnist.gz", "https://", "https://host/a http//b"} {
		a.Notices = nil
		a.OpenAddress(text)
		if len(p.Fetches) != 0 || len(notices(a)) != 1 || !strings.Contains(notices(a)[0], "is no address of a file") {
			t.Errorf("%q asks for %q and is noticed as %q", text, p.Fetches, notices(a))
		}
	}
	a.Notices = nil
	a.OpenAddress("  ")
	a.Fetching.Text = "https://host.org/data/train-images.gz  https://host.org/data/train-labels.gz"
	a.FetchNow()
	if len(p.Fetches) != 1 || len(p.Fetches[0]) != 2 || a.Fetching.Words != "Asking host.org …" || a.FetchWords() != "Stop" {
		t.Errorf("two addresses ask for %q, the page says %+v", p.Fetches, a.Fetching)
	}
	a.Fetched(p.Fetches[0][0], 3<<20, 0)
	unknown := a.Fetching.Words
	a.Fetched(p.Fetches[0][0], 3<<20, 10<<20)
	if unknown != "train-images.gz: 3 MB" || a.Fetching.Words != "train-images.gz: 3 MB of 10 MB" {
		t.Errorf("on the way the page says %q and %q", unknown, a.Fetching.Words)
	}
	a.FetchNow()
	if len(p.Fetches) != 2 || p.Fetches[1] != nil || a.Fetching.Busy || a.Fetching.Words != "" || a.Fetching.Text == "" {
		t.Errorf("given up, the page says %+v", a.Fetching)
	}
	for _, tt := range []struct{ got, want string }{
		{AddressAnswered("https://host.org/x/y.gz?v=1", 404), "host.org answered 404 for y.gz: there is no such file."},
		{AddressAnswered("https://host.org/x/y.gz", 503), "host.org answered 503 for y.gz."},
		{AddressUnreachable("https://host.org/"), "host.org could not be reached, or does not let other pages read its files (CORS). Download https://host.org/ and drop it on the page."},
		{AddressForbidden("https://host.org/y"), "The policy of this site (Content-Security-Policy) keeps the page from loading anything from host.org. Download y and drop it on the page."},
	} {
		if tt.got != tt.want {
			t.Errorf("the reason is %q, want %q", tt.got, tt.want)
		}
	}
	a.FetchFailed("No.")
	if got := notices(a); len(got) != 1 || got[0] != "No. Nothing was changed." {
		t.Errorf("a failure is noticed as %q", got)
	}
}

// What files need goes with them, and what was chosen before comes back.
func TestFilesLendSettings(t *testing.T) {
	a, p := ready(t, "data=digits&net=cnn&T=30")
	a.OpenFiles(pretend.Named("words.svmlight"))
	p.Say(aboutFile, wire.Accepted, "samples&shift=none&net=linear 6000 samples of 5000 numbers")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "linear none" {
		t.Errorf("with numbers to predict, the model and the shift are %s", got)
	}
	set(t, a, "data", "digits")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "cnn rotations" {
		t.Errorf("at the digits again, the model and the shift are %s", got)
	}
	set(t, a, "data", "samples")
	set(t, a, "shift", "corruptions")
	a.OpenFiles(pretend.Named("images.gz", "labels.gz"))
	p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if got := a.Config.Value("net") + " " + a.Config.Value("shift"); got != "cnn corruptions" {
		t.Errorf("with images instead, the model and the shift that was chosen meanwhile are %s", got)
	}
	a.OpenFiles(pretend.Named("shops.csv"))
	p.Say(aboutFile, wire.Accepted, "samples&split=writers&C=3&K=2&shift=none 130 samples of 2 numbers in 2 classes by 3 writers in 2 groups")
	lent := func() string {
		return strings.Join([]string{a.Config.Value("split"), a.Config.Value("C"), a.Config.Value("K"), a.Config.Value("shift")}, " ")
	}
	if got := lent(); got != "writers 3 2 none" {
		t.Errorf("with writers in groups, split, C, K and shift are %s", got)
	}
	a.OpenFiles(pretend.Named("images.gz", "labels.gz"))
	p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if got := lent(); got != "even 16 4 corruptions" {
		t.Errorf("with images again, split, C, K and shift are %s", got)
	}
}

// Files are a step of undo like any setting.
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
		a.OpenFiles(pretend.Named(name))
		p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
		p.Finish()
	}
	bring("a")
	bring("b") // the same settings, other data
	if !slices.Equal(sent, []string{"a", "b"}) || len(p.Asked) != 3 {
		t.Fatalf("two files are sent as %q, %d runs asked for", sent, len(p.Asked))
	}
	a.Undo()
	p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if a.OwnFileNames() != "a" || !slices.Equal(sent, []string{"a", "b", "a"}) || len(p.Asked) != 4 || len(a.offered) != 0 {
		t.Errorf("undone, the file is %q, sent were %q, %d runs asked for, %d answers due", a.OwnFileNames(), sent, len(p.Asked), len(a.offered))
	}
	p.Finish()
	a.Redo()
	p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	if a.OwnFileNames() != "b" || len(sent) != 4 || len(p.Asked) != 5 {
		t.Errorf("redone, the file is %q, sent were %q", a.OwnFileNames(), sent)
	}
	p.Finish()

	// The newest files win, even where earlier ones are on their way again.
	a.OpenFiles(pretend.Named("c"))
	a.Undo()
	for range 2 {
		p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	}
	if a.OwnFileNames() != "c" || sent[len(sent)-1] != "c" {
		t.Errorf("the files in use are %q, sent were %q", a.OwnFileNames(), sent)
	}
	for range 3 {
		a.Undo()
	}
	if a.Config.Workload() != "linreg" {
		t.Errorf("all undone, the data are %s", a.Config.Workload())
	}
	if p.Say(aboutFile, wire.Accepted, "samples 3 images"); a.Config.Workload() != "linreg" {
		t.Error("an answer about files in use changed the data")
	}
}

// Undo goes back as far as there is room for the files that were in use then, and a step
// never shows others than its own.
func TestFilesForgotten(t *testing.T) {
	for _, tt := range []struct {
		size int // of a file
		want string
	}{{10, "dcba"}, {MaxFiles * 2 / 5, "dc"}} {
		a, p := ready(t, "T=30")
		data := make([]byte, tt.size)
		for i, name := range []string{"a", "b", "c", "d", "e"} {
			a.OpenFiles([]wire.Named{{Name: name, Data: data}})
			p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
			p.Finish()
			set(t, a, "T", itoa(i+1))
			p.Finish()
		}
		got := ""
		for a.CanUndo() {
			before := a.OwnFileNames()
			a.Undo()
			if now := a.OwnFileNames(); now != before {
				got += now
				p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
			}
			p.Finish()
			if turn := a.Config.Value("T"); a.Config.NeedsFile() && !strings.Contains(map[string]string{"a": "30 1", "b": "1 2", "c": "2 3", "d": "3 4", "e": "4 5"}[a.OwnFileNames()], turn) {
				t.Errorf("files of %d bytes: %s is shown with the settings of T=%s", tt.size, a.OwnFileNames(), turn)
			}
		}
		if got != tt.want {
			t.Errorf("files of %d bytes: undo brings back %q, want %q", tt.size, got, tt.want)
		}
	}
}

// Files on which no run begins can be taken back at once.
func TestFilesTakenBack(t *testing.T) {
	a, p := ready(t, "T=30")
	a.OpenFiles(pretend.Named("mnist"))
	p.Say(aboutFile, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
	p.Finish()
	a.OpenFiles(pretend.Named("few"))
	p.Say(aboutFile, wire.Accepted, "samples 10 images of 28 × 28 in 10 classes")
	id := p.Last().ID
	p.Say(id, wire.Offer, "C=5")
	p.Say(id, wire.Refused, `C: got "16", want at most 5 (few has 10 samples)`)
	var words []string
	for _, w := range a.Notices[0].Ways {
		words = append(words, w.Words)
	}
	if !slices.Equal(words, []string{"Set Clients C to 5", "Back to mnist"}) {
		t.Fatalf("too few samples are answered by %q", words)
	}
	a.Go(0, 1)
	if a.OwnFileNames() != "mnist" || p.Last().ID == id {
		t.Errorf("taken back, the file is %q", a.OwnFileNames())
	}
}

// What is being read is named until it is there, cannot be read or is refused.
func TestFilesAreRead(t *testing.T) {
	a, p := ready(t, "T=30")
	a.ReadFiles("big.gz")
	if got := a.ReadingWords(); got != "Reading big.gz …" {
		t.Errorf("reading, the page says %q", got)
	}
	a.OpenFiles(pretend.Named("big.gz"))
	if got := a.ReadingWords(); got != "Reading big.gz …" {
		t.Errorf("while the engine reads, the page says %q", got)
	}
	p.Say(aboutFile, wire.Refused, "big.gz: it is empty")
	if got := a.ReadingWords(); got != "" {
		t.Errorf("after an answer the page says %q", got)
	}
	a.ReadFiles("x")
	a.ReadFailed("x")
	if got := a.ReadingWords(); got != "" || !slices.Equal(notices(a), []string{"x could not be read. Nothing was changed."}) {
		t.Errorf("unreadable, the page says %q, notices %q", got, notices(a))
	}
}

// Who embeds the page is not given runs of the user's files.
func TestFilesStay(t *testing.T) {
	for _, query := range []string{"data=samples", "data=csv"} {
		a, p := ready(t, "T=30")
		if a.HasOwnFiles() {
			t.Error("a simulated run counts as one of the user's files")
		}
		a.OpenFiles(pretend.Named("x"))
		p.Say(aboutFile, wire.Accepted, strings.TrimPrefix(query, "data=")+" 2500 of them")
		p.Finish()
		if !a.HasOwnFiles() || !strings.Contains(a.Command(), "-data FILE ") {
			t.Errorf("%s: the run counts as simulated, and its command is %s", query, a.Command())
		}
	}
}
