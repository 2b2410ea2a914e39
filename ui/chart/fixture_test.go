package chart

import (
	"math"
	"math/rand/v2"
	"slices"

	"flockscope/sim/trace"
)

// fixture describes a synthetic run: groups gather in clouds while rounds
// pass, as a real run does, without any learning.
type fixture struct {
	clients, groups, rounds, models int
	kind                            trace.Map
	algorithm, title                string
	unknown                         bool // nobody knows the groups
	unserved                        bool // the last model has no clients
	streaming                       bool // two thirds are computed, no summary yet
	wild                            bool // the first rounds are far out
	images                          bool // samples are images: models are tried every five rounds
	colour                          bool // with three channels
	classes                         int  // of images
	rebuilds                        bool // models rebuild images and have no answers
	soft                            bool // clients have several models at once
	drawn                           int  // parameters of a model in frames; 0 for two
}

// run builds a run with one lane for each fixture, all about the first one's
// clients. Equal fixtures give equal runs.
func run(lanes ...fixture) *trace.Run {
	fx := lanes[0]
	r := rand.New(rand.NewPCG(7, uint64(fx.clients)))
	h := &trace.Header{Query: "test", Clients: fx.clients, Rounds: fx.rounds}
	group := make([]int16, fx.clients)
	for i := range group {
		group[i] = int16(i * fx.groups / fx.clients)
	}
	if !fx.unknown {
		h.Groups, h.Group = fx.groups, group
	}
	if h.Scenery = scenery(fx, group, r); fx.images {
		h.Scenery = trace.Scenery{Floor: -1, Gallery: gallery(fx, group)}
	}
	for _, l := range lanes {
		columns := l.models
		if l.algorithm == "local" {
			columns = 1
		}
		size, drawn := 2, 2
		if fx.images {
			size, drawn = 159010, 0
		}
		if l.drawn > 0 {
			size, drawn = l.drawn, l.drawn
		}
		h.Lanes = append(h.Lanes, trace.Lane{ID: l.algorithm, Algorithm: l.algorithm, Title: l.title, Border: l.algorithm == "ifca",
			Models: l.models, Size: size, Drawn: drawn, Columns: columns, Map: l.kind})
	}
	out := trace.NewRun(h)
	for i, l := range lanes {
		out.Tracks[i] = track(l, h, group, rand.New(rand.NewPCG(11, uint64(i))))
	}
	return out
}

func scenery(fx fixture, group []int16, r *rand.Rand) trace.Scenery {
	sc := trace.Scenery{Floor: 0.04, XMin: 0, XMax: 1, YMin: -1.2, YMax: 1.2, Fan: true}
	for g := range fx.groups {
		phi := 20 * (float64(fx.groups-1)/2 - float64(g)) * math.Pi / 180
		sc.Truth = append(sc.Truth, trace.Line{Slope: float32(math.Tan(phi))})
	}
	for i := range min(fx.clients, 12) {
		c := i * fx.clients / min(fx.clients, 12)
		slope := sc.Truth[group[c]].Slope
		for range 6 {
			x := r.Float32() * tip(sc.Truth[group[c]])
			sc.Points = append(sc.Points, trace.Point{X: x, Y: slope*x + 0.2*float32(r.NormFloat64()), Client: int16(c)})
		}
	}
	if fx.unknown {
		sc.Truth, sc.Fan, sc.Floor = nil, false, -1
	}
	return sc
}

// gallery has a few strokes that are turned by a quarter from group to group.
func gallery(fx fixture, group []int16) trace.Gallery {
	const side = 8
	g := trace.Gallery{Height: side, Width: side, Channels: 1, Each: 4}
	if fx.colour {
		g.Channels = 3
	}
	for k := range fx.classes {
		g.Classes = append(g.Classes, Letter(30+k))
	}
	for k := range fx.groups {
		g.Groups = append(g.Groups, Fixed(float64(90*k), 0)+"°")
	}
	for i := range fx.clients {
		for n := range g.Each {
			class := (i + n) % fx.classes
			g.Label = append(g.Label, uint8(class))
			for at := range side * side {
				x, y := at%side, at/side
				for range group[i] % 4 {
					x, y = y, side-1-x
				}
				for c := range g.Channels {
					v := uint8(0)
					if x == 1 || y == 6 && x > 0 && x <= 1+class || x == 2 && y == c {
						v = 255
					} else if x == 2 {
						v = 90
					}
					g.Pixels = append(g.Pixels, v)
				}
			}
		}
	}
	return g
}

