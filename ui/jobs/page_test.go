package jobs

import (
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// page is a page whose run is complete, with a slider.
type page struct {
	host.None
	config                      experiment.Config
	run                         *trace.Run
	took                        float64
	stopped, computing, waiting bool
	crowded, alone, plain       bool
	workers                     int
	asked                       []int // how many workers, each time
}

func (p *page) Host() host.Host           { return p }
func (p *page) SetWorkers(n int)          { p.asked = append(p.asked, n) }
func (p *page) Now() float64              { return 10 * Settle }
func (p *page) Config() experiment.Config { return p.config }
func (p *page) Run() *trace.Run           { return p.run }
func (p *page) RunTime() float64          { return p.took }
func (p *page) Complete() bool            { return !p.stopped }
func (p *page) Computing() bool           { return p.computing }
func (p *page) Waiting() bool             { return p.waiting }
func (p *page) Crowded() bool             { return p.crowded }
func (p *page) HasWorkers() bool          { return !p.alone }
func (p *page) Processors() int           { return p.workers }
func (p *page) PreviewsUnasked() bool     { return !p.plain }
func (p *page) Dragged() string           { return "" }
func (p *page) Measure() sweep.Measure    { return sweep.ARI }
func (p *page) Title(int) string          { return "" }
func (p *page) SweepOpen() bool           { return false }
func (p *page) Show(experiment.Config)    {}
func (p *page) CloseSheet()               {}

func (p *page) Parse(query string) (experiment.Config, []experiment.Problem) {
	return catalog.Schema().Parse(query)
}
func (p *page) TitleIn(experiment.Config, int) string { return "" }
func (p *page) Files() ([]string, string)             { return nil, "" }

func (p *page) Hero() *param.Field {
	f, _ := p.config.Field("b")
	return f
}

// Workers come for a preview of the first slider, if runs are quick and nothing is more
// important.
func TestWorkersAreAskedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		query  string
		change func(p *page)
		want   int
	}{
		"quick runs":               {"", func(*page) {}, 3},
		"one processor":            {"", func(p *page) { p.workers = 1 }, 1},
		"long runs":                {"data=digits", func(p *page) { p.took = 1000 }, 0},
		"long runs of little":      {"", func(p *page) { p.took = 1000 }, 3},
		"a run that was stopped":   {"", func(p *page) { p.stopped = true }, 0},
		"a run under way":          {"", func(p *page) { p.computing = true }, 0},
		"a drag":                   {"", func(p *page) { p.waiting = true }, 0},
		"pictures need processors": {"", func(p *page) { p.crowded = true }, 0},
		"no workers to be had":     {"", func(p *page) { p.alone = true }, 0},
		"plain sliders":            {"", func(p *page) { p.plain = true }, 0},
	} {
		p := &page{config: config(t, tt.query), took: 50, workers: 4}
		p.run = trace.NewRun(&trace.Header{Query: p.config.String(), Clients: 12, Rounds: 200,
			Lanes: make([]trace.Lane, 2)})
		tt.change(p)
		b := New(p)
		b.Dispatch()
		got := 0
		if len(p.asked) > 0 {
			got = p.asked[0]
		}
		if got != tt.want {
			t.Errorf("%s: %d workers are asked for, want %d", name, got, tt.want)
		}
	}
}
