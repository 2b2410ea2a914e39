package jobs

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/textfile"
	"flockscope/sim/version"
	"flockscope/ui/host"
)

// Results are the records of a file that the figures of a sweep cannot draw, since options or more
// than two settings vary.
type Results struct {
	Head  []string
	Rows  [][]string
	Words string
	lines []byte
}

// boltMagic is at byte 16 of a store of the flock command, a bbolt database.
var boltMagic = []byte{0xed, 0xda, 0x0c, 0xed}

// IsResults reports whether a file has results of a sweep, as JSON Lines or as a store of the flock
// command.
func IsResults(data []byte) bool {
	return plan.IsRecords(textfile.Head(data[:min(len(data), 4096)])) || isStore(data)
}

func isStore(data []byte) bool { return len(data) > 20 && bytes.Equal(data[16:20], boltMagic) }

// resultsFile is the content of a file of results.
type resultsFile struct {
	records []plan.Record
	configs []experiment.Config
	damaged int
}

// OpenResults shows a file of results on the sheet, or returns why it cannot.
func (b *Jobs) OpenResults(name string, data []byte) (why say.Message) {
	if isStore(data) {
		return say.Messagef("%s is a results file of flock. Export it first: flock results -jsonl %s > "+
			"results.jsonl. Then open results.jsonl here", name, plan.ShellWord(name))
	}
	if b.Sweep.Batch != nil && b.Sweep.Batch.Busy() {
		return say.Messagef("A sweep is running: stop it before opening %s", name)
	}
	var o resultsFile
	seen := map[string]int{}
	for line := range textfile.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r, err := plan.ParseRecord(line)
		if err != nil {
			o.damaged++
			continue
		}
		if len(o.records) > 0 && r.Version != o.records[0].Version {
			return say.Messagef("%s has results of versions %d and %d of the engine, which cannot be compared: "+
				"split it by version", name, o.records[0].Version, r.Version)
		}
		if at, ok := seen[r.Cell]; ok {
			if before := &o.records[at]; before.Error != "" {
				*before = r
			}
			continue
		}
		c, problems := b.Page.Schema.Parse(r.Query)
		if err := experiment.Strict(problems); err != nil {
			return say.Messagef("A query in %s cannot be read: %s", name, err)
		}
		if r.Version == version.Engine && r.Fits(&c) != nil {
			o.damaged++
			continue
		}
		seen[r.Cell] = len(o.records)
		o.records, o.configs = append(o.records, r), append(o.configs, c)
	}
	if len(o.records) == 0 {
		return say.Messagef("%s has no complete result of a sweep", name)
	}
	b.showResults(name, &o)
	return ""
}

// damagedWords says how many lines of a file are damaged.
func damagedWords(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return say.Text("1 line of the file is damaged and ignored.")
	}
	return say.Textf("%d lines of the file are damaged and ignored.", n)
}

func (b *Jobs) showResults(name string, o *resultsFile) {
	base, axes, seeds := o.findAxes()
	first := &o.records[0]
	p, err := plan.New(base, axes, seeds, first.Floats, first.Data)
	if err == nil {
		var t *Batch
		if t, err = newSweepBatch(p, first.Version); err == nil && t.setRecords(o) {
			b.showSweep(t)
			b.Sweep.NotKept = damagedWords(o.damaged)
			return
		}
	}
	words := []string{say.Textf("%s: %s. A row has the mean over seeds, and the standard deviation.", name,
		say.Count(len(o.records), "run"))}
	if first.Version != version.Engine {
		words = append(words, OtherVersion(first.Version))
	}
	if o.damaged > 0 {
		words = append(words, damagedWords(o.damaged))
	}
	res := &Results{Words: say.Join(words, " ")}
	for i := range o.records {
		r := o.records[i].Plain()
		res.lines, _ = r.AppendJSON(res.lines)
		res.lines = append(res.lines, '\n')
	}
	res.Head, res.Rows = o.table(o.between(axes))
	s := &b.Sweep
	s.Problem, s.CopyText, s.Hovered, s.Batch, s.Results = "", "", -1, nil, res
	b.redraw(host.Shell | host.Previews)
}

// OtherVersion says that results are of another version of the engine.
func OtherVersion(engine int) string {
	return say.Textf("These results are from version %d of the engine; this page has version %d, whose results may differ. "+
		"They are shown and can be saved, but not continued.", engine, version.Engine)
}

