package jobs

import (
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// Workers start for a preview of the first slider if runs are quick and nothing is more important.
func TestWorkerCount(t *testing.T) {
	for name, tt := range map[string]struct {
		query  string
		change func(p *Page)
		want   int
	}{
		"quick runs":               {"", func(*Page) {}, 3},
		"one processor":            {"", func(p *Page) { p.Processors = 1 }, 1},
		"long runs":                {"data=digits", func(p *Page) { p.RunTime = 1000 }, 0},
		"long runs of little":      {"", func(p *Page) { p.RunTime = 1000 }, 3},
		"a run that was stopped":   {"", func(p *Page) { p.Complete = false }, 0},
		"a run under way":          {"", func(p *Page) { p.Computing = true }, 0},
		"a drag":                   {"", func(p *Page) { p.Paused = true }, 0},
		"pictures need processors": {"", func(p *Page) { p.NeedsAllProcessors = true }, 0},
		"no workers to be had":     {"", func(p *Page) { p.HasWorkers = false }, 0},
		"plain sliders":            {"", func(p *Page) { p.AutoPreviews = false }, 0},
	} {
		c := config(t, tt.query)
		setting, _ := c.Field("b")
		var effects host.Effects
		b := New()
		b.Page = Page{Effects: &effects, Now: 10 * SettleTime, Schema: catalog.Schema(), Config: c, RunTime: 50,
			Processors: 4,
			Complete:   true, HasWorkers: true, AutoPreviews: true, MainSetting: setting, Measure: sweep.ARI,
			Run: trace.NewRun(&trace.Header{Query: c.String(), Clients: 12, Rounds: 200,
				Lanes: make([]trace.Lane, 2)}),
			StartMessages: func() [][]byte { return nil }}
		tt.change(&b.Page)
		b.Dispatch()
		for n := 0; n < len(b.jobs); n++ {
			b.WorkerStarted(n, false)
		}
		if got := b.Workers(); got != tt.want {
			t.Errorf("%s: %d workers are started, want %d", name, got, tt.want)
		}
	}
}
