package page

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Notice is a text that stays until the user dismisses it. It may have buttons.
type Notice struct {
	Text    say.Message
	Actions []Action
}

// Action is a button of a notice, and the message that it sends.
type Action struct {
	Label say.Message
	Do    Message
}

// Notify adds a notice unless it is shown already.
func (s *State) Notify(text say.Message, actions ...Action) {
	if !slices.ContainsFunc(s.Notices, func(n Notice) bool { return n.Text == text }) {
		s.Notices = append(s.Notices, Notice{text, actions})
		s.effects.Redraw(host.Shell)
	}
}

// Withdraw removes the notice with a text, if there is one.
func (s *State) Withdraw(text say.Message) {
	s.Notices = slices.DeleteFunc(s.Notices, func(n Notice) bool { return n.Text == text })
}

// AllNotices returns the notices of the page, followed by those of the run on screen.
func (s *State) AllNotices() []Notice {
	all := s.Notices[:len(s.Notices):len(s.Notices)]
	if s.dismissed == s.Run {
		return all
	}
	if n := s.divergenceNotice(); n.Text != "" {
		all = append(all, n)
	}
	if n := s.Player.Notice(); n.Text != "" {
		all = append(all, n)
	}
	if n := s.modelCountNotice(); n.Text != "" {
		all = append(all, n)
	}
	return all
}

// DismissNotice: the user dismisses a notice. Notices of a run stay hidden while that run is on
// screen.
type DismissNotice struct{ Notice int }

func (m DismissNotice) update(s *State) {
	if m.Notice < len(s.Notices) {
		s.Notices = slices.Delete(s.Notices, m.Notice, m.Notice+1)
	} else {
		s.dismissed = s.Run
		if s.Files.inUse != nil {
			s.Files.inUse.modelsCompared = true
		}
	}
	s.effects.Redraw(host.Shell)
}

// RunAction: the user presses a button of a notice.
type RunAction struct{ Notice, Action int }

func (m RunAction) update(s *State) {
	all := s.AllNotices()
	if m.Notice >= len(all) || m.Action >= len(all[m.Notice].Actions) {
		return // the shown round has changed since
	}
	action := all[m.Notice].Actions[m.Action]
	if m.Notice < len(s.Notices) {
		DismissNotice{m.Notice}.update(s)
	}
	action.Do.update(s)
}

// divergenceNotice is about the focused lane if it has diverged or, at the end, trained badly; else
// about the first such lane.
func (a *State) divergenceNotice() Notice {
	lane := -1
	for i := range a.Config.Lanes() {
		n := a.LaneOfRun(i)
		f := a.ShownFrame(n)
		if f == nil || a.Run.Tracks[n].Summary == nil {
			continue
		}
		s := a.Run.Tracks[n].Summary
		badly := s.Diverged < 0 && s.Cause != "" && a.Round >= a.Rounds()
		if (badly || verdict.IsDiverged(a.Run, n, f)) && (lane < 0 || i == a.Lane) {
			lane = i
		}
	}
	if lane < 0 {
		return Notice{}
	}
	s := a.Run.Tracks[a.LaneOfRun(lane)].Summary
	text := a.divergenceWords(lane, s)
	if len(a.Config.Lanes()) > 1 {
		text = say.Messagef("%s: %s", say.Message(a.Title(lane)), text)
	}
	n := Notice{Text: text}
	_, remedy, _ := s.Cause.Cut("; ")
	if setting, ok := strings.CutPrefix(remedy.String(), "set "); ok {
		key, value, _ := strings.Cut(setting, "=")
		if _, err := a.Config.With(key, value); err == nil {
			n.Actions = append(n.Actions, a.Settings.settingAction(key, value))
		}
	}
	if s.SuggestedRate > 0 {
		rate := strconv.FormatFloat(s.SuggestedRate, 'g', 1, 64)
		if v, err := strconv.ParseFloat(rate, 64); err == nil {
			rate = strconv.FormatFloat(v, 'f', -1, 64)
		}
		key := "lr"
		if a.Config.Own(lane, key) {
			key = a.Config.Lanes()[lane].ID() + "." + key
		}
		if _, err := a.Config.With(key, rate); err == nil {
			n.Actions = append(n.Actions, Action{Label: say.Messagef("Set the learning rate to %s", rate),
				Do: ChangeSetting{Key: key, Text: rate, Done: true}})
		}
	}
	if s.Diverged < 0 {
		return n
	}
	back := s.Diverged - 1
	n.Actions = append(n.Actions, Action{Label: say.Messagef("Back to round %d", back),
		Do: Seek{Round: back}})
	return n
}

// divergenceWords says which model diverged and why.
func (a *State) divergenceWords(lane int, s *trace.Summary) say.Message {
	n := a.LaneOfRun(lane)
	info, v := &a.Run.Header.Lanes[n], a.view(n)
	cause, _, _ := s.Cause.Cut("; ") // the rest is the label of a button
	what, why, known := cause.Cut(": ")
	switch {
	case s.Diverged < 0:
		what = say.Message(Capitalize(string(what)))
	case info.Models == 1:
		what = say.Messagef("The model diverged in round %d", s.Diverged)
	case info.Columns == 1:
		what = say.Messagef("The model of client %s diverged in round %d", chart.Client(s.DivergedModel), s.Diverged)
	default:
		what = say.Messagef("Model %s diverged in round %d", v.Letter(s.DivergedModel), s.Diverged)
	}
	if known {
		what = say.Messagef("%s: %s", what, why)
	}
	return say.Messagef("%s.", what)
}
