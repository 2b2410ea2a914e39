package ui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Scent is a slider that shows, behind its thumb, how every lane would end along
// its range: where to drag, before one drags.
type Scent struct {
	Key   string
	Auto  bool   // nobody asked for it: it is there while runs are quick
	Trial *Trial // nil while it waits

	around string    // the other settings that the trial was made with
	at     []float32 // where its values stand on the slider
	from   int       // the value that the slider stood at: the first to be tried
}

const (
	scentSeeds = 10
	scentSteps = 20 // at most so many steps from end to end
	mostScents = maxLanes

	// scentThumb is half the width of the thumb of a slider with a scent, in CSS
	// pixels.
	scentThumb = 5

	// quick is how long a run may take, in ms, for its neighbourhood to be tried
	// unasked.
	quick = 200
)

// Scent returns the scent of a setting's slider and its number, nil if it has none.
func (a *App) Scent(key string) (*Scent, int) {
	i := slices.IndexFunc(a.scents, func(s *Scent) bool { return s.Key == key })
	if i < 0 {
		return nil, 0
	}
	return a.scents[i], i
}

// drags reports whether the scent with number i is that of the slider under way.
func (a *App) drags(i int) bool {
	return i < len(a.scents) && a.scents[i].Key == a.editing
}

// ToggleScent tries the whole range of a setting, keeps what is there of a trial
// that is under way, or takes the scent away.
func (a *App) ToggleScent(key string) {
	s, i := a.Scent(key)
	switch {
	case s == nil:
		if len(a.scents) >= mostScents {
			a.scents = slices.Delete(a.scents, 1, 2) // the first is the page's own
		}
		a.scents = append(a.scents, &Scent{Key: key})
		delete(a.scentless, key)
	case s.Trial != nil && s.Trial.Busy():
		s.Trial.ended = true
	default:
		a.scents = slices.Delete(a.scents, i, i+1)
		a.scentless[key] = true
	}
	a.Host.Change(host.Shell | host.Tries)
	a.Dispatch()
}

// staleScents lets go of trials that were made with other settings. It runs with
// every change of a setting, and does little.
func (a *App) staleScents() {
	for _, s := range a.scents {
		if s.Trial != nil && s.around != a.around(s.Key) {
			s.Trial, s.at = nil, nil
			a.Host.Change(host.Tries)
		}
	}
}

