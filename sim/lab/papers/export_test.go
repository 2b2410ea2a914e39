package papers

import (
	"cmp"
	"slices"
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
)

// Unknown lists what claims and numbers name and the plan does not have.
func (s *Sweep) Unknown(p *plan.Plan, labels report.Labels) (out []string) {
	row := func(row string) {
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
		method(c.A)
		if !c.usesBound {
			method(c.B)
		}
	}
	return out
}
