package page_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// TestMessages: the list of messages with which tests read records is complete.
func TestMessages(t *testing.T) {
	var want, got []string
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) update\(`).FindAllSubmatch(text, -1) {
			want = append(want, string(m[1]))
		}
	}
	for _, m := range pagetest.Messages {
		got = append(got, reflect.TypeOf(m).Name())
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) < 50 || !slices.Equal(got, want) {
		t.Errorf("pagetest.Messages has\n%q, the source has\n%q", got, want)
	}
}

// portrait returns everything visible of a page: its link, its texts and its figures.
func portrait(s *State) string {
	var b strings.Builder
	short, full := s.Runs.ProgressWords()
	fmt.Fprintln(&b, s.Query(), s.Sheet, s.Topic, s.SearchText, s.Drawer, s.Advanced, s.SettingsLane, s.Adding,
		s.Hover, s.Multiple, s.Readout, s.TableFigure, s.Player.Playing, s.Player.SlideOffset(), s.Animating,
		s.Phases.At, s.Phases.Names(), s.Fingerprint(),
		s.Pinned.DescribeChanges(), s.Settings.CanUndo(), s.Settings.CanRedo(), s.Card(), short, full)
	for _, n := range s.AllNotices() {
		fmt.Fprintln(&b, n.Text, n.Actions)
	}
	painter := NewPainter(s)
	for _, k := range figures.Kinds() {
		for lane := range s.Config.Lanes() {
			var hits chart.Hits
			fmt.Fprintf(&b, "%s %d %x\n", k.Name, lane, painter.Draw(k.Name, lane, chart.Box{W: 400, H: 300}, &hits))
		}
	}
	return b.String()
}

// differs returns the first different line of two portraits.
func differs(got, want string) string {
	lines := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			was := lines[min(i, len(lines)-1)]
			at := 0
			for at < min(len(line), len(was)) && line[at] == was[at] {
				at++
			}
			return fmt.Sprintf("%.40s… at %d: %.200s\nwant %.200s", line, at, line[max(0, at-40):], was[max(0, at-40):])
		}
	}
	return "longer"
}

// someone performs random actions on a page.
func someone(r *rand.Rand) Message {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	switch r.IntN(22) {
	case 0:
		return ChangeSetting{Key: "dphi", Text: pick("3", "8", "25", "900", "x"), Done: true}
	case 1:
		return SlideSetting{Key: "b", Text: pick("5", "10", "20"), Done: r.IntN(2) == 0}
	case 2:
		return Seek{Round: r.IntN(30) - 3}
	case 3:
		return StepRound{By: r.IntN(5) - 2}
	case 4:
		return TogglePlay{}
	case 5, 6:
		return Tick{}
	case 7:
		return AddLane{Algorithm: pick("fedavg", "clove", "ifca")}
	case 8:
		return Undo{}
	case 9:
		return Redo{}
	case 10:
		return SelectClient{Client: r.IntN(12)}
	case 11:
		return ToggleClient{Client: r.IntN(12)}
	case 12:
		return HoverClient{Client: r.IntN(13) - 1}
	case 13:
		return ShowTab{Tab: pick(Tabs...)}
	case 14:
		return FocusLane{Lane: r.IntN(3)}
	case 15:
		return TogglePin{}
	case 16:
		return OpenSheet{Name: pick("keys", "export", "sweep")}
	case 17:
		return CloseSheet{}
	case 18:
		return PressKey{Key: pick(" ", "z", "m", "]", "[", "Escape", "t", "R"), Shift: false}
	case 19:
		return ShowMetric{Metric: progress.Loss}
	case 20:
		return NewSeeds{}
	}
	return SetSpeed{Speed: Speeds[r.IntN(len(Speeds))]}
}

// A list of messages leads to the same state whenever it is replayed, and so does the page's own
// record: engines recompute what it leaves out.
func TestReplay(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		const link = "algos=cflgp,ifca&T=20&t=3&scent=0"
		a, p := pagetest.Ready(t, link)
		for range 80 {
			p.Time += float64(r.IntN(900))
			asked := len(p.Requests)
			if a.Do(someone(r)); len(p.Requests) > asked {
				p.Finish()
			}
		}
		want := portrait(a.State)

		s := New(catalog.Schema(), pagetest.Start(link))
		for _, e := range p.Log {
			s.Update(e.At, e.Message)
		}
		if got := portrait(s); got != want {
			t.Errorf("seed %d: replayed, the page is %s", seed, differs(got, want))
		}

		again, entries, err := pagetest.ReadRecord(a.Record())
		if err != nil {
			t.Fatal(err)
		}
		b, q := pagetest.New(t, again)
		for _, e := range entries {
			q.Time = e.At
			asked := len(q.Requests)
			if b.Do(e.Message); len(q.Requests) > asked {
				q.Finish()
			}
		}
		q.Time = p.Time
		if got := portrait(b.State); got != want {
			t.Errorf("seed %d: from its record, the page is %s", seed, differs(got, want))
		}
	}
}
