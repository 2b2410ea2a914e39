package ui

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/host"
	"flockscope/ui/words"
)

// Notice says something that no control can say in its place, and may offer what
// to do about it.
type Notice struct {
	Text string
	Ways []Way
}

// Way is a button of a notice.
type Way struct {
	Words string
	Do    func()
}

// Notify adds a notice, once.
func (a *App) Notify(text string, ways ...Way) {
	if !slices.ContainsFunc(a.Notices, func(n Notice) bool { return n.Text == text }) {
		a.Notices = append(a.Notices, Notice{text, ways})
		a.Host.Change(host.Shell)
	}
}

// Withdraw takes a notice back.
func (a *App) Withdraw(text string) {
	a.Notices = slices.DeleteFunc(a.Notices, func(n Notice) bool { return n.Text == text })
}

// AllNotices are the notices that stay until they are dismissed, and after them
// what the round looked at has to say.
func (a *App) AllNotices() []Notice {
	all := a.Notices[:len(a.Notices):len(a.Notices)]
	if a.dismissed == a.Run {
		return all
	}
	if n := a.divergence(); n.Text != "" {
		all = append(all, n)
	}
	if n := a.autoStopNotice(); n.Text != "" {
		all = append(all, n)
	}
	return all
}

// Dismiss takes a notice away: one about the run for as long as that is on stage.
func (a *App) Dismiss(i int) {
	if i < len(a.Notices) {
		a.Notices = append(a.Notices[:i:i], a.Notices[i+1:]...)
	} else {
		a.dismissed = a.Run
	}
	a.Host.Change(host.Shell)
}

// Go does what a notice offers.
func (a *App) Go(notice, way int) {
	all := a.AllNotices()
	if notice >= len(all) || way >= len(all[notice].Ways) {
		return // the round has moved on since
	}
	if notice < len(a.Notices) {
		a.Dismiss(notice)
	}
	all[notice].Ways[way].Do()
}

// divergence is about the lane in focus if it has diverged by the round looked at, or
// has learnt badly by the last one, else about the first that has.
func (a *App) divergence() Notice {
	lane := -1
	for i := range a.Config.Lanes() {
		n := a.OnStage(i)
		f := a.ShownFrame(n)
		if f == nil || a.Run.Tracks[n].Summary == nil {
			continue
		}
		s := a.Run.Tracks[n].Summary
		badly := s.Diverged < 0 && s.Cause != "" && a.Round >= a.Rounds()
		if (badly || words.Diverged(a.Run, n, f)) && (lane < 0 || i == a.Lane) {
			lane = i
		}
	}
	if lane < 0 {
		return Notice{}
	}
	s := a.Run.Tracks[a.OnStage(lane)].Summary
	text := a.divergenceWords(lane, s)
	if len(a.Config.Lanes()) > 1 {
		text = a.Title(lane) + ": " + text
	}
	n := Notice{Text: text}
	if _, setting, ok := strings.Cut(s.Cause, "; set "); ok {
		key, value, _ := strings.Cut(setting, "=")
		if _, err := a.Config.With(key, value); err == nil {
			n.Ways = append(n.Ways, a.offerSetting(key, value))
		}
	}
	if s.Advice > 0 {
		rate := strconv.FormatFloat(s.Advice, 'g', 1, 64)
		if v, err := strconv.ParseFloat(rate, 64); err == nil {
			rate = strconv.FormatFloat(v, 'f', -1, 64)
		}
		key := "lr"
		if a.Config.Own(lane, key) {
			key = a.Config.Lanes()[lane].ID() + "." + key
		}
		if _, err := a.Config.With(key, rate); err == nil {
			n.Ways = append(n.Ways, Way{"Set the rate to " + rate, func() { a.Set(key, rate, true) }})
		}
	}
	if s.Diverged < 0 {
		return n
	}
	n.Ways = append(n.Ways, Way{"Back to round " + itoa(s.Diverged-1), func() { a.Seek(s.Diverged - 1) }})
	return n
}

// divergenceWords says which model blew up and why.
func (a *App) divergenceWords(lane int, s *trace.Summary) string {
	n := a.OnStage(lane)
	info, v := &a.Run.Header.Lanes[n], a.view(n)
	who := "model " + v.Letter(s.Wild)
	if info.Columns == 1 && info.Models > 1 {
		who = "the model of client " + chart.Client(s.Wild)
	}
	if info.Models == 1 {
		who = "the model"
	}
	why, _, _ := strings.Cut(s.Cause, "; ") // what to try is on a button
	if rest, ok := strings.CutPrefix(why, "the models"); ok && s.Diverged >= 0 {
		why = who + rest
	}
	return words.Capital(why) + "."
}
