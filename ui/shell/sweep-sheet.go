package shell

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/jobs"
	"flockscope/ui/page"
)

// SweepSheet runs sweeps over one or two settings.
type SweepSheet struct {
	App *App
}

// fields are the settings that can be varied: numbers that a run depends on. The
// seeds are varied anyway.
func (c *SweepSheet) fields() []*param.Field {
	var out []*param.Field
	for _, section := range page.Sections {
		for _, advanced := range [2]bool{false, true} {
			for _, n := range c.App.Settings.Controls(section, advanced) {
				if k := n.Field.Kind; (k == param.Int || k == param.Float) && !c.App.Settings.IsSeed(n.Field.Name) {
					out = append(out, n.Field)
				}
			}
		}
	}
	return out
}

func (c *SweepSheet) span(n int) *jobs.Span { return &c.App.Jobs.Sweep.Spans[n] }

func (c *SweepSheet) spanWord(n int) string { return [2]string{"Vary", "and"}[n] }

func (c *SweepSheet) spanLabel(n int) string {
	return [2]string{"Vary which setting", "and which setting"}[n]
}

func (c *SweepSheet) batch() *jobs.Batch { return c.App.Jobs.Sweep.Batch }

func (c *SweepSheet) busy() bool { return c.batch() != nil && c.batch().Busy() }

func (c *SweepSheet) startWords() string {
	if c.busy() {
		return "Stop and keep results"
	}
	if c.App.Jobs.Continues() {
		return "Continue"
	}
	return "Run"
}

// resumes reports whether the sweep shown was stopped and the fields describe another one.
func (c *SweepSheet) resumes() bool {
	t := c.batch()
	return t != nil && !t.Busy() && !t.Done() && !t.OtherEngine() && !c.App.Jobs.Continues()
}

// retries reports whether failed runs can be computed again.
func (c *SweepSheet) retries() bool {
	if t := c.batch(); t != nil && !t.Busy() && !t.OtherEngine() {
		n, _ := t.Failed()
		return n > 0
	}
	return false
}

// notice says what the user needs to know about the results.
func (c *SweepSheet) notice() string {
	b := c.App.Jobs
	words := []string{say.Text(b.Sweep.NotKept)}
	if r := b.Sweep.Results; r != nil {
		words = append(words, r.Words)
	}
	if t := c.batch(); t != nil {
		if t.OtherEngine() {
			words = append(words, jobs.OtherVersion(t.Engine()))
		}
		if n, why := t.Failed(); n > 0 {
			words = append(words, say.Textf("%s failed, the first one: %s.", say.Count(n, "run"),
				say.Text(strings.TrimSuffix(why, "."))))
		}
	}
	return say.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// command is what continues the sweep on other computers.
func (c *SweepSheet) command() string {
	t := c.batch()
	if t == nil || t.OtherEngine() {
		return ""
	}
	names, _ := c.App.Jobs.Files()
	return "flock merge -o sweep.flock flockscope-sweep.jsonl\n" + t.Plan().Command("sweep.flock", names...)
}

// count says how many runs would be played.
func (c *SweepSheet) count() string {
	switch plan, err := c.App.Jobs.SweepPlan(); {
	case c.App.Jobs.Sweep.Problem != "":
		return c.App.Jobs.Sweep.Problem
	case c.busy() && c.batch().Waiting():
		return "Waiting: another tab may be computing a sweep. This one continues when that one is done or closed."
	case c.busy():
		if _, computing := c.App.Runs.ComputingFor(); computing {
			return say.Textf("%s It waits for the run on the page.", c.batch().Words())
		}
		if pace := c.App.Jobs.Pace(); pace != "" {
			return say.Join([]string{c.batch().Words(), pace}, " ")
		}
		return c.batch().Words()
	case !c.App.Jobs.Available():
		return "This browser allows no workers, so nothing can be computed in the background. On the command " +
			"line: flock sweep."
	case err == nil:
		lanes := say.Count(len(c.App.Config.Lanes()), "method")
		if plan.Cells() == 1 {
			return say.Textf("%d run of %s", 1, lanes)
		}
		return say.Textf("%d runs of %s", plan.Cells(), lanes)
	}
	return ""
}

// result describes the figure.
func (c *SweepSheet) result() string {
	if c.batch() == nil || c.busy() {
		return ""
	}
	all := []string{say.Textf("%s, the same seeds for every value and method. Means ± one standard deviation.",
		c.batch().Words())}
	if c.flat() && c.batch().Table.Plan.Seeds > 1 {
		all = append(all, say.Text("Small dots are single runs."))
	}
	if gaps := c.batch().MissingWords(); gaps != "" {
		all = append(all, say.Text(gaps))
	}
	base, s := c.batch().Table.Plan.Base, &c.App.Jobs.Sweep
	for lane, title := range s.Titles {
		if s.Measure.Judges() && base.Unclustered(lane) {
			all = append(all, say.Textf("%s: no clusters.", chart.LaneTitle(title)))
		}
	}
	if c.stale() {
		all = append(all, say.Text("These results are of other settings than those on the page; a saved table "+
			"lists them."))
	}
	return say.Join(all, " ")
}

// stale reports whether the page's settings, other than those that were varied, have
// changed since the sweep began.
func (c *SweepSheet) stale() bool {
	plan := c.batch().Table.Plan
	then, now := plan.Base, c.App.Config
	for _, axis := range plan.Axes {
		for _, config := range [2]*experiment.Config{&then, &now} {
			if same, err := config.With(axis.Key, axis.Values[0]); err == nil {
				*config = same
			}
		}
	}
	return then.String() != now.String()
}

// flat reports whether one setting was varied, deep whether two were.
func (c *SweepSheet) flat() bool { return c.batch() != nil && len(c.batch().Table.Plan.Axes) == 1 }

func (c *SweepSheet) deep() bool { return c.batch() != nil && len(c.batch().Table.Plan.Axes) == 2 }

// measureWord is what a measure's button says.
func measureWord(m sweep.Measure) string {
	switch m {
	case sweep.ARI:
		return "ARI"
	case sweep.Settled:
		return "settled in round"
	case sweep.Val:
		return "Val"
	case sweep.Test:
		return "Test"
	}
	return m.String()
}

func (c *SweepSheet) measureClass(m sweep.Measure) string {
	if m == c.App.Jobs.Sweep.Measure {
		return "tab on"
	}
	return "tab"
}

// head and rows are the table behind the figure.
func (c *SweepSheet) head() []string {
	s := c.App.Jobs.SweepView()
	head, _ := s.Table(nil)
	return head
}

func (c *SweepSheet) rows() [][]string {
	s := c.App.Jobs.SweepView()
	_, rows := s.Table(nil)
	return rows
}

// exportPicture opens the export dialog at the figure of the sweep.
func (c *SweepSheet) exportPicture() {
	kind := "heat 0"
	if c.flat() {
		kind = "sweep 0"
	}
	c.App.Do(page.ChoosePicture{Value: kind})
	c.App.Do(page.OpenSheet{Name: "take"})
}
