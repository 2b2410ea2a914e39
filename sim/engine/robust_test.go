package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/param"
)

// robustMeans are the values of mean= that are not the weighted mean, small enough for few clients.
var robustMeans = []string{"median", "trimmed&trim=0.3", "geomedian", "clipped&bound=0.5", "krum", "multikrum", "bulyan"}

// averages reports whether a method reads the setting mean.
func averages(name string) bool {
	for _, a := range catalog.Algorithms() {
		if a.Name == name {
			return slices.ContainsFunc(a.Fields, func(f param.Field) bool { return f.Name == "mean" })
		}
	}
	return false
}

// TestEveryMethodAveragesByTheRule: a method that averages comes to other models by a median than by a mean, and every
// rule leaves its models finite. The others stay as they are.
func TestEveryMethodAveragesByTheRule(t *testing.T) {
	for n, name := range algorithms() {
		query := "data=digits&n=270&C=9&shift=rotations&angles=0,90,180&net=mlp&hidden=6&T=4&every=4&b=8&probe=8&K=1&most=1&algos=" +
			name
		plain := recordAny(t, query)
		rules := robustMeans
		if testing.Short() {
			rules = []string{robustMeans[n%len(robustMeans)]}
		}
		for _, rule := range rules {
			r := recordAny(t, query+"&mean="+rule)
			if same := slices.Equal(r.fingerprints(), plain.fingerprints()); same == averages(name) {
				t.Errorf("%s: mean=%s changes something: %v, want %v", name, rule, !same, averages(name))
			}
			if s := r.summaries[0]; s.Diverged >= 0 || math.IsNaN(s.Loss) {
				t.Errorf("%s: mean=%s: diverged in round %d, loss %v", name, rule, s.Diverged, s.Loss)
			}
		}
	}
}

// TestAverageOfOne: the average of one client's update is that update, by every rule.
func TestAverageOfOne(t *testing.T) {
	for _, name := range []string{"fedavg", "ifca", "clove", "cflgp", "stocfl", "fedem", "hcfl", "fesem"} {
		query := "data=linreg&C=1&D=1&K=1&most=1&T=10&algos=" + name
		want := recordAny(t, query).lanes[0][10].Models
		for _, rule := range robustMeans[:3] { // the others need three clients, or shorten the update
			for j, v := range recordAny(t, query+"&mean="+rule).lanes[0][10].Models {
				if math.Abs(float64(v-want[j])) > 1e-5*(1+math.Abs(float64(want[j]))) {
					t.Errorf("%s, mean=%s: parameter %d is %v, want %v", name, rule, j, v, want[j])
				}
			}
		}
	}
}

// TestTooFewForTheRule: an average that needs more clients than there are is refused, and the error names one that fits.
func TestTooFewForTheRule(t *testing.T) {
	for _, tt := range []struct{ query, field, suggestion string }{
		{"C=6&algos=fedavg&mean=krum&f=2", "f", "1"},
		{"C=6&algos=fedavg,clove&clove.mean=bulyan&clove.f=1", "clove.f", "0"},
		{"C=2&D=1&algos=fedavg&mean=multikrum", "mean", "median"},
		{"C=7&algos=fedavg&mean=krum&f=2", "", ""},
		{"C=7&algos=fedavg&mean=bulyan", "", ""},
		{"C=2&D=1&algos=local&mean=krum", "", ""}, // it averages nothing
	} {
		c, _ := catalog.Schema().Parse(tt.query + "&T=2")
		err := engine.Run(context.Background(), c, nil, new(nothing))
		var wrong *param.Error
		if (err == nil) != (tt.field == "") {
			t.Errorf("%s: error %v", tt.query, err)
		} else if err != nil && (!errors.As(err, &wrong) || wrong.Field != tt.field ||
			wrong.Suggestions[0].Value != tt.suggestion) {
			t.Errorf("%s: error %v with suggestions %v, want one about %s that suggests %s", tt.query, err,
				fmt.Sprint(wrong.Suggestions), tt.field, tt.suggestion)
		}
	}
}
