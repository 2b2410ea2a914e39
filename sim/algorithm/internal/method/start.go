package method

import (
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

// FieldStart is for methods that compare clients by several models: some of them need models that differ.
var FieldStart = param.Field{Name: "start", Label: "Start models", Section: param.Models, Kind: param.Choice,
	Default: "different", PerLane: true, Advanced: true,
	Options: []param.Option{{Name: "different", Title: "each drawn by itself"},
		{Name: "same", Title: "copies of the first"}},
	Doc: "Whether models start different. From copies IFCA stays with one model; CLoVE can still tell clients apart."}

// StartAlike makes every model a copy of the first.
func StartAlike(b *fl.Bank) {
	for k := range b.Models() {
		copy(b.Model(k), b.Model(0))
	}
}
