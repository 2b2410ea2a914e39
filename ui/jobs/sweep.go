package jobs

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/host"
)

// Sweep is the sweep that the user defines, and its results. Its lanes and other settings are those
// of the page when it was started.
type Sweep struct {
	Spans         [2]Span
	Seeds         string
	Problem       string   // why it could not be started
	NotKept       string   // why the browser stores no records
	Results       *Results // of an opened file that figures cannot draw
	Batch         *Batch   // nil if there is none
	Measure       sweep.Measure
	MeasureChosen bool     // the user chose the measure
	Hovered       int      // the highlighted cell, −1 for none
	CopyText      string   // results to copy if the browser cannot save them
	Titles        []string // of its lanes
}

// Span is one setting to vary, as typed; Key is "" for none.
type Span struct{ Key, From, To, Count string }

// PrepareSweep fills the empty or obsolete fields of the sheet, and recalls the stored sweep if
// there is none.
func (b *Jobs) PrepareSweep() {
	s := &b.Sweep
	if s.Spans[0].Key == "" || !b.Page.Config.Reads(baseName(s.Spans[0].Key)) {
		if setting := b.Page.MainSetting; setting != nil {
			s.Spans[0] = b.fullSpan(setting.Name)
		}
	}
	if s.Spans[1].Key != "" && !b.Page.Config.Reads(baseName(s.Spans[1].Key)) {
		s.Spans[1] = Span{}
	}
	if s.Seeds == "" {
		s.Seeds = strconv.Itoa(SeedsPerValue)
	}
	s.Hovered = -1
	if s.Batch == nil && s.Results == nil {
		b.Page.Effects.Do(host.RecallSweep{})
	}
}

// fullSpan returns the whole range of a setting.
func (b *Jobs) fullSpan(key string) Span {
	f, ok := b.Page.Config.Field(key)
	if !ok {
		return Span{}
	}
	low, high := f.Range()
	return Span{key, param.FormatFloat(low), param.FormatFloat(high), "10"}
}

// SetSweepField sets a field of the sheet: "seeds", or the index of a span and a part of it, such as
// "0.from".
func (b *Jobs) SetSweepField(which, text string) {
	s := &b.Sweep
	number, part, _ := strings.Cut(which, ".")
	n, err := strconv.Atoi(number)
	switch {
	case which == "seeds":
		s.Seeds = text
	case err != nil || n < 0 || n >= len(s.Spans):
		return
	case part == "key":
		s.Spans[n] = b.fullSpan(text)
		b.redraw(host.Shell)
	case part == "from":
		s.Spans[n].From = text
	case part == "to":
		s.Spans[n].To = text
	case part == "count":
		s.Spans[n].Count = text
	}
}

// SweepPlan returns the plan of the typed fields.
func (b *Jobs) SweepPlan() (*plan.Plan, error) {
	var axes []plan.Axis
	for _, span := range b.Sweep.Spans {
		if span.Key == "" {
			continue
		}
		f, ok := b.Page.Config.Field(span.Key)
		if !ok {
			continue
		}
		values, err := span.values(f)
		if err != nil {
			return nil, err
		}
		axes = append(axes, plan.Axis{Key: span.Key, Values: values})
	}
	seeds, err := strconv.Atoi(strings.TrimSpace(b.Sweep.Seeds))
	if err != nil {
		return nil, &param.Error{Field: "seeds", Got: b.Sweep.Seeds, Want: "a whole number"}
	}
	if _, err := drawnPlan(b.Page.Config, axes, seeds); err != nil {
		return nil, err
	}
	return plan.New(b.Page.Config, axes, seeds, 0, b.Page.FilesHash)
}

// drawnPlan returns the plan in the form that figures draw, or an error if they cannot.
func drawnPlan(base experiment.Config, axes []plan.Axis, seeds int) (*sweep.Plan, error) {
	var drawn []sweep.Axis
	for _, x := range axes {
		drawn = append(drawn, sweep.Axis(x))
	}
	return sweep.New(base, drawn, seeds)
}