// around is the present experiment without one setting.
func (a *App) around(key string) string {
	pairs := strings.Split(a.Config.String(), "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool { return strings.HasPrefix(pair, key+"=") })
	return strings.Join(pairs, "&")
}

// renewScents makes trials for the scents that have none: that of the first
// slider, if runs are quick, and those that were asked for.
func (a *App) renewScents() {
	cheap := a.cheap()
	var hero *param.Field
	if at := a.heroes(); len(at) > 0 {
		hero = at[0]
	}
	a.scents = slices.DeleteFunc(a.scents, func(s *Scent) bool {
		gone := !a.Config.Reads(baseName(s.Key)) || s.Auto && (hero == nil || s.Key != hero.Name || !cheap)
		return gone || s.Trial == nil && s.around != "" && !cheap // it was asked for when that was cheaper
	})
	if hero != nil && cheap && !a.NoScent && !a.Lacks("scent") && a.Workers != 1 && !a.scentless[hero.Name] {
		if s, _ := a.Scent(hero.Name); s == nil {
			a.scents = slices.Insert(a.scents, 0, &Scent{Key: hero.Name, Auto: true})
			a.Host.Change(host.Shell)
		}
	}
	if len(a.scents) > mostScents {
		a.scents = a.scents[:mostScents]
	}
	for _, s := range a.scents {
		if s.Trial == nil {
			a.tryRange(s)
		} else if from := a.nearest(s); from != s.from && s.Trial.Busy() {
			// The slider has moved on: what is near it comes first. Nobody
			// plays anything at present, since moving it took a run.
			s.from = from
			s.Trial.order, s.Trial.next, s.Trial.back = outward(s.Trial.Table.Plan, from), 0, nil
		}
	}
}

// cheap reports whether runs like the present one are quick enough to be tried by
// the hundred: by the clock, or by what they have to do, since the first run of
// all has the engine's start in its time.
func (a *App) cheap() bool {
	if a.Run == nil || !a.Run.Done() || a.Stopped() {
		return false
	}
	const little = 500e3 // samples looked at, by all lanes
	v := a.Config.Values(-1)
	work := float64(a.Run.Header.Clients*a.Run.Header.Rounds*len(a.Run.Header.Lanes)) * max(v.Float("b"), v.Float("probe"))
	return a.requests.took < quick || !a.Config.Reads("net") && work < little
}

// tryRange makes the trial of a scent.
func (a *App) tryRange(s *Scent) {
	f, ok := a.Config.Field(s.Key)
	if !ok {
		return
	}
	axis := sweep.Axis{Key: s.Key, Values: scentValues(f)}
	plan, err := sweep.New(a.Config, []sweep.Axis{axis}, scentSeeds)
	if err != nil {
		return // not even one value goes with the others
	}
	s.at = s.at[:0]
	for _, text := range axis.Values {
		s.at = append(s.at, fraction(f, text))
	}
	s.from = a.nearest(s)
	s.Trial, s.around = newTrial(plan, outward(plan, s.from)), a.around(s.Key)
	a.Host.Change(host.Tries)
}

// nearest returns the value of a scent's trial that is nearest to the slider's.
func (a *App) nearest(s *Scent) int {
	f, _ := a.Config.Field(s.Key)
	here, from := fraction(f, a.Config.Text(s.Key)), 0
	for i, at := range s.at {
		if math.Abs(float64(at-here)) < math.Abs(float64(s.at[from]-here)) {
			from = i
		}
	}
	return from
}

// scentValues are values from end to end of a slider, some twenty at most, all
// of them places where its thumb can rest.
func scentValues(f *param.Field) []string {
	var out []string
	if f.Log {
		rungs := ladder(f)
		each := (len(rungs)-2)/scentSteps + 1
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
		if (high-low)/step <= scentSteps {
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

// fraction is how far along its slider a value stands, 0 to 1.
func fraction(f *param.Field, text string) float32 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	low, high := f.Range()
	at := (v - low) / (high - low)
	if f.Log {
		rungs := ladder(f)
		n := 0
		for n < len(rungs)-2 && v >= rungs[n+1] {
			n++
		}
		at = (float64(n) + math.Log(v/rungs[n])/math.Log(rungs[n+1]/rungs[n])) / float64(len(rungs)-1)
	}
	return float32(min(max(at, 0), 1))
}

// tuneScent tells a figure which scent it is.
func (a *App) tuneScent(figure *chart.Scent, n int) {
	*figure = chart.Scent{Inset: scentThumb}
	if n >= len(a.scents) {
		return
	}
	s := a.scents[n]
	if f, ok := a.Config.Field(s.Key); ok {
		figure.Name, figure.Unit = f.Label, f.Unit
	}
	figure.Measure = a.measure()
	for lane := range a.Config.Lanes() {
		figure.Titles = append(figure.Titles, a.Title(lane))
	}
	if s.Trial != nil {
		figure.Sweep, figure.At = s.Trial.Table, s.at
	}
}

// measure is what scents and sweeps show: what the curves show, where a run ends
// with such a number.
func (a *App) measure() sweep.Measure {
	switch a.Shows() {
	case chart.Accuracy:
		return sweep.Accuracy
	case chart.Val:
		return sweep.Val
	case chart.Test:
		return sweep.Test
	case chart.Misplaced:
		return sweep.Misplaced
	case chart.Loss:
		return sweep.Loss
	}
	switch {
	case a.judged():
		return sweep.ARI
	case a.Grades():
		return sweep.Accuracy
	}
	return sweep.Loss
}

// OpenRun shows one run of a trial. Undoing brings back what was there.
func (a *App) OpenRun(t *Trial, job int) {
	cell, _ := t.Table.Plan.Cell(job)
	if t.Table.Plan.Fits(cell) != nil {
		return
	}
	a.adopt(t.Table.Plan.Config(job), "", true)
}

func baseName(key string) string {
	if _, name, ok := cutLane(key); ok {
		return name
	}
	return key
}
