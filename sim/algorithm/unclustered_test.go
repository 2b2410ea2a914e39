package algorithm

import (
	"testing"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

// TestUnclustered: a method says that it makes no clusters where every client has a
// model for itself, kept apart or made of one for all; and no other says so.
func TestUnclustered(t *testing.T) {
	for _, e := range method.Registry.All() {
		v := param.Given{}
		var all func(fields []param.Field)
		all = func(fields []param.Field) {
			for _, f := range fields {
				v[f.Name] = f.Default
				for _, o := range f.Options {
					all(o.Fields)
				}
			}
		}
		all(e.Fields)
		v["T"], v["P"], v["sm"] = "10", "10", "1"
		plan := e.Make(v.Values(), 6)
		_, own := plan.Device.(fl.Personal)
		if want := plan.Personal || own && plan.Models == 1; e.Unclustered != want {
			t.Errorf("%s: Unclustered is %v, want %v", e.Name, e.Unclustered, want)
		}
	}
}
