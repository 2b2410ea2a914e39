package workload

import (
	"math"
	"slices"

	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "csv",
			Title:  "Your own data",
			Family: registry.OwnFiles,
			Doc:    "Rows client,x,y from your own file, with a group column if the groups are known. The file never leaves this page.",
			Paper:  registry.CFLGP.At("section 5.1, on other data"),
			Fields: []param.Field{fieldScale, fieldMissing, fieldColumns, fieldInit},
		},
		Make: Spec{Make: makeCSV, NeedFile: true, FromFile: true},
	})
}

// ErrNoFile is returned when the experiment needs a file and there is none.
var ErrNoFile = say.Errorf("data=csv needs a file of rows client,x,y: drop one on the page, or give -data FILE on the command line")

// table is a finite data set: every draw is without replacement from the
// client's own rows.
type table struct {
	lines
	rows       *Table
	maxFeature float64 // largest absolute value of x, if it is not scaled
}

func makeCSV(v param.Values, file *File) (Workload, error) {
	if file == nil {
		return nil, ErrNoFile
	}
	f, err := file.With(v.Text("cols"), v.Text("na"))
	if err != nil {
		return nil, err
	}
	if f.Table == nil {
		return nil, ErrNoFile
	}
	if f.Set != nil {
		if err := scalable(v.Text("scale"), f.Set); err != nil {
			return nil, err
		}
	}
	w := &table{rows: f.Table.scaled(v.Text("scale"))}
	if v.Text("scale") == "none" {
		for _, x := range slices.Concat(w.rows.X...) {
			w.maxFeature = max(w.maxFeature, math.Abs(float64(x)))
		}
	}
	w.model = model.Linear{Intercept: true}
	w.spread = v.Float("init")
	w.group, w.groups = w.rows.Group, len(w.rows.Groups)
	for i := range w.rows.Clients {
		var m moments
		for j, xf := range w.rows.X[i] {
			x, y := float64(xf), float64(w.rows.Y[i][j])
			m.xx += float64(x * x)
			m.x += x
			m.xy += float64(x * y)
			m.y += y
			m.yy += float64(y * y)
		}
		n := float64(len(w.rows.X[i]))
		w.moments = append(w.moments, moments{m.xx / n, m.x / n, m.xy / n, m.y / n, m.yy / n})
	}
	return w, nil
}

func (w *table) MaxFeature() float64 { return w.maxFeature }

func (w *table) Samples(client int) int { return len(w.rows.X[client]) }

func (w *table) Holds(client int) int { return len(w.rows.X[client]) }

func (w *table) Take(b *model.Batch, client int, which []int32) {
	b.Resize(len(which), 1)
	for j, r := range which {
		b.X[j], b.Y[j] = w.rows.X[client][r], w.rows.Y[client][r]
	}
}

// Draw takes the first n of a shuffle of the client's rows, so that the first
// m of n rows are a draw of size m.
func (w *table) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	x, y := w.rows.X[client], w.rows.Y[client]
	n = min(n, len(x))
	b.Resize(n, 1)
	pick(n, len(x), s, func(i, at int) { b.X[i], b.Y[i] = x[at], y[at] })
}

// Nodes fills b with all rows of the client.
func (w *table) Nodes(b *model.Batch, client int) {
	b.Resize(len(w.rows.X[client]), 1)
	copy(b.X, w.rows.X[client])
	copy(b.Y, w.rows.Y[client])
}

func (w *table) DataPreview(s *rng.Stream, seed uint64) trace.DataPreview {
	return drawPreview(w, s, seed)
}
