package catalog_test

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/registry"
)

// Menus group methods and data by family, and each has the one that fits what it says.
func TestFamilies(t *testing.T) {
	s := catalog.Schema()
	for _, m := range s.Algorithms {
		switch {
		case m.Family < registry.OneModel || m.Family > registry.PersonalModels:
			t.Errorf("%s has the family %q, want one of methods", m.Name, m.Family.Title())
		case m.Unclustered != (m.Family == registry.PersonalModels):
			t.Errorf("%s has the family %q; does it cluster nobody: %v", m.Name, m.Family.Title(), m.Unclustered)
		case strings.HasSuffix(m.By, "soft") && m.Family != registry.SoftClusters:
			t.Errorf("%s compares by %q and has the family %q", m.Name, m.By, m.Family.Title())
		}
	}
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if w.Family < registry.Lines || w.Family > registry.OwnFiles || w.NeedFile != (w.Family == registry.OwnFiles) {
			t.Errorf("%s has the family %q; does it need files: %v", w.Name, w.Family.Title(), w.NeedFile)
		}
	}
	n := 0
	for _, g := range append(s.Methods(), s.Samples()...) {
		n += len(g.Entries)
	}
	if want := len(s.Algorithms) + len(s.Workloads); n != want {
		t.Errorf("%d of %d methods and workloads are in groups", n, want)
	}
}
