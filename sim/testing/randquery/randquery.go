// Package randquery draws random queries over a whole schema, for tests of whoever
// reads queries.
package randquery

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Query returns a random query, in which most settings are valid: any data, one to four lanes, some settings of the
// experiment and some of lanes, in random order; a third of them have extreme values.
func Query(r *rand.Rand, s *experiment.Schema) string {
	return draw(r, s, 3, func(f *param.Field) (low, high float64) {
		if r.IntN(4) == 0 {
			return f.Min, f.Max
		}
		return f.Range()
	})
}

// Small is Query with fewer settings, where those that determine the memory and time of a run are small. It uses all
// methods and data.
func Small(r *rand.Rand, s *experiment.Schema) string {
	most := map[string]float64{"C": 40, "T": 3, "n": 3000, "b": 40, "probe": 40, "tau": 2, "held": 100, "guests": 60,
		"exam": 60, "hidden": 16, "widths": 16, "code": 8, "many": 20, "K": 12, "S": 12, "epochs": 2, "f": 2}
	query := draw(r, s, 8, func(f *param.Field) (low, high float64) {
		if limit, ok := most[f.Name]; ok {
			return f.Min, limit
		}
		return f.Min, f.Max
	})
	for _, setting := range []string{"T=2", "n=600", "b=10", "probe=10", "tau=1", "held=50"} {
		key, _, _ := strings.Cut(setting, "=")
		if !strings.Contains("&"+query, "&"+key+"=") {
			query += "&" + setting
		}
	}
	return query
}

// Axes draws up to three axes of a sweep, each as "key=values": data, lanes, possibly with settings of their own, and
// any settings.
func Axes(r *rand.Rand, s *experiment.Schema) (out []string) {
	full := func(f *param.Field) (low, high float64) { return f.Range() }
	for range 1 + r.IntN(3) {
		var values []string
		switch r.IntN(4) {
		case 0:
			for range 1 + r.IntN(3) {
				values = append(values, s.Workloads[r.IntN(len(s.Workloads))].Name)
			}
			out = append(out, "data="+strings.Join(values, ","))
		case 1:
			for range 1 + r.IntN(3) {
				id := s.Algorithms[r.IntN(len(s.Algorithms))].Name
				if r.IntN(3) == 0 {
					id += ":" + string(rune('a'+r.IntN(3)))
				}
				value := id
				for f := range param.All(fields(s, id)) {
					if r.IntN(12) == 0 && f.PerLane {
						value += "&" + id + "." + f.Name + "=" + draft(r, f, full)
					}
				}
				values = append(values, value)
			}
			out = append(out, "algos="+strings.Join(values, ";")+";")
		default:
			list := s.Fields()
			f := list[r.IntN(len(list))]
			for range 1 + r.IntN(3) {
				values = append(values, draft(r, f, full))
			}
			out = append(out, f.Name+"="+strings.Join(values, ";")+";")
		}
	}
	return out
}

// draw is Query with a random fraction of the settings: one of n, where n is drawn from a range.
func draw(r *rand.Rand, s *experiment.Schema, one int, span func(f *param.Field) (low, high float64)) string {
	var words []string
	add := func(key, text string) { words = append(words, key+"="+text) }
	if r.IntN(16) > 0 {
		add("data", s.Workloads[r.IntN(len(s.Workloads))].Name)
	}
	var ids []string
	if r.IntN(16) > 0 {
		for range 1 + r.IntN(experiment.MaxLanes) {
			id := s.Algorithms[r.IntN(len(s.Algorithms))].Name
			if r.IntN(2) == 0 {
				id += ":" + string(rune('a'+r.IntN(3)))
			}
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		add("algos", strings.Join(ids, ","))
	}
	for _, f := range s.Fields() {
		if r.IntN(one) == 0 {
			add(f.Name, draft(r, f, span))
		}
	}
	for _, id := range ids {
		for f := range param.All(fields(s, id)) {
			if r.IntN(2*one) == 0 {
				add(id+"."+f.Name, draft(r, f, span))
			}
		}
	}
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return strings.Join(words, "&")
}

// fields returns what the algorithm of a lane declares.
func fields(s *experiment.Schema, id string) []param.Field {
	name, _, _ := strings.Cut(id, ":")
	i := slices.IndexFunc(s.Algorithms, func(m registry.Meta) bool { return m.Name == name })
	return s.Algorithms[i].Fields
}

// draft draws the text of a field.
func draft(r *rand.Rand, f *param.Field, span func(f *param.Field) (low, high float64)) string {
	low, high := span(f)
	number := func() float64 {
		switch r.IntN(6) {
		case 0:
			return low
		case 1:
			return high
		}
		if low > 0 && (f.Log || r.IntN(3) == 0) {
			return min(max(low*math.Pow(high/low, r.Float64()), low), high)
		}
		return low + (high-low)*r.Float64()
	}
	switch f.Kind {
	case param.Int:
		return fmt.Sprint(int64(number()))
	case param.Float:
		return fmt.Sprint(number())
	case param.Switch:
		return fmt.Sprint(r.IntN(2))
	case param.Text:
		if f.Default != "" {
			return []string{f.Default, "conv8s2-relu-pool-dense20-tanh"}[r.IntN(2)]
		}
		return []string{"", "1:ignore", "species:label,2-3:feature"}[r.IntN(3)]
	case param.Choice:
		return f.Options[r.IntN(len(f.Options))].Name
	}
	var list []string
	for range r.IntN(5) {
		list = append(list, fmt.Sprintf("%.3g", f.Min+(min(high, f.Max)-f.Min)*r.Float64()))
	}
	return strings.Join(list, ",")
}