// values returns Count values between the ends, at equal distances or, for logarithmic sliders,
// equal ratios.
func (s *Span) values(f *param.Field) ([]string, error) {
	var v [3]float64
	for i, text := range [3]string{s.From, s.To, s.Count} {
		var err error
		text = strings.ReplaceAll(strings.TrimSpace(text), "−", "-")
		if v[i], err = strconv.ParseFloat(text, 64); err != nil || v[i]-v[i] != 0 {
			return nil, &param.Error{Field: say.Text(f.Label), Got: text, Want: "a number"}
		}
	}
	from, to, n := v[0], v[1], int(v[2])
	if n < 1 || n > sweep.MostValues {
		return nil, &param.Error{Field: say.Text(f.Label), Got: s.Count, Want: say.Messagef("1 to %d values", sweep.MostValues)}
	}
	var out []string
	for i := range n {
		at := from
		if n > 1 {
			part := float64(i) / float64(n-1)
			at = from + (to-from)*part
			if f.Log && from > 0 && to > 0 {
				at = from * math.Pow(to/from, part)
				if i > 0 && i < n-1 {
					at = roundTwoDigits(at)
				}
			}
		}
		if f.Kind == param.Int {
			at = math.Round(at)
		}
		text, err := f.Canonical(param.FormatFloat(sweep.Round(at)))
		if err != nil {
			return nil, err
		}
		if len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
	}
	return out, nil
}

// roundTwoDigits rounds to two digits: a batch of 47.287 makes no sense.
func roundTwoDigits(v float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	if err != nil {
		return v
	}
	return out
}

// StartSweep starts the typed sweep, continues it if it was stopped, or stops the current one and
// keeps its results.
func (b *Jobs) StartSweep() {
	s := &b.Sweep
	b.redraw(host.Shell | host.Previews)
	if s.Batch != nil && s.Batch.Busy() {
		s.Batch.ended = true
		b.releaseSweep(s.Batch)
		b.Dispatch()
		return
	}
	p, err := b.SweepPlan()
	if err != nil {
		s.Problem = say.Textf("%s.", err)
		return
	}
	if !b.Continues() {
		t, err := newSweepBatch(p, version.Engine)
		if err != nil {
			s.Problem = say.Textf("%s.", err)
			return
		}
		b.showSweep(t)
	}
	b.ContinueSweep()
}

// Continues reports whether the typed sweep is the stopped one.
func (b *Jobs) Continues() bool {
	t := b.Sweep.Batch
	if t == nil || t.OtherEngine() || t.Done() {
		return false
	}
	p, err := b.SweepPlan()
	return err == nil && p.String() == t.sweepRecords.plan.String()
}

// ContinueSweep continues a stopped sweep. One tab at a time computes it, once the stored records
// are known.
func (b *Jobs) ContinueSweep() {
	s := &b.Sweep
	t := s.Batch
	if t == nil || t.OtherEngine() {
		return
	}
	hash := b.Page.FilesHash
	if t.sweepRecords.plan.Data != hash && t.sweepRecords.plan.Base.FromFile() {
		s.Problem = "This sweep uses other files: open the ones it was started with."
		b.redraw(host.Shell)
		return
	}
	s.Problem, t.ended, t.sweepRecords.waiting, t.sweepRecords.startedAt = "", false, true, b.Page.Now
	t.sweepRecords.doneBefore, _ = t.Table.Done()
	t.restart(t.order)
	b.redraw(host.Shell | host.Previews)
	b.Page.Effects.Do(host.ClaimSweep{Plan: t.sweepRecords.plan.String(), Engine: t.sweepRecords.engine})
}

// showSweep puts a sweep on the sheet.
func (b *Jobs) showSweep(t *Batch) {
	s := &b.Sweep
	s.Problem, s.CopyText, s.Hovered, s.Batch, s.Results = "", "", -1, t, nil
	s.Titles = s.Titles[:0]
	for lane := range t.Table.Plan.Base.Lanes() {
		s.Titles = append(s.Titles, b.Page.Title(t.Table.Plan.Base, lane))
	}
	if !s.MeasureChosen {
		s.Measure = b.Page.Measure
	}
	b.redraw(host.Shell | host.Previews)
}

// SweepMeasures returns the measures that the sweep has values of.
func (b *Jobs) SweepMeasures() []sweep.Measure {
	var out []sweep.Measure
	t := b.Sweep.Batch
	if t == nil {
		return nil
	}
	for m := range sweep.Measures {
		if t.Table.Has(sweep.Measure(m)) {
			out = append(out, sweep.Measure(m))
		}
	}
	return out
}