// tried fills in what a trial brings to light: the better, the less noise.
func tried(fx fixture, f *trace.Frame, noise float64, r *rand.Rand) {
	f.Events |= trace.Examined
	f.Accuracies, f.Confusion = make([]float32, fx.clients), make([]uint16, fx.clients*fx.classes*fx.classes)
	const each = 20
	for i := range fx.clients {
		right := 0
		for n := range each * fx.classes {
			class := n % fx.classes
			answer := class
			if r.Float64() < 0.05+0.9*noise {
				answer = r.IntN(fx.classes)
			}
			f.Confusion[(i*fx.classes+class)*fx.classes+answer]++
			if answer == class {
				right++
			}
		}
		f.Accuracies[i] = float32(right) / float32(each*fx.classes)
		f.Accuracy += float64(f.Accuracies[i]) / float64(fx.clients)
	}
}

func track(fx fixture, h *trace.Header, group []int16, r *rand.Rand) trace.Track {
	var tr trace.Track
	last := fx.rounds
	if fx.streaming {
		last = fx.rounds * 2 / 3
	}
	alias := make([]uint16, fx.models)
	for k := range alias {
		alias[k] = uint16(k)
	}
	if fx.models >= 2 && fx.algorithm != "local" {
		alias[0], alias[1] = 1, 0
	}
	settled := -1
	for t := range last + 1 {
		noise := 1 / (1 + 0.4*float64(t))
		if fx.algorithm == "ifca" {
			noise = max(noise, 0.3)
		}
		f := frame(fx, h, group, alias, r, t, noise)
		if h.Scenery.Gallery.Holds() {
			f.Models = nil
			if fx := lanesOf(fx, h); t%5 == 0 || t == fx.rounds {
				if fx.rebuilds {
					copied(fx, h, &f, noise)
				} else {
					tried(fx, &f, noise, r)
				}
			} else {
				f.Losses, f.Loss = tr.Frames[t-1].Losses, tr.Frames[t-1].Loss // and no accuracy
			}
		}
		if f.Misplaced > 0 {
			settled = -1
		} else if settled < 0 && t > 0 && !fx.unknown {
			settled = t
		}
		tr.Frames = append(tr.Frames, f)
	}
	if !fx.streaming {
		tr.Summary = &trace.Summary{Metrics: tr.Frames[last].Metrics, Settled: settled, Diverged: -1, Alias: alias}
	}
	return tr
}

// lanesOf gives the fixture of a lane the classes of the run.
func lanesOf(fx fixture, h *trace.Header) fixture {
	fx.classes = len(h.Scenery.Gallery.Classes)
	return fx
}

