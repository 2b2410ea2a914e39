package page_test

import (
	"slices"
	"testing"

	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Files wait for the reader; the engines are replaced by such as read files, which receive them, and a run that was
// being computed is requested again.
func TestReader(t *testing.T) {
	for _, computing := range []bool{false, true} {
		a, p := ready(t, "T=30")
		p.SlowReader, p.Started = true, nil
		if computing {
			set(t, a, "dphi", "25")
		}
		requests := len(p.Requests)
		a.Do(OpenFiles{Files: pagetest.NamedFiles("x")})
		a.Do(EngineLost{Engine: 0, OutOfMemory: true}) // over something else
		if p.Readers != 1 || len(p.Files) != 0 || a.Files.PendingAnswers() != 1 ||
			computing && !slices.Equal(p.Started, []int{0}) {
			t.Fatalf("the reader is requested %d times, %d files are sent, %d answers due, engines started: %v", p.Readers,
				len(p.Files), a.Files.PendingAnswers(), p.Started)
		}
		if computing {
			set(t, a, "dphi", "30")
			requests = len(p.Requests)
		}
		a.Do(ReaderProgress{Bytes: 3 << 19})
		if got := a.Files.ReadingWords(); got != "Loading the reader of files: 2 MB" {
			t.Errorf("while the reader loads, the page says %q", got)
		}
		p.Started = nil
		a.Do(ReaderLoaded{})
		again := len(p.Requests) - requests
		if len(p.Files) != 1 || !slices.Equal(p.Started, []int{0}) || (again == 1) != computing {
			t.Errorf("computing %v: %d files are sent, engines started: %v, %d runs requested again", computing,
				len(p.Files), p.Started, again)
		}
		if got := a.Files.ReadingWords(); got != "Reading x …" {
			t.Errorf("while the engine reads, the page says %q", got)
		}
		p.SendText(NoRunID, wire.Accepted, "samples 2500 images of 28 × 28 in 10 classes")
		a.Do(OpenFiles{Files: pagetest.NamedFiles("y")})
		if p.Readers != 1 || len(p.Files) != 2 || !slices.Equal(p.Started, []int{0}) {
			t.Errorf("for the next files, the reader is requested %d times, engines started: %v", p.Readers, p.Started)
		}
	}
}

// A reader that cannot be loaded costs nothing but an attempt: a notice offers the next.
func TestReaderFails(t *testing.T) {
	a, p := ready(t, "T=30")
	p.SlowReader, p.Started = true, nil
	before := a.Config.String()
	a.Do(OpenFiles{Files: pagetest.NamedFiles("x")})
	a.Do(ReaderFailed{})
	want := []string{"x cannot be read, because the reader of files could not be loaded. Check the connection and try " +
		"again. Nothing was changed."}
	if got := noticed(a); !slices.Equal(got, want) || a.Files.ReadingWords() != "" || a.Files.PendingAnswers() != 0 ||
		a.Config.String() != before || len(p.Started) != 0 {
		t.Fatalf("the page says %q, %d answers due", got, a.Files.PendingAnswers())
	}
	a.Do(RunAction{Notice: 0, Action: 0})
	if a.Do(ReaderLoaded{}); p.Readers != 2 || len(p.Files) != 1 || len(noticed(a)) != 0 {
		t.Errorf("tried again, the reader is requested %d times, %d files are sent, notices %q", p.Readers, len(p.Files),
			noticed(a))
	}
}

// A link whose data are files loads the reader at once, and engines are replaced only when there are files.
func TestReaderAhead(t *testing.T) {
	a, p := open(t, "data=csv")
	if p.Readers != 1 || !slices.Equal(p.Started, []int{0}) {
		t.Errorf("the reader is requested %d times, engines started: %v", p.Readers, p.Started)
	}
	a.Do(OpenFiles{Files: pagetest.NamedFiles("x")})
	if p.Readers != 1 || len(p.Files) != 1 || !slices.Equal(p.Started, []int{0, 0}) {
		t.Errorf("with files, the reader is requested %d times, engines started: %v", p.Readers, p.Started)
	}
	if b, q := ready(t, "T=30"); q.Readers != 0 || b.Files.PendingAnswers() != 0 {
		t.Error("a page without files loads the reader")
	}
}
