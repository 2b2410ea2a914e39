package engine

import (
	"math"

	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// mostSeen is the most weights of a layer that become pictures.
const mostSeen = 1 << 16

// noteSeen adds to the note of a client's update what the server can see in it, if the model is a single layer on pictures.
// The gradient of cross-entropy is, for the weights of class c,
//
//	Σ (p_c − 1[y = c]) x   over the samples (x, y), p_c the model's probability of the class
//
// so the weights of a class that the client holds move towards the mean of its pictures of the class (Zhu, Liu, Han: Deep
// Leakage from Gradients, NeurIPS 2019, has more of such attacks). Its values are
//
//	rows   minus the update, class after class, pixel after pixel
//	match  the correlation of the row of a class with the client's mean picture of the class, mean over its classes
func (l *lane) noteSeen(rec *fl.Recorder) {
	data, ok := l.data.(workload.Patched)
	net, _ := l.data.Model().(*model.Network)
	if !ok || net == nil || data.Patch() == nil || net.Trunk().Hi > 0 {
		return
	}
	inputs, classes := net.Inputs(), net.Outputs()
	if inputs*classes > mostSeen || len(rec.Update) < inputs*classes {
		return
	}
	at := -1
	for n := range rec.Notes {
		if rec.Notes[n].Step == fl.StepTrain {
			at = n
		}
	}
	if at < 0 {
		return
	}
	rows := make([]float64, inputs*classes)
	for p := range inputs {
		for c := range classes { // weights are stored pixel after pixel
			rows[c*inputs+p] = -float64(rec.Update[p*classes+c])
		}
	}
	sum, n := 0.0, 0.0
	for c, mean := range meanPictures(data, rec.Client, inputs, classes) {
		if mean != nil {
			sum += correlation(rows[c*inputs:(c+1)*inputs], mean)
			n++
		}
	}
	note := &rec.Notes[at]
	note.Values = append(note.Values, trace.Value{Name: "rows", Numbers: rows}, fl.Number("match", sum/n))
}

// meanPictures returns a client's mean picture of each class, nil for classes of which it has none.
func meanPictures(data workload.Finite, client, inputs, classes int) [][]float64 {
	which := make([]int32, data.Holds(client))
	for i := range which {
		which[i] = int32(i)
	}
	var samples model.Batch
	data.Take(&samples, client, which)
	means, count := make([][]float64, classes), make([]float64, classes)
	for i := range samples.N {
		c := int(samples.Y[i])
		if means[c] == nil {
			means[c] = make([]float64, inputs)
		}
		count[c]++
		for p, v := range samples.X[i*inputs : (i+1)*inputs] {
			means[c][p] += (float64(v) - means[c][p]) / count[c]
		}
	}
	return means
}

// correlation returns Pearson's correlation of two vectors, 0 if one of them is constant.
func correlation(x, y []float64) float64 {
	var mx, my, xx, xy, yy float64
	for i := range x {
		mx, my = mx+x[i], my+y[i]
	}
	mx, my = mx/float64(len(x)), my/float64(len(y))
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}