// ShowMeasure selects the measure of the sweep's figures.
func (b *Jobs) ShowMeasure(m sweep.Measure) {
	b.Sweep.Measure, b.Sweep.MeasureChosen = m, true
	b.redraw(host.Shell | host.Previews)
}

// HoverCell highlights a cell of the sweep, −1 for none.
func (b *Jobs) HoverCell(cell int) {
	if t := b.Sweep.Batch; t != nil && cell != b.Sweep.Hovered && cell < t.Table.Plan.Cells() {
		b.Sweep.Hovered = cell
		b.redraw(host.Live | host.Previews)
	}
}

// MoveCell moves the highlight by dx values of the first setting and dy of the second.
func (b *Jobs) MoveCell(dx, dy int) {
	t := b.Sweep.Batch
	if t == nil {
		return
	}
	axes := t.Table.Plan.Axes
	columns, rows := len(axes[0].Values), 1
	if len(axes) == 2 {
		rows = len(axes[1].Values)
	}
	at := max(b.Sweep.Hovered, 0)
	if b.Sweep.Hovered >= 0 {
		x := min(max(at/rows+dx, 0), columns-1)
		y := min(max(at%rows+dy, 0), rows-1)
		at = x*rows + y
	}
	b.HoverCell(at)
}

// CellConfig returns the experiment of the first run of a cell.
func (b *Jobs) CellConfig(cell int) (c experiment.Config, ok bool) {
	t := b.Sweep.Batch
	if t == nil || cell < 0 {
		return c, false
	}
	return t.Config(t.Table.Plan.Job(cell, 0))
}

// CellWords describes the highlighted cell.
func (b *Jobs) CellWords() string {
	s := &b.Sweep
	if s.Batch == nil || s.Hovered < 0 {
		return ""
	}
	t := s.Batch.Table
	var at []string
	for _, pair := range t.Plan.Settings(s.Hovered) {
		f, _ := t.Plan.Base.Field(pair[0])
		at = append(at, say.Text(f.Label)+" "+pair[1]+say.Text(f.Unit))
	}
	text := say.Join(at, ", ")
	if why := t.Why(s.Hovered); why != "" {
		return say.Textf("%s: %s.", text, say.Text(why))
	}
	if t.Runs(s.Hovered) == 0 {
		return say.Textf("%s: not computed yet.", text)
	}
	return say.Textf("%s: %s. Enter or a click opens the first run.", text,
		sweeps.Words(t, s.Hovered, s.Measure, s.Titles))
}

// SaveSweep saves the sweep's results as a file, "csv" or "jsonl", and shows them as text for
// browsers that cannot save files.
func (b *Jobs) SaveSweep(format string) {
	s := &b.Sweep
	var data []byte
	switch {
	case format == "jsonl" && s.Results != nil:
		data = s.Results.lines
	case s.Batch == nil:
		return
	case format == "jsonl":
		data = s.Batch.sweepRecords.plainLines(s.Batch.Table.Plan)
	default:
		data = s.Batch.Table.AppendCSV(nil)
	}
	kind := map[string]string{"csv": "text/csv", "jsonl": "application/jsonl"}[format]
	const most = 12 << 10 // bytes shown: Vugu cannot write longer texts
	if s.CopyText = string(data); len(data) > most {
		s.CopyText = ""
	}
	name := "flockscope-sweep"
	if format == "csv" { // a file of records can be continued, and its name is in the command
		if done, of := s.Batch.Table.Done(); done < of {
			name += "-" + strconv.Itoa(done) + "-of-" + strconv.Itoa(of) + "-runs"
		}
	}
	b.Page.Effects.Do(host.Save{File: host.File{Name: name + "." + format, Type: kind, Data: data}})
	b.redraw(host.Shell)
}

// SweepView returns what the figures of the sweep draw.
func (b *Jobs) SweepView() (s sweeps.View) {
	s = sweeps.View{Measure: b.Sweep.Measure, Titles: b.Sweep.Titles, Hovered: b.Sweep.Hovered}
	if b.Sweep.Batch == nil {
		return s
	}
	s.Sweep = b.Sweep.Batch.Table
	for i, x := range s.Sweep.Plan.Axes {
		if f, ok := s.Sweep.Plan.Base.Field(x.Key); ok {
			s.Names[i], s.Units[i], s.Logs[i] = f.Label, f.Unit, f.Log
		}
	}
	return s
}
