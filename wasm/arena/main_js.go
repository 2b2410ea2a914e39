// Command arena is the program behind the arena's page (page/arena.js): it reads records and answers what a reader asks
// of them. It runs in a worker; assets/engine.js starts it.
//
// A message is an object with an id, which the answer repeats, and one of
//
//	{add: NAME, data: Uint8Array}   the records of a file that is not compressed
//	{remove: NAME}                  leaves a file out again
//	{ask: {rows, unknownK, budget, tuned, byRows}}   a question; rows are numbers of rows, null for all
//
// An answer has a problem, a text, if that failed; then nothing has changed.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"syscall/js"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/arena"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/ui/guard"
)

// A source is a file with records.
type source struct {
	name    string
	note    string // what is left out of it
	records []plan.Record
}

type program struct {
	sources []source
	arena   *arena.Arena // of all sources; nil without any
}

// check rejects records that no run can have.
var check = plan.NewChecker(catalog.Schema()).Check

func main() {
	host := js.Global().Get(os.Args[2])
	p := &program{}
	host.Set("onmessage", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := p.answer(args[0])
		if err != nil {
			answer = map[string]any{"problem": err.Error()}
		}
		answer["id"] = args[0].Get("id")
		host.Call("post", answer)
		return nil
	}))
	select {}
}

func (p *program) answer(message js.Value) (map[string]any, error) {
	switch {
	case message.Get("add").Truthy():
		data := make([]byte, message.Get("data").Length())
		js.CopyBytesToGo(data, message.Get("data"))
		return p.add(message.Get("add").String(), data)
	case message.Get("remove").Truthy():
		name := message.Get("remove").String()
		return p.use(slices.DeleteFunc(slices.Clone(p.sources), func(s source) bool { return s.name == name }))
	}
	return p.ask(message.Get("ask"))
}

// add adds the records of a file, or replaces those of a file of that name.
func (p *program) add(name string, data []byte) (map[string]any, error) {
	records, note, err := results.ReadRecords(name, data, check)
	if err != nil {
		return nil, err
	}
	sources := slices.DeleteFunc(slices.Clone(p.sources), func(s source) bool { return s.name == name })
	among := name
	if len(sources) > 0 {
		if _, err := arena.New(records); err != nil { // that they add nothing would not be seen
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		among += " and the records that are open"
	}
	out, err := p.use(append(sources, source{name, note, records}))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", among, err)
	}
	return out, nil
}

// use makes the arena of some files, and describes what can be asked of it.
func (p *program) use(sources []source) (map[string]any, error) {
	var records []plan.Record
	var notes, files []any
	for _, s := range sources {
		records = append(records, s.records...)
		files = append(files, map[string]any{"name": s.name, "records": len(s.records)})
		if s.note != "" {
			notes = append(notes, s.note)
		}
	}
	if len(sources) == 0 {
		p.sources, p.arena = nil, nil
		return map[string]any{"files": []any{}, "notes": []any{}, "rows": []any{}, "methods": []any{}}, nil
	}
	a, err := arena.New(records)
	if err != nil {
		return nil, err
	}
	p.sources, p.arena = sources, a
	var rows, methods []any
	for _, r := range a.RowsWithRuns() {
		rows = append(rows, map[string]any{"row": r.Row, "label": r.Label, "family": r.Family, "about": r.About,
			"onFiles": r.OnFiles})
	}
	entered := a.Entered()
	for _, m := range a.Methods {
		methods = append(methods, map[string]any{"lane": m.Lane, "kind": string(m.Kind), "note": m.Note,
			"entered": entered[m.Lane]})
	}
	for _, n := range a.Notes {
		notes = append(notes, n)
	}
	return map[string]any{"files": files, "notes": notes, "rows": rows, "methods": methods, "records": a.Records,
		"engine": a.Engine, "tuned": a.HasTuned()}, nil
}

// ask answers a question.
func (p *program) ask(q js.Value) (map[string]any, error) {
	if p.arena == nil {
		return nil, errors.New("there are no records; choose a file of records first")
	}
	question := arena.Question{Choices: arena.Usual, UnknownK: q.Get("unknownK").Truthy()}
	question.Budget = cmp.Or(q.Get("budget").String(), question.Budget)
	question.Tuned, question.ByRows = q.Get("tuned").Truthy(), q.Get("byRows").Truthy()
	if rows := q.Get("rows"); rows.Truthy() {
		question.Rows = []int{}
		for i := range rows.Length() {
			question.Rows = append(question.Rows, rows.Index(i).Int())
		}
	}
	v, err := p.arena.View(question)
	if err != nil {
		return nil, err
	}
	var lines []any
	for _, l := range v.Lines {
		lines = append(lines, line(v, l))
	}
	out := map[string]any{"lines": lines, "near": v.Near, "rope": v.Rope, "diverged": v.Diverged}
	if v.Together != nil {
		out["together"] = line(v, v.Together)
	}
	return out, nil
}

func line(v *arena.View, l *arena.Line) map[string]any {
	best := []any{}
	for _, m := range l.Pick.Close {
		best = append(best, v.Methods[m].Lane)
	}
	baselines := slices.Compact(slices.Sorted(slices.Values(l.Baseline)))
	toBeat := []any{}
	for _, b := range baselines {
		toBeat = append(toBeat, b)
	}
	dots := []any{}
	for _, d := range l.Dots {
		m := &v.Methods[d.Method]
		dots = append(dots, map[string]any{"lane": m.Lane, "kind": string(m.Kind), "gain": sized(d.Gain), "best": d.Close,
			"runs": d.Runs, "query": d.Run.Query, "fingerprint": d.Run.Fingerprint, "row": d.Row, "seed": d.Seed,
			"runGain": d.RunGain})
	}
	return map[string]any{"family": l.Family, "rows": l.Rows, "seeds": l.Seeds, "toBeat": toBeat, "best": best,
		"gain": sized(l.Pick.Gain), "verdict": string(l.Pick.Verdict), "oracle": sized(l.Oracle), "dots": dots}
}

// sized is null, or a gain with the ends of its interval, which may be null.
func sized(s arena.Sized) map[string]any {
	number := func(v float64) any {
		if math.IsNaN(v) {
			return nil
		}
		return v
	}
	return map[string]any{"value": number(s.Value), "low": number(s.Low), "high": number(s.High), "text": s.String()}
}
