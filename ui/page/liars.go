package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// ToggleLiars: the user makes the selected clients liars, or the one in focus; or honest again, if all of them lie. Before
// the first lie the honest run is pinned, so that it is drawn behind.
type ToggleLiars struct{}

func (ToggleLiars) update(s *State) { s.effects.Handled = s.toggleLiars() }

// toggleLiars reports whether there was a client to change.
func (s *State) toggleLiars() bool {
	chosen, lies := s.chosenClients(), s.liars()
	if len(chosen) == 0 {
		return false
	}
	next := union(chosen, lies)
	if len(next) == len(lies) {
		next = slices.DeleteFunc(next, func(i int) bool { return slices.Contains(chosen, i) })
	}
	if len(lies) == 0 && !s.Pinned.IsPinned() && s.Runs.Complete() {
		TogglePin{}.update(s)
	}
	ChangeSetting{"liars", liarsText(next), true}.update(s)
	return true
}

// chosenClients returns the selected clients, else the one in focus.
func (s *State) chosenClients() []int {
	if s.Run == nil {
		return nil
	}
	if len(s.selectedInRun()) > 0 {
		return s.selectedInRun()
	}
	if i := s.FocusedClient(); i >= 0 {
		return []int{i}
	}
	return nil
}

// liars returns the clients that lie by the present settings. Those that chance draws are known from their run.
func (s *State) liars() (all []int) {
	numbers := s.Config.Values(-1).Numbers("liars")
	if len(numbers) > 1 {
		for _, n := range numbers {
			if n > 0 {
				all = append(all, int(n)-1)
			}
		}
	} else if numbers[0] > 0 && s.Run != nil {
		for i, lies := range s.Run.Header.Liar {
			if lies {
				all = append(all, i)
			}
		}
	}
	return all
}

// liarsText writes clients as the setting has them: 3,7. A single one is 0,7, none is 0.
func liarsText(clients []int) string {
	var b strings.Builder
	if len(clients) < 2 {
		b.WriteString("0")
	}
	for _, i := range clients {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(i + 1))
	}
	return b.String()
}

// LiarAction is the label of the button that changes who lies, "" without a client to change.
func (s *State) LiarAction() string {
	chosen, lies := s.chosenClients(), s.liars()
	switch {
	case len(chosen) == 0:
		return ""
	case len(union(chosen, lies)) == len(lies):
		return "Make honest (F)"
	case len(chosen) > 1:
		return "Make them liars (F)"
	}
	return "Make it a liar (F)"
}

// LieSettings are what liars do and how strongly, nil without liars.
func (s *State) LieSettings() (fields []*param.Field) {
	if s.Config.Value("liars") == "0" {
		return nil
	}
	for _, f := range s.Config.Active() {
		if f.Name == "lie" || f.Name == "collusion" || f.Name == "liescale" {
			fields = append(fields, f)
		}
	}
	return fields
}

// PinHonest: the user asks who is hurt: the run without liars is computed and pinned, then the liars are back.
type PinHonest struct{}

func (PinHonest) update(s *State) {
	back := s.Config
	s.liarsBack = &back
	s.Pinned.run = nil
	s.setConfig(s.Config.Reset("liars", "")) // no step of undo: the present settings come back
}

// CanPinHonest reports whether the run on screen has liars and no honest run is behind it.
func (s *State) CanPinHonest() bool {
	return s.HasLiars() && s.Runs.Complete() && s.honestRun() == nil
}

// bringLiarsBack pins the honest run once it is complete, and goes back to that with liars.
func (s *State) bringLiarsBack() {
	switch back := s.liarsBack; {
	case back == nil:
	case s.Config.String() != back.Reset("liars", "").String(): // the user has gone on
		s.liarsBack = nil
	case s.Runs.Complete():
		s.liarsBack = nil
		TogglePin{}.update(s)
		s.setConfig(*back)
	}
}

// honestRun returns the pinned run if it is the one on screen without liars, nil otherwise.
func (s *State) honestRun() *trace.Run {
	then := s.Pinned.DrawnRun()
	if then == nil || !s.HasLiars() {
		return nil
	}
	now, _ := s.Schema.Parse(s.Run.Header.Query)
	if len(then.Header.Liar) > 0 || withoutLies(now) != withoutLies(s.Pinned.config) {
		return nil
	}
	return then
}

// withoutLies returns an experiment as text, as if nobody lied.
func withoutLies(c experiment.Config) string {
	for _, key := range [...]string{"liars", "lie", "collusion", "liefrom", "liescale"} {
		c = c.Reset(key, "")
	}
	return c.String()
}

// hurtWords says how much worse honest clients fare in a lane than in the pinned honest run at the same round, and who
// fares worst; "" without one.
func (s *State) hurtWords(lane int) string {
	v := s.view(lane)
	then, ok := v.PinnedView()
	if s.honestRun() == nil || !ok || v.LastEvaluation() == nil && v.Frame() == nil {
		return ""
	}
	h := s.Run.Header
	if !v.Classifies() {
		f, g := v.Frame(), then.Frame()
		if v.Evaluated() {
			f, g = v.LastEvaluation(), then.LastEvaluation()
		}
		if f == nil || g == nil || f.Round < h.LiesFrom || math.IsNaN(f.Loss) || math.IsNaN(g.Loss) {
			return ""
		}
		return say.Textf("The error of honest clients is %s; without liars it was %s.", chart.Number(f.Loss),
			chart.Number(g.Loss))
	}
	f, g := v.LastEvaluation(), then.LastEvaluation()
	if f == nil || g == nil || f.Round < h.LiesFrom || len(g.Accuracies) < h.Clients {
		return ""
	}
	sum, worst, most := 0.0, 0, math.Inf(-1)
	for i, a := range f.Accuracies {
		if h.Lies(i) {
			continue
		}
		lost := float64(g.Accuracies[i] - a)
		if sum += lost; lost > most {
			worst, most = i, lost
		}
	}
	points := func(share float64) string { return chart.Fixed(100*share, 0) }
	mean := sum / float64(h.Honest())
	if mean < 0.005 {
		return say.Text("Honest clients lose no accuracy on average.")
	}
	return say.Textf("Honest clients lose %s points of accuracy, client %d most: %s.", points(mean), worst+1, points(most))
}
