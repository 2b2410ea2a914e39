package algorithm

import (
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// spot is a place with given samples, for devices that look at nothing else.
type spot struct {
	fl.ClientContext
	model   model.Model
	batch   model.Batch
	scratch [2][]float32
	rate    float64
}

func (s *spot) SampleCount() int        { return s.batch.N }
func (s *spot) Model() model.Model      { return s.model }
func (s *spot) Network() *model.Network { n, _ := s.model.(*model.Network); return n }
func (s *spot) Minibatch() model.Batch  { return s.batch.First(2) }
func (s *spot) Protocol() fl.Protocol   { return fl.Protocol{Rate: s.rate, Digits: -1} }
func (s *spot) Quantize([]float32)      {}
func (s *spot) Samples(low, high int) model.Batch {
	inputs := s.model.Inputs()
	return model.Batch{X: s.batch.X[low*inputs : high*inputs], Y: s.batch.Y[low:high], N: high - low}
}
func (s *spot) Stream(p rng.Purpose) *rng.Stream {
	stream := new(rng.Stream)
	stream.Reset(1, p, 0, 0)
	return stream
}
func (s *spot) Scratch(slot, n int) []float32 {
	s.scratch[slot] = make([]float32, n)
	return s.scratch[slot]
}

// sketched returns rows, one sample each, as an answer.
func sketched(rows ...[]float64) []float32 {
	var s sketch
	for _, row := range rows {
		s.counts = append(s.counts, 1)
		s.rows.Cols = len(row)
		s.rows.Rows++
		s.rows.Data = append(s.rows.Data, row...)
	}
	return s.append(nil, &spot{})
}

// sketchRig is a one-shot method whose clients send given sketches; client i's
// update is (i+1, its model).
func sketchRig(t testing.TB, name string, answers [][]float32, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, name, len(answers), 2, samples, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Call > 0 {
			reply.Answer = append(reply.Answer[:0], answers[i]...)
		}
		for n, k := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 2), []float32{float32(i + 1), float32(k)})
		}
	}
	return r
}

func TestSketch(t *testing.T) {
	for _, rows := range [][][]float64{nil, {{1, 2, 3}}, {{1, 2}, {3, 4}, {5, 6}}} {
		var s sketch
		s.read(sketched(rows...))
		if s.rows.Rows != len(rows) || len(s.counts) != len(rows) ||
			!slices.Equal(s.rows.Data, slices.Concat(rows...)) {
			t.Errorf("sketch of %v is read as %v of %v", rows, s.rows, s.counts)
		}
	}
}

// TestSamplesOf: a number to predict belongs to the sample.
func TestSamplesOf(t *testing.T) {
	batch := model.Batch{X: []float32{1, 2, 3}, Y: []float32{4, 5, 6}, N: 3}
	rows, classes := samplesOf(&spot{model: model.Linear{}, batch: batch})
	if want := []float64{1, 4, 2, 5, 3, 6}; !slices.Equal(rows.Data, want) || rows.Cols != 2 || classes != nil {
		t.Errorf("samples of a line are %v with classes %v, want %v", rows, classes, want)
	}
}

// classifier is a softmax network over images of one row.
func classifier(t testing.TB, inputs, classes int) *model.Network {
	t.Helper()
	e, ok := model.Registry.Lookup("softmax")
	if !ok {
		t.Fatal("no model softmax")
	}
	n, err := e.Make.Make(nil, model.Samples{Shape: model.Shape{Height: 1, Width: inputs, Channels: 1},
		Classes: classes})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
