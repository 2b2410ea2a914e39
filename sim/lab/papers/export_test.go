package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/param"
)

// Unknown lists what claims and numbers name and the plan does not have.
func (s *Sweep) Unknown(p *plan.Plan, labels report.Labels) (out []string) {
	row := func(row string) {
		if rows, ok := eachOf(row); ok {
			row = rows
		}
		for part := range strings.SplitSeq(row, ",") {
			if part != "*" && !slices.ContainsFunc(p.Axes, func(x plan.Axis) bool {
				return slices.ContainsFunc(x.Values, func(v string) bool {
					return named(x.Key, cmp.Or(labels[x.Key][v], v), part)
				})
			}) {
				out = append(out, "row "+part)
			}
		}
	}
	var lanes []string
	for point := range p.Points() {
		c := p.Lanes(point)
		for i := range c.Lanes() {
			lanes = append(lanes, c.Lanes()[i].ID())
		}
	}
	method := func(name string) {
		if !slices.Contains(lanes, name) {
			out = append(out, "method "+name)
		}
	}
	for _, n := range s.Numbers {
		row(n.Row)
		method(n.Method)
	}
	for _, c := range s.Claims {
		row(c.Row)
		if c.Other != "" {
			row(c.Other)
		}
		if !c.below {
			method(c.A)
		}
		if !c.above {
			method(c.B)
		}
	}
	for _, name := range s.Contents {
		method(name)
	}
	for _, x := range s.Protocol {
		row(x.Row)
		if x.Method != "*" {
			method(x.Method)
		}
	}
	return out
}

// NotFollowed lists settings of a point that are not as its protocol says.
func (s *Sweep) NotFollowed(p *plan.Plan, labels report.Labels, point int, c experiment.Config) (out []string) {
	values := p.Values(point)
	for _, x := range s.Protocol {
		fits := x.Row == "*"
		if !fits {
			fits = true
			for part := range strings.SplitSeq(x.Row, ",") {
				fits = fits && slices.ContainsFunc(p.Axes, func(a plan.Axis) bool {
					v := values[slices.IndexFunc(p.Axes, func(b plan.Axis) bool { return a.Key == b.Key })]
					return named(a.Key, cmp.Or(labels[a.Key][v], v), part)
				})
			}
		}
		if !fits {
			continue
		}
		for i := range c.Lanes() {
			id := c.Lanes()[i].ID()
			if x.Method != "*" && x.Method != id {
				continue
			}
			for _, setting := range x.Settings {
				key, want := setting[0], setting[1]
				f, known := c.Field(key)
				if known {
					if text, err := f.Canonical(want); err == nil {
						want = text
					}
				}
				got, read := c.Text(key), c.Reads(key)
				if slices.ContainsFunc(c.LaneFields(i), func(f param.Field) bool { return f.Name == key }) {
					got = c.LaneValue(i, key)
				}
				if key == "data" {
					got, read, known = c.Workload(), true, true
				}
				switch {
				case !known, !read && x.Method != "*":
					out = append(out, fmt.Sprintf("%s does not read %s (%s)", id, key, x.Where))
				case read && got != want:
					out = append(out, fmt.Sprintf("%s has %s=%s, want %s (%s)", id, key, got, want, x.Where))
				}
			}
		}
	}
	return out
}
