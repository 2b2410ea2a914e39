package jobs

import (
	"math"
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/host"
)

// Preview shows, behind the thumb of a slider, the outcome of every lane along the slider's range.
type Preview struct {
	Key   string
	Auto  bool   // shown without request while runs are quick
	Batch *Batch // nil while it waits

	otherSettings string    // the other settings of the batch
	positions     []float32 // of the values on the slider
	startValue    int       // index of the value nearest to the slider's: the first to compute
}

const (
	SeedsPerValue = 10 // number of seeds of each value
	maxSteps      = 20 // maximum number of steps along the slider
	maxPreviews   = experiment.MaxLanes

	// thumbRadius is half the width of the thumb of a slider with a preview, in CSS
	// pixels.
	thumbRadius = 5

	// quickRun is the maximum duration of a run, in ms, for automatic previews.
	quickRun = 200
)

// Previews returns all previews.
func (b *Jobs) Previews() []*Preview { return b.previews }

// OtherSettings returns the experiment of the preview without the slider's setting.
func (p *Preview) OtherSettings() string { return p.otherSettings }

// Preview returns the preview of a setting and its index, nil if there is none.
func (b *Jobs) Preview(key string) (*Preview, int) {
	i := slices.IndexFunc(b.previews, func(s *Preview) bool { return s.Key == key })
	if i < 0 {
		return nil, 0
	}
	return b.previews[i], i
}

// Dragged reports whether the user drags the slider of preview i.
func (b *Jobs) Dragged(i int) bool {
	return i < len(b.previews) && b.previews[i].Key == b.Page.Dragged
}

// TogglePreview starts the preview of a setting, stops a running one and keeps its results, or
// removes it.
func (b *Jobs) TogglePreview(key string) {
	s, i := b.Preview(key)
	switch {
	case s == nil:
		if len(b.previews) >= maxPreviews {
			b.previews = slices.Delete(b.previews, 1, 2) // the first is the automatic one
		}
		b.previews = append(b.previews, &Preview{Key: key})
		delete(b.dismissed, key)
	case s.Batch != nil && s.Batch.Busy():
		s.Batch.ended = true
	default:
		b.previews = slices.Delete(b.previews, i, i+1)
		b.dismissed[key] = true
	}
	b.redraw(host.Shell | host.Previews)
	b.Dispatch()
}

// DropStale drops results with other settings. It runs after every change of a setting and is cheap.
func (b *Jobs) DropStale() {
	for _, s := range b.previews {
		if s.Batch != nil && s.otherSettings != b.otherSettings(s.Key) {
			s.Batch, s.positions = nil, nil
			b.redraw(host.Previews)
		}
	}
}

