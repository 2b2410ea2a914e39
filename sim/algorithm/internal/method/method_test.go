package method

import (
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// A method without the settings of training is refused, with what to write.
func TestRegistryRefuses(t *testing.T) {
	for name, fields := range map[string][]param.Field{
		"none":    {FieldK},
		"rate":    {FieldK, fieldRate},
		"average": {fieldAverage},
		"both":    LocalTraining(),
	} {
		r := registry.Registry[fl.Maker]{Prepare: Registry.Prepare}
		said := ""
		func() {
			defer func() {
				if p := recover(); p != nil {
					said = fmt.Sprint(p)
				}
			}()
			r.Register(registry.Entry[fl.Maker]{Meta: registry.Meta{Name: "new", Title: "New", Doc: "New.",
				Paper: registry.FedAvg, Fields: fields}})
		}()
		want := map[string]string{"none": "new has no setting lr", "rate": "new has no setting avg",
			"average": "new has no setting lr"}[name]
		if (said == "") != (want == "") || !strings.Contains(said, want) || len(r.All()) == 0 == (want == "") {
			t.Errorf("%s: %q, want %q", name, said, want)
		}
	}
}