func frame(fx fixture, h *trace.Header, group []int16, alias []uint16, r *rand.Rand, t int, noise float64) trace.Frame {
	c, used := fx.clients, fx.models
	if fx.unserved {
		used--
	}
	f := trace.Frame{Round: t, Kept: 1, Events: trace.Reclustered * trace.Events((t+1)%2)}
	if fx.kind == trace.LossPlane {
		f.Kept = 0.87
	}
	for k := range fx.models {
		slope := 0.0
		if g := int(alias[k]); g < len(h.Scenery.Truth) {
			slope = float64(h.Scenery.Truth[g].Slope)
		}
		f.Models = append(f.Models, float32(slope*(1-noise)+noise*r.NormFloat64()*0.5), float32(0.3*noise*r.NormFloat64()))
	}
	if fx.drawn > 0 {
		f.Models = resized(f.Models, fx.models, fx.drawn)
	}
	seen := map[int]bool{}
	for i := range c {
		g := int(group[i])
		k := 0
		for at, a := range alias {
			if int(a) == g%used {
				k = at
			}
		}
		if t == 0 || r.Float64() < noise*0.5 {
			k = r.IntN(used)
		}
		switch fx.algorithm {
		case "fedavg":
			k = 0
		case "local":
			k = i
		}
		f.Label = append(f.Label, uint16(k))
		seen[k] = true
		if k != int(alias[g%len(alias)]) && fx.algorithm != "local" {
			f.Misplaced++
		}
		losses := make([]float64, fx.models)
		for m := range losses {
			d := float64(int(alias[m])-g) * (1 - 0.7*noise)
			losses[m] = 0.05 + 0.08*d*d + noise*0.05*math.Abs(r.NormFloat64())
		}
		columns := fx.models
		if fx.algorithm == "local" {
			columns = 1
		}
		for m := range columns {
			f.Losses = append(f.Losses, float32(losses[m]))
		}
		if fx.kind == trace.NoMap || t == 0 {
			continue
		}
		f.XY = append(f.XY, place(fx, losses, g, noise, t, r)...)
	}
	f.Clusters = len(seen)
	if fx.soft {
		blend(&f, fx, noise)
	}
	if fx.kind == trace.GradientPlane && t > 0 && f.Events.Has(trace.Reclustered) {
		look(&f, fx, noise, t)
	}
	f.Metrics.ARI = 1 - min(float64(f.Misplaced)/float64(c)*1.5, 1)
	f.Loss = 0.04 + 0.5*noise*noise + 0.02*noise*math.Abs(r.NormFloat64())
	f.Worst = f.Loss * 2
	f.Down, f.Up = float64(2*fx.models*t), float64(2*t)
	return f
}

// copied fills in what models make of pictures: grey where they are not the
// sitter's own, and the more noise there is.
func copied(fx fixture, h *trace.Header, f *trace.Frame, noise float64) {
	f.Events |= trace.Examined
	g := &h.Scenery.Gallery
	for k := range fx.models {
		for _, i := range h.Sitters() {
			blur := 0.3 + 0.5*noise
			if int(f.Label[i]) == k {
				blur = 0.1 + 0.4*noise
			}
			for _, c := range g.Image(i, 0) {
				f.Rebuilt = append(f.Rebuilt, uint8(float64(c)*(1-blur)+128*blur))
			}
		}
	}
}

// blend gives every client its model and a share of the others, the more the
// more noise there is and the higher its number.
func blend(f *trace.Frame, fx fixture, noise float64) {
	f.Events |= trace.Soft
	for i, k := range f.Label {
		rest := 0.9 * noise * float64(i%4+1) / 4
		for m := range fx.models {
			w := rest / float64(fx.models)
			if m == int(k) {
				w += 1 - rest
			}
			f.Mixture = append(f.Mixture, float32(w))
		}
	}
}

// look fills in singular values: one of what all have in common, one less than
// there are groups of what tells them apart, and noise.
func look(f *trace.Frame, fx fixture, noise float64, t int) {
	f.Directions = fx.models
	for i := range min(2*fx.models+2, fx.clients, trace.MaxSpectrum) {
		value := 0.9 * noise / float64(i+1)
		if i < fx.groups {
			value += (2 - noise) / (1 + 0.3*float64(i)) * (1 - 0.01*float64(t%7))
		}
		f.Spectrum = append(f.Spectrum, float32(value))
	}
}

// branched is a run whose clusters split in rounds 10 and 25 and merge in 40:
// the number of one flickers in between.
func branched(f fixture) *trace.Run {
	r := run(f)
	for i := range r.Tracks {
		frames := r.Tracks[i].Frames
		for t := range frames {
			f := &frames[t]
			used := map[uint16]bool{}
			for c := range f.Label {
				g := uint16(r.Header.Group[c])
				switch {
				case t < 10:
					g = 0
				case t < 25 || t >= 40:
					g = min(g, 1)
				case t < 30 && c == 0:
					g = uint16(t % 2)
				}
				f.Label[c], used[g] = g, true
			}
			if f.Clusters = len(used); t > 0 && !slices.Equal(f.Label, frames[t-1].Label) {
				f.Events |= trace.Moved
			}
		}
	}
	return r
}

