package catalog_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/sim/testing/randquery"
	"flockscope/sim/workload"
)

// Menus group methods and data by family. Those of methods are in package engine's TestMethods.
func TestFamilies(t *testing.T) {
	s := catalog.Schema()
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if w.Family < registry.Lines || w.Family > registry.OwnFiles || w.NeedFile != (w.Family == registry.OwnFiles) {
			t.Errorf("%s has the family %q; does it need files: %v", w.Name, w.Family.Title(), w.NeedFile)
		}
	}
	n := 0
	for _, g := range append(s.MethodMenu(), s.WorkloadMenu()...) {
		n += len(g.Entries)
	}
	if want := len(s.Algorithms) + len(s.Workloads); n != want {
		t.Errorf("%d of %d methods and workloads are in groups", n, want)
	}
}

// Workloads say whether their samples can be counted as they are. A setting that needs that is no
// setting where they cannot be, of all lanes or of one, and the error says so.
func TestEndless(t *testing.T) {
	for _, w := range catalog.Workloads() {
		if w.Make.NeedFile {
			continue
		}
		c, _ := catalog.Schema().Parse("n=600&exam=5&data=" + w.Name)
		data, _, err := catalog.Build(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, finite := data.(workload.Finite); finite == w.Make.Endless {
			t.Errorf("%s: Endless is %v, and the data are finite: %v", w.Name, w.Make.Endless, finite)
		}
		for _, given := range []string{"algos=fedala&alashare=0.5", "algos=fedala&fedala.alashare=0.5",
			"algos=clove&grad=all"} {
			c, problems := catalog.Schema().Parse("data=" + w.Name + "&" + given)
			told := len(problems) == 1 && strings.Contains(problems[0].Err.Error(), "has no effect")
			if told != w.Make.Endless || !told && len(problems) > 0 {
				t.Errorf("%s: %s has the problems %v", w.Name, given, problems)
			}
			if kept := strings.Contains(c.String(), "alashare") || strings.Contains(c.String(), "grad"); kept == w.Make.Endless {
				t.Errorf("%s: %s is %s", w.Name, given, c)
			}
		}
	}
}

// TestRefuses: what a method cannot do with a model is refused, with the setting that would help.
func TestRefuses(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"data=digits&algos=fedproto&net=conv4s4-relu-dense8-relu&blocks=1", "blocks: got"},
		{"data=digits&algos=fedproto&net=conv4s4-relu-dense8-relu&blocks=2", ""},
		{"data=digits&algos=fedproto&net=conv4s4-relu-dense8-relu", ""},
		{"data=linreg&algos=hcfl&weigh=labels", "weigh: got"},
	} {
		c, _ := catalog.Schema().Parse(tt.query)
		switch err := catalog.Check(c, nil); {
		case tt.want == "" && err != nil:
			t.Errorf("%s is refused: %v", tt.query, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s has the error %v, want one about %s", tt.query, err, tt.want)
		}
	}
}

// A lane has the settings that it would have by its own link: what other lanes or nobody reads is not read by it either.
func TestLanesAlone(t *testing.T) {
	r, s := rand.New(rand.NewPCG(1, 2)), catalog.Schema()
	for range 60 {
		c, _ := s.Parse(randquery.Query(r, s))
		for i, l := range c.Lanes() {
			alone, err := c.With("algos", l.ID())
			if err != nil {
				continue // a limit that only other lanes had moved
			}
			again, problems := s.Parse(alone.String())
			if err := experiment.Strict(problems); err != nil {
				t.Fatalf("%s: %v", alone, err)
			}
			for _, f := range s.Fields() {
				if !f.PerLane {
					continue
				}
				if want, got := again.Values(0).Text(f.Name), c.Values(i).Text(f.Name); got != want {
					t.Errorf("%s: %s has %s=%s, and by its own link %s", c, l.ID(), f.Name, got, want)
				}
			}
		}
	}
}
