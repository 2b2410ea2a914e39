package page

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Pinned is the pinned run.
type Pinned struct {
	page   *State
	run    *trace.Run // nil for none
	config experiment.Config
}

// Run returns the pinned run, nil for none.
func (p *Pinned) Run() *trace.Run { return p.run }

// TogglePin: the user pins the run on screen, or unpins the pinned one.
type TogglePin struct{}

func (TogglePin) update(s *State) {
	p := s.Pinned
	switch {
	case p.run != nil:
		p.run = nil
	case p.CanToggle():
		config, _ := s.Schema.Parse(s.Run.Header.Query) // not s.Config, which may have been refused
		p.run, p.config = s.Run, config
	}
	s.effects.Redraw(host.Shell | host.Figures)
}

// IsPinned reports whether a run is pinned.
func (p *Pinned) IsPinned() bool { return p.run != nil }

// CanToggle reports whether the button is enabled.
func (p *Pinned) CanToggle() bool {
	return p.IsPinned() || p.page.Run != nil && p.page.Run.Done() && !p.page.Runs.Busy()
}

// DrawnRun returns the pinned run that is drawn behind the one on screen, nil for none.
func (p *Pinned) DrawnRun() *trace.Run {
	if p.run == p.page.Run {
		return nil
	}
	return p.run
}

// DescribeChanges says how the run on screen differs from the pinned one: in its settings, and in
// how its lanes end.
func (p *Pinned) DescribeChanges() string {
	then := p.DrawnRun()
	switch {
	case !p.IsPinned():
		return ""
	case then == nil:
		return "Pinned. Change a setting: this run is drawn behind the next one."
	case !p.page.Run.Done() || p.page.Runs.Busy():
		return "The pinned run is drawn behind; the new one is being computed."
	}
	var lanes []string
	for i := range p.page.Run.Header.Lanes {
		l := &p.page.Run.Header.Lanes[i]
		j := slices.IndexFunc(then.Header.Lanes, func(old trace.Lane) bool { return old.ID == l.ID })
		if j >= 0 {
			lanes = append(lanes, chart.LaneTitle(l.Title)+" "+DescribeOutcomes(then, j, p.page.Run, i))
		}
	}
	text := say.Join(p.changedSettings(), ", ")
	if len(lanes) == 0 {
		return say.Textf("%s.", text)
	}
	return say.Textf("%s: %s.", text, say.Join(lanes, "; "))
}

// changedSettings lists the settings that differ from the pinned run's: "Gap Δφ 20° → 8°".
func (p *Pinned) changedSettings() []string {
	const most = 3
	var out []string
	seeds := false
	for _, f := range p.page.Config.Active() {
		then, now := p.config.Value(f.Name), p.page.Config.Value(f.Name)
		switch {
		case then == now:
		case p.page.Settings.IsSeed(f.Name):
			seeds = true
		default:
			unit := say.Text(f.Unit)
			out = append(out, say.Text(f.Label)+" "+then+unit+" → "+now+unit)
		}
	}
	if len(out) > most {
		out = append(out[:most], say.Text("and more"))
	}
	if p.config.Workload() != p.page.Config.Workload() {
		out = append([]string{say.Text("other data")}, out...)
	}
	if seeds {
		out = append(out, say.Text("new seeds"))
	}
	if len(out) == 0 {
		return []string{say.Text("Other methods")}
	}
	out[0] = Capitalize(out[0])
	return out
}
