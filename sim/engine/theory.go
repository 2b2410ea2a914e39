package engine

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/theory"
	"flockscope/sim/workload"
)

// theorist measures what theorems are about, see [trace.Theory].
type theorist struct {
	data   workload.Planted
	member []int // a client of each group
	counts []int // groups × models: clients of the group with the model
	space  theory.Subspace

	// What CFL-GP remembers, less what it would without noise; unused by other lanes.
	profiler  fl.Profiler
	gradients workload.WithGradients
	updates   []float64        // of each block
	mean      clusterer.Matrix // A: groups × blocks
	noise     clusterer.Matrix // E: clients × blocks
	gradient  []float64
	spectral  clusterer.Spectral
	none      clusterer.Matrix
}

// newTheorist returns the theorist of a lane, nil if the best models are unknown, or clients have models of their own.
func (l *lane) newTheorist() *theorist {
	data, ok := l.data.(workload.Planted)
	if !ok || l.groups == 0 || l.plan.Personal {
		return nil
	}
	s := &theorist{data: data, counts: make([]int, l.groups*l.plan.Models)}
	for g := range l.groups {
		s.member = append(s.member, slices.Index(l.group, g))
	}
	if slices.Contains(s.member, -1) {
		return nil
	}
	profiler, profiles := l.plan.Algorithm.(fl.Profiler)
	gradients, known := l.data.(workload.WithGradients)
	if profiles && known && l.everPresent == nil && l.info.FrameParams == l.bank.Size && l.plan.Protocol.Epochs == 0 {
		s.profiler, s.gradients = profiler, gradients
		s.updates, s.gradient = make([]float64, l.plan.Models), make([]float64, l.bank.Size)
		s.mean.Reshape(l.groups, len(l.frame.Models))
		clear(s.mean.Data)
		s.noise.Reshape(len(l.label), len(l.frame.Models))
		clear(s.noise.Data)
		s.spectral.Fit(&s.none, &s.noise, 0) // so that rounds do not allocate
	}
	return s
}

// measureError sets the error of the models, and what is promised of it.
func (s *theorist) measureError(l *lane) {
	f, models := &l.frame, l.plan.Models
	clear(s.counts)
	for i, g := range l.group {
		s.counts[g*models+l.label[i]]++
	}
	worst := 0.0
	for g, client := range s.member {
		most := 0 // the client plurality model (CFL-GP, Definition 1)
		for k, n := range s.counts[g*models : (g+1)*models] {
			if n > s.counts[g*models+most] {
				most = k
			}
		}
		worst = max(worst, s.data.Distance(client, l.bank.Model(most), &s.space))
	}
	f.Theory.Error = float32(worst)
	if least := s.data.Convexity(); least > 0 && l.plan.Protocol.Epochs == 0 {
		if f.Round == 0 {
			f.Theory.Promise = f.Theory.Error
			return
		}
		step := l.round.Step
		f.Theory.Promise *= float32(max(math.Abs(1-float64(step*least)), math.Abs(1-float64(step*s.data.Curvature()))))
	}
}

// measureProfile sets the noise and the gaps in what CFL-GP remembers (equations 8 to 10), before the frame has the new
// models.
func (s *theorist) measureProfile(l *lane) {
	if s.profiler == nil {
		return
	}
	averages, k := s.profiler.Profile()
	if averages == nil || averages.Cols != s.mean.Cols {
		return
	}
	f, d := &l.frame, l.bank.Size
	s.updates[k]++
	for g, client := range s.member {
		s.gradients.Gradient(s.gradient, client, f.Models[k*d:(k+1)*d])
		block := s.mean.Row(g)[k*d:]
		for j, v := range s.gradient {
			block[j] += (v - block[j]) / s.updates[k]
		}
	}
	if slices.Contains(s.updates, 0) {
		return
	}
	for i, g := range l.group {
		row, mean := s.noise.Row(i), s.mean.Row(g)
		for j, v := range averages.Row(i) {
			row[j] = v - mean[j]
		}
	}
	s.spectral.Fit(&s.none, &s.noise, 0)
	f.Theory.Noise = float32(s.spectral.Values[0])
	if l.groups > 1 {
		block, whole := theory.GradientGaps(&s.mean, d)
		f.Theory.BlockGap, f.Theory.Gap = float32(block), float32(whole)
	}
}