// otherSettings returns the present experiment without one setting.
func (b *Jobs) otherSettings(key string) string {
	pairs := strings.Split(b.Page.Config.String(), "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool { return strings.HasPrefix(pair, key+"=") })
	return strings.Join(pairs, "&")
}

// renewPreviews starts batches for the previews that have none: the automatic one, if runs are
// quick, and those that the user has requested.
func (b *Jobs) renewPreviews() {
	cheap := b.runsAreQuick()
	setting := b.Page.MainSetting
	b.previews = slices.DeleteFunc(b.previews, func(s *Preview) bool {
		gone := !b.Page.Config.Reads(baseName(s.Key)) || s.Auto && (setting == nil || s.Key != setting.Name || !cheap)
		return gone || s.Batch == nil && s.otherSettings != "" && !cheap // the user requested it when runs were quick
	})
	if setting != nil && cheap && b.Page.AutoPreviews && !b.dismissed[setting.Name] {
		if s, _ := b.Preview(setting.Name); s == nil {
			b.previews = slices.Insert(b.previews, 0, &Preview{Key: setting.Name, Auto: true})
			b.redraw(host.Shell)
		}
	}
	if len(b.previews) > maxPreviews {
		b.previews = b.previews[:maxPreviews]
	}
	for _, s := range b.previews {
		if s.Batch == nil {
			b.startPreview(s)
		} else if from := b.nearest(s); from != s.startValue && s.Batch.Busy() {
			// The slider has moved: values near it come first. No worker is busy now, since the move
			// caused a run that paused all jobs.
			s.startValue = from
			s.Batch.restart(nearestFirst(s.Batch.Table.Plan, from))
		}
	}
}

// runsAreQuick reports whether runs like the present one are quick enough for hundreds of them: by
// the measured time or, since the time of the first run includes the start of the engine, by the
// amount of work.
func (b *Jobs) runsAreQuick() bool {
	if !b.Page.Complete {
		return false
	}
	const little = 500e3 // samples processed by all lanes
	h, v := b.Page.Run.Header, b.Page.Config.Values(-1)
	work := float64(h.Clients*h.Rounds*len(h.Lanes)) * max(v.Float("b"), v.Float("probe"))
	return b.Page.RunTime < quickRun || !b.Page.Config.Reads("net") && work < little
}

// startPreview starts the batch of a preview.
func (b *Jobs) startPreview(s *Preview) {
	f, ok := b.Page.Config.Field(s.Key)
	if !ok {
		return
	}
	axis := sweep.Axis{Key: s.Key, Values: PreviewValues(f)}
	plan, err := sweep.New(b.Page.Config, []sweep.Axis{axis}, SeedsPerValue)
	if err != nil {
		return // no value is valid with the other settings
	}
	s.positions = s.positions[:0]
	for _, text := range axis.Values {
		s.positions = append(s.positions, param.Fraction(f, text))
	}
	s.startValue = b.nearest(s)
	s.Batch, s.otherSettings = newBatch(plan, nearestFirst(plan, s.startValue)), b.otherSettings(s.Key)
	b.redraw(host.Previews)
}

// nearest returns the index of the value of a preview that is nearest to the slider's.
func (b *Jobs) nearest(s *Preview) int {
	f, _ := b.Page.Config.Field(s.Key)
	here, from := param.Fraction(f, b.Page.Config.Text(s.Key)), 0
	for i, at := range s.positions {
		if math.Abs(float64(at-here)) < math.Abs(float64(s.positions[from]-here)) {
			from = i
		}
	}
	return from
}

// PreviewValues returns about twenty values along a slider, all of them possible positions of its
// thumb.
func PreviewValues(f *param.Field) []string {
	var out []string
	if f.Log {
		rungs := param.Ladder(f)
		each := (len(rungs)-2)/maxSteps + 1
		for i := 0; i < len(rungs)-1; i += each {
			out = append(out, param.FormatFloat(rungs[i]))
		}
		return append(out, param.FormatFloat(rungs[len(rungs)-1]))
	}
	low, high := f.Range()
	unit := f.Step
	if unit == 0 {
		unit = 1
	}
	step := unit
	for n := range 30 {
		step = unit * [3]float64{1, 2, 5}[n%3] * math.Pow(10, float64(n/3))
		if (high-low)/step <= maxSteps {
			break
		}
	}
	for i := 0; ; i++ {
		v := sweep.Round(low + step*float64(i))
		if v >= high {
			break
		}
		out = append(out, param.FormatFloat(v))
	}
	return append(out, param.FormatFloat(high))
}

// ConfigurePreview sets the options of the figure of preview n.
func (b *Jobs) ConfigurePreview(figure *sweeps.Preview, n int) {
	*figure = sweeps.Preview{Inset: thumbRadius}
	if n >= len(b.previews) {
		return
	}
	s := b.previews[n]
	if f, ok := b.Page.Config.Field(s.Key); ok {
		figure.Name, figure.Unit = f.Label, f.Unit
	}
	figure.Measure = b.Page.Measure
	for lane := range b.Page.Config.Lanes() {
		figure.Titles = append(figure.Titles, b.Page.Title(b.Page.Config, lane))
	}
	if s.Batch != nil {
		figure.Sweep, figure.At = s.Batch.Table, s.positions
	}
}

// Config returns the experiment of a run of a batch; ok is false if its settings conflict.
func (t *Batch) Config(job int) (c experiment.Config, ok bool) {
	cell, _ := t.Table.Plan.Cell(job)
	if t.Table.Plan.Fits(cell) != nil {
		return c, false
	}
	return t.Table.Plan.Config(job), true
}

// baseName returns the name of a setting without its lane.
func baseName(key string) string { return key[strings.LastIndex(key, ".")+1:] }