// findAxes returns the settings in which the runs of a file differ.
func (o *resultsFile) findAxes() (base experiment.Config, axes []plan.Axis, seeds int) {
	base = o.configs[0]
	last := base.FirstSeed()
	var keys []string
	for _, c := range o.configs {
		if c.FirstSeed() < base.FirstSeed() {
			base = c
		}
		last = max(last, c.FirstSeed())
		for pair := range strings.SplitSeq(c.String(), "&") {
			key, _, _ := strings.Cut(pair, "=")
			if !slices.Contains(keys, key) && !base.IsSeed(key) {
				keys = append(keys, key)
			}
		}
	}
	for _, key := range keys {
		x := plan.Axis{Key: key}
		for _, c := range o.configs {
			if v := settingValue(c, key); !slices.Contains(x.Values, v) {
				x.Values = append(x.Values, v)
			}
		}
		if len(x.Values) > 1 {
			if f, ok := base.Field(key); ok && (f.Kind == param.Int || f.Kind == param.Float) {
				slices.SortStableFunc(x.Values, compareNumbers)
			}
			axes = append(axes, x)
		}
	}
	return base, axes, last - base.FirstSeed() + 1
}

func compareNumbers(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

func settingValue(c experiment.Config, key string) string {
	switch key {
	case "data":
		return c.Workload()
	case "algos":
		var ids []string
		for i := range c.Lanes() {
			ids = append(ids, c.Lanes()[i].ID())
		}
		return strings.Join(ids, ",")
	}
	if _, ok := c.Field(key); !ok {
		return ""
	}
	return c.Text(key)
}

// setRecords sets the records of a file, and reports whether the plan has a job for each.
func (t *Batch) setRecords(o *resultsFile) bool {
	jobs := map[string]int{}
	for job := range t.Table.Plan.Jobs() {
		if c, _ := t.Table.Plan.Cell(job); t.Table.Plan.Fits(c) == nil {
			jobs[t.Table.Plan.Config(job).String()] = job
		}
	}
	for i := range o.records {
		job, ok := jobs[o.configs[i].String()]
		if !ok {
			return false
		}
		t.setRecord(job, &o.records[i])
	}
	return true
}

// between returns the axes in which runs of the same method differ. The others, such as a method's own settings, follow from
// the method, and would fill the table.
func (o *resultsFile) between(axes []plan.Axis) []plan.Axis {
	return slices.DeleteFunc(axes, func(x plan.Axis) bool {
		value := map[string]string{} // by method
		for i, c := range o.configs {
			v := settingValue(c, x.Key)
			for _, lane := range o.records[i].Lanes {
				if before, ok := value[lane.Lane]; ok && before != v {
					return false
				}
				value[lane.Lane] = v
			}
		}
		return true
	})
}

// table lists means and standard deviations for all values of the axes and all lanes.
func (o *resultsFile) table(axes []plan.Axis) (head []string, rows [][]string) {
	type group struct {
		at     []string
		lane   string
		values map[string][]float64
		n      int
	}
	var groups []*group
	found := map[string]*group{}
	has := map[string]bool{}
	for i := range o.records {
		var at []string
		for _, x := range axes {
			at = append(at, settingValue(o.configs[i], x.Key))
		}
		lanes := o.records[i].Lanes
		if o.records[i].Error != "" {
			lanes = []plan.Lane{{Lane: say.Textf("failed: %s", o.records[i].Error)}}
		}
		for j := range lanes {
			key := strings.Join(at, "\n") + "\n" + lanes[j].Lane
			g := found[key]
			if g == nil {
				g = &group{at: at, lane: lanes[j].Lane, values: map[string][]float64{}}
				found[key], groups = g, append(groups, g)
			}
			g.n++
			if o.records[i].Error != "" {
				continue
			}
			for _, m := range plan.Measures {
				if v, ok := lanes[j].Value(m); ok {
					g.values[m], has[m] = append(g.values[m], v), true
				}
			}
		}
	}
	for _, x := range axes {
		head = append(head, x.Key)
	}
	head = append(head, "lane", "runs")
	for _, m := range plan.Measures {
		if has[m] {
			head = append(head, m)
		}
	}
	for _, g := range groups {
		row := append(slices.Clone(g.at), g.lane, strconv.Itoa(g.n))
		for _, m := range plan.Measures {
			if has[m] {
				row = append(row, meanWords(g.values[m]))
			}
		}
		rows = append(rows, row)
	}
	return head, rows
}

func meanWords(values []float64) string {
	s := sweep.StatOf(values)
	if s.N == 0 {
		return "–"
	}
	text := strconv.FormatFloat(s.Mean, 'g', 4, 64)
	if s.N > 1 {
		text += " ± " + strconv.FormatFloat(s.SD, 'g', 2, 64)
	}
	return text
}
