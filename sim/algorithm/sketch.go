package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// A sketch is the description that a client of a one-shot method sends of its samples: a few rows, in the space of the
// samples, and the number of samples of each. It is sent as floats: the number of rows, the samples of each, the rows.
type sketch struct {
	rows   clusterer.Matrix
	counts []int
}

// append writes the sketch as a client's answer.
func (s *sketch) append(dst []float32, at fl.ClientContext) []float32 {
	dst = append(dst, float32(s.rows.Rows))
	for _, n := range s.counts {
		dst = append(dst, float32(n))
	}
	from := len(dst)
	for _, v := range s.rows.Data {
		dst = append(dst, float32(v))
	}
	at.Quantize(dst[from:])
	return dst
}

// sketchMeter is the [fl.Meter] of algorithms whose calls only ask for sketches: the counts in them are free.
type sketchMeter struct{}

func (sketchMeter) FreeDown(*fl.Round, int) int64 { return 0 }

func (sketchMeter) FreeUp(r *fl.Round, i int) int64 { return int64(1 + r.Answer(i)[0]) }

// read reads a sketch from a client's answer.
func (s *sketch) read(answer []float32) {
	n := int(answer[0])
	s.counts = make([]int, n)
	for j := range s.counts {
		s.counts[j] = int(answer[1+j])
	}
	values := answer[1+n:]
	s.rows.Reshape(n, len(values)/max(n, 1))
	for j := range s.rows.Data {
		s.rows.Data[j] = float64(values[j])
	}
}

// opSketch asks a device for the sketch of its samples.
const opSketch = 1

// askSketches asks the participants that have not sent one yet, and reads the answers. It reports whether any
// participant replied.
func askSketches(r *fl.Round, sketches []sketch, known []bool) bool {
	asked := false
	for _, i := range r.Participants {
		if !known[i] {
			r.AskCall(i, opSketch, nil)
			asked = true
		}
	}
	if !asked {
		return false
	}
	r.Ask()
	for _, i := range r.Replied {
		sketches[i].read(r.Answer(i))
		known[i] = true
	}
	return len(r.Replied) > 0
}

// samplesOf returns the samples of a client as rows: all of them, or those of this round where the client draws fresh ones.
// Where the model predicts a number, it is part of the sample and follows its features: [x, y], as in CLoVE's comparison
// with k-FED.
func samplesOf(at fl.ClientContext) (rows clusterer.Matrix, classes []int) {
	b := at.Samples(0, at.SampleCount())
	network := at.Network()
	inputs := at.Model().Inputs()
	stacked := 0
	switch {
	case network == nil || network.Task() == model.Regression:
		stacked = 1
	case network.Task() == model.Classification:
		classes = make([]int, b.N)
	}
	rows.Reshape(b.N, inputs+stacked)
	for j := range b.N {
		row := rows.Row(j)
		for k, v := range b.X[j*inputs : (j+1)*inputs] {
			row[k] = float64(v)
		}
		if stacked > 0 {
			row[inputs] = float64(b.Y[j])
		}
		if classes != nil {
			classes[j] = int(b.Y[j])
		}
	}
	return rows, classes
}

// askModels asks the known participants to train the model of their cluster.
func askModels(r *fl.Round, known []bool) {
	for _, i := range r.Participants {
		if known[i] {
			r.AskUpdate(i, r.Label[i])
		}
	}
	r.Ask()
}