// deep is a run whose embeddings have three dimensions: the map's two, turned
// together with a third that tells the groups apart, and the odd clients.
func deep(lanes ...fixture) *trace.Run {
	r := run(lanes...)
	for k := range r.Tracks {
		for t := range r.Tracks[k].Frames {
			f := &r.Tracks[k].Frames[t]
			if len(f.XY) == 0 {
				continue
			}
			if lanes[k].kind == trace.LossTriangle {
				f.Embedding = f.Losses
				continue
			}
			for i := range f.Label {
				x, y, z := f.XY[2*i], f.XY[2*i+1], 0.4*float32(i%2)+0.3*float32(i%5%3)
				f.Embedding = append(f.Embedding, 0.6*x-0.8*z, y, 0.8*x+0.6*z)
			}
		}
	}
	return r
}

// resized gives models of two parameters fewer or more of them.
func resized(models []float32, n, size int) (out []float32) {
	for k := range n {
		for j := range size {
			out = append(out, models[2*k+j%2]/float32(1+j/2))
		}
	}
	return out
}

func place(fx fixture, losses []float64, g int, noise float64, t int, r *rand.Rand) []float32 {
	switch fx.kind {
	case trace.LossPair:
		if fx.wild && t < 4 {
			return []float32{float32(30 * losses[0]), float32(30 * losses[1])}
		}
		return []float32{float32(losses[0]), float32(losses[1])}
	case trace.LossTriangle:
		a, b, c := losses[0], losses[1], losses[2]
		return []float32{float32((a - b) / math.Sqrt2), float32((a + b - 2*c) / math.Sqrt(6))}
	}
	angle := 2 * math.Pi * float64(g) / float64(fx.groups)
	out := 1.0
	if fx.wild && t < 4 {
		out = 30
	}
	return []float32{
		float32(out * (math.Cos(angle)*(1-noise) + 0.3*(0.3+noise)*r.NormFloat64())),
		float32(out * (math.Sin(angle)*(1-noise) + 0.3*(0.3+noise)*r.NormFloat64())),
	}
}

// The fixtures that most tests use.
var (
	cflgp  = fixture{clients: 12, groups: 3, rounds: 60, models: 3, kind: trace.GradientPlane, algorithm: "cflgp", title: "CFL-GP"}
	ifca   = fixture{clients: 12, groups: 3, rounds: 60, models: 3, kind: trace.LossTriangle, algorithm: "ifca", title: "IFCA"}
	pair   = fixture{clients: 12, groups: 2, rounds: 60, models: 2, kind: trace.LossPair, algorithm: "ifca", title: "IFCA"}
	clove  = fixture{clients: 12, groups: 3, rounds: 60, models: 4, kind: trace.LossPlane, algorithm: "clove", title: "CLoVE", unserved: true}
	fedavg = fixture{clients: 12, groups: 3, rounds: 60, models: 1, kind: trace.NoMap, algorithm: "fedavg", title: "FedAvg"}
	digits = fixture{clients: 16, groups: 4, rounds: 60, models: 4, kind: trace.GradientPlane, algorithm: "cflgp", title: "CFL-GP", images: true, classes: 4}
	fedem  = fixture{clients: 12, groups: 3, rounds: 60, models: 3, kind: trace.NoMap, algorithm: "fedem", title: "FedEM", soft: true}
	local  = fixture{clients: 12, groups: 3, rounds: 60, models: 12, kind: trace.NoMap, algorithm: "local", title: "Local"}
)

func view(r *trace.Run, lane, round int) *View {
	return &View{Run: r, Lane: lane, Round: round, Selected: -1, Hover: -1}
}
