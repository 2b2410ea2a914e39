package charttest

import (
	"math"
	"math/rand/v2"
	"slices"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Lane describes a lane of a synthetic run: groups gather in clouds over the rounds, as in a real
// run, without any learning.
type Lane struct {
	Clients, Groups, Rounds, Models int
	Kind                            trace.Map
	Algorithm, Title                string
	Unknown                         bool // the groups are unknown
	unserved                        bool // the last model has no clients
	Streaming                       bool // two thirds are computed, no summary yet
	Wild                            bool // the first rounds are far out
	Images                          bool // samples are images: models are evaluated every five rounds
	Colour                          bool // with three channels
	Classes                         int  // of images
	Rebuilds                        bool // models rebuild images and have no answers
	Soft                            bool // clients have several models at once
	Drawn                           int  // parameters of a model in frames; 0 for two
}

// Run builds a run with one lane for each fixture and the clients of the first one. Equal
// fixtures give equal runs.
func Run(lanes ...Lane) *trace.Run {
	fx := lanes[0]
	r := rand.New(rand.NewPCG(7, uint64(fx.Clients)))
	h := &trace.Header{Query: "test", Clients: fx.Clients, Rounds: fx.Rounds}
	group := make([]int16, fx.Clients)
	for i := range group {
		group[i] = int16(i * fx.Groups / fx.Clients)
	}
	if !fx.Unknown {
		h.Groups, h.Group = fx.Groups, group
	}
	if h.DataPreview = scenery(fx, group, r); fx.Images {
		h.DataPreview = trace.DataPreview{Floor: -1, Gallery: gallery(fx, group)}
	}
	for _, l := range lanes {
		columns := l.Models
		if l.Algorithm == "local" {
			columns = 1
		}
		size, drawn := 2, 2
		if fx.Images {
			size, drawn = 159010, 0
		}
		if l.Drawn > 0 {
			size, drawn = l.Drawn, l.Drawn
		}
		h.Lanes = append(h.Lanes, trace.Lane{ID: l.Algorithm, Algorithm: l.Algorithm, Title: l.Title,
			Border: l.Algorithm == "ifca",
			Models: l.Models, Size: size, FrameParams: drawn, Columns: columns, Map: l.Kind})
	}
	out := trace.NewRun(h)
	for i, l := range lanes {
		out.Tracks[i] = track(l, h, group, rand.New(rand.NewPCG(11, uint64(i))))
	}
	return out
}

func scenery(fx Lane, group []int16, r *rand.Rand) trace.DataPreview {
	sc := trace.DataPreview{Floor: 0.04, XMin: 0, XMax: 1, YMin: -1.2, YMax: 1.2, Fan: true}
	for g := range fx.Groups {
		phi := 20 * (float64(fx.Groups-1)/2 - float64(g)) * math.Pi / 180
		sc.Truth = append(sc.Truth, trace.Line{Slope: float32(math.Tan(phi))})
	}
	for i := range min(fx.Clients, 12) {
		c := i * fx.Clients / min(fx.Clients, 12)
		slope := sc.Truth[group[c]].Slope
		for range 6 {
			x := r.Float32() * float32(1/math.Hypot(1, float64(slope)))
			sc.Points = append(sc.Points, trace.Point{X: x, Y: slope*x + 0.2*float32(r.NormFloat64()),
				Client: int16(c)})
		}
	}
	if fx.Unknown {
		sc.Truth, sc.Fan, sc.Floor = nil, false, -1
	}
	return sc
}

// gallery draws a few strokes, turned by 90° from group to group.
func gallery(fx Lane, group []int16) trace.Gallery {
	const side = 8
	g := trace.Gallery{Height: side, Width: side, Channels: 1, Each: 4}
	if fx.Colour {
		g.Channels = 3
	}
	for k := range fx.Classes {
		g.Classes = append(g.Classes, chart.Letter(30+k))
	}
	for k := range fx.Groups {
		g.Groups = append(g.Groups, say.Message(chart.Fixed(float64(90*k), 0)+"°"))
	}
	for i := range fx.Clients {
		for n := range g.Each {
			class := (i + n) % fx.Classes
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

// evaluated fills in an evaluation: the less noise, the better.
func evaluated(fx Lane, f *trace.Frame, noise float64, r *rand.Rand) {
	f.Events |= trace.Evaluated
	f.Accuracies, f.Confusion = make([]float32, fx.Clients), make([]uint16, fx.Clients*fx.Classes*fx.Classes)
	const each = 20
	for i := range fx.Clients {
		right := 0
		for n := range each * fx.Classes {
			class := n % fx.Classes
			answer := class
			if r.Float64() < 0.05+0.9*noise {
				answer = r.IntN(fx.Classes)
			}
			f.Confusion[(i*fx.Classes+class)*fx.Classes+answer]++
			if answer == class {
				right++
			}
		}
		f.Accuracies[i] = float32(right) / float32(each*fx.Classes)
		f.Accuracy += float64(f.Accuracies[i]) / float64(fx.Clients)
	}
}

func track(fx Lane, h *trace.Header, group []int16, r *rand.Rand) trace.Track {
	var tr trace.Track
	last := fx.Rounds
	if fx.Streaming {
		last = fx.Rounds * 2 / 3
	}
	alias := make([]uint16, fx.Models)
	for k := range alias {
		alias[k] = uint16(k)
	}
	if fx.Models >= 2 && fx.Algorithm != "local" {
		alias[0], alias[1] = 1, 0
	}
	settled := -1
	for t := range last + 1 {
		noise := 1 / (1 + 0.4*float64(t))
		if fx.Algorithm == "ifca" {
			noise = max(noise, 0.3)
		}
		f := frame(fx, h, group, alias, r, t, noise)
		if h.DataPreview.Gallery.HasImages() {
			f.Models = nil
			if fx := lanesOf(fx, h); t%5 == 0 || t == fx.Rounds {
				if fx.Rebuilds {
					reconstructed(fx, h, &f, noise)
				} else {
					evaluated(fx, &f, noise, r)
				}
			} else {
				f.Losses, f.Loss, f.Worst = tr.Frames[t-1].Losses, math.NaN(), math.NaN() // and no accuracy
			}
		}
		if f.Misplaced > 0 {
			settled = -1
		} else if settled < 0 && t > 0 && !fx.Unknown {
			settled = t
		}
		tr.Frames = append(tr.Frames, f)
	}
	if !fx.Streaming {
		tr.Summary = &trace.Summary{Metrics: tr.Frames[last].Metrics, Settled: settled, Diverged: -1, Alias: alias}
	}
	return tr
}

// lanesOf gives the fixture of a lane the classes of the run.
func lanesOf(fx Lane, h *trace.Header) Lane {
	fx.Classes = len(h.DataPreview.Gallery.Classes)
	return fx
}

func frame(fx Lane, h *trace.Header, group []int16, alias []uint16, r *rand.Rand, t int, noise float64) trace.Frame {
	c, used := fx.Clients, fx.Models
	if fx.unserved {
		used--
	}
	f := trace.Frame{Round: t, Kept: 1, Events: trace.Reclustered * trace.Events((t+1)%2)}
	if fx.Kind == trace.LossPlane {
		f.Kept = 0.87
	}
	for k := range fx.Models {
		slope := 0.0
		if g := int(alias[k]); g < len(h.DataPreview.Truth) {
			slope = float64(h.DataPreview.Truth[g].Slope)
		}
		f.Models = append(f.Models, float32(slope*(1-noise)+noise*r.NormFloat64()*0.5),
			float32(0.3*noise*r.NormFloat64()))
	}
	if fx.Drawn > 0 {
		f.Models = resized(f.Models, fx.Models, fx.Drawn)
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
		switch fx.Algorithm {
		case "fedavg":
			k = 0
		case "local":
			k = i
		}
		f.Label = append(f.Label, uint16(k))
		seen[k] = true
		if k != int(alias[g%len(alias)]) && fx.Algorithm != "local" {
			f.Misplaced++
		}
		losses := make([]float64, fx.Models)
		for m := range losses {
			d := float64(int(alias[m])-g) * (1 - 0.7*noise)
			losses[m] = 0.05 + 0.08*d*d + noise*0.05*math.Abs(r.NormFloat64())
		}
		columns := fx.Models
		if fx.Algorithm == "local" {
			columns = 1
		}
		for m := range columns {
			f.Losses = append(f.Losses, float32(losses[m]))
		}
		if fx.Kind == trace.NoMap || t == 0 {
			continue
		}
		f.XY = append(f.XY, place(fx, losses, g, noise, t, r)...)
	}
	f.Clusters = len(seen)
	if fx.Soft {
		mixed(&f, fx, noise)
	}
	if fx.Kind == trace.GradientPlane && t > 0 && f.Events.Has(trace.Reclustered) {
		spectrum(&f, fx, noise, t)
	}
	f.Metrics.ARI = 1 - min(float64(f.Misplaced)/float64(c)*1.5, 1)
	f.Loss = 0.04 + 0.5*noise*noise + 0.02*noise*math.Abs(r.NormFloat64())
	f.Worst = f.Loss * 2
	f.Down, f.Up = float64(2*fx.Models*t), float64(2*t)
	return f
}

// reconstructed fills in reconstructions: greyer if the model is not the client's own, and with more
// noise.
func reconstructed(fx Lane, h *trace.Header, f *trace.Frame, noise float64) {
	f.Events |= trace.Evaluated
	g := &h.DataPreview.Gallery
	for k := range fx.Models {
		for _, i := range h.PreviewClients() {
			blur := 0.3 + 0.5*noise
			if int(f.Label[i]) == k {
				blur = 0.1 + 0.4*noise
			}
			for _, c := range g.Image(i, 0) {
				f.Reconstructed = append(f.Reconstructed, uint8(float64(c)*(1-blur)+128*blur))
			}
		}
	}
}

// mixed fills in weights: most on the client's model, the rest on all models, and more of it with
// more noise and higher client numbers.
func mixed(f *trace.Frame, fx Lane, noise float64) {
	f.Events |= trace.Soft
	for i, k := range f.Label {
		rest := 0.9 * noise * float64(i%4+1) / 4
		for m := range fx.Models {
			w := rest / float64(fx.Models)
			if m == int(k) {
				w += 1 - rest
			}
			f.Mixture = append(f.Mixture, float32(w))
		}
	}
}

// spectrum fills in singular values: one for what all have in common, one for each further group, and
// noise.
func spectrum(f *trace.Frame, fx Lane, noise float64, t int) {
	f.Directions = fx.Models
	for i := range min(2*fx.Models+2, fx.Clients, trace.MaxSpectrum) {
		value := 0.9 * noise / float64(i+1)
		if i < fx.Groups {
			value += (2 - noise) / (1 + 0.3*float64(i)) * (1 - 0.01*float64(t%7))
		}
		f.Spectrum = append(f.Spectrum, float32(value))
	}
}

// Branched is a run whose clusters split in rounds 10 and 25 and merge in 40; one client changes
// its cluster in each round in between.
func Branched(f Lane) *trace.Run {
	r := Run(f)
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

// Deep is a run with embeddings of three dimensions: those of the map, turned together with a
// third that differs between clients.
func Deep(lanes ...Lane) *trace.Run {
	r := Run(lanes...)
	for k := range r.Tracks {
		for t := range r.Tracks[k].Frames {
			f := &r.Tracks[k].Frames[t]
			if len(f.XY) == 0 {
				continue
			}
			if lanes[k].Kind == trace.LossTriangle {
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

// Noted is Run with the notes of a frame: leads and their noise where clients have losses of several models, updates,
// and on maps of updates the places of the newest replies alone. They are made up, but fit the groups.
func Noted(lanes ...Lane) *trace.Run {
	r := Run(lanes...)
	random := rand.New(rand.NewPCG(3, 5))
	for n := range r.Tracks {
		lane := &r.Header.Lanes[n]
		for t := 1; t < len(r.Tracks[n].Frames); t++ {
			note(r.Header, lane, &r.Tracks[n].Frames[t], random)
		}
	}
	return r
}

func note(h *trace.Header, lane *trace.Lane, f *trace.Frame, random *rand.Rand) {
	for i := range h.Clients {
		if lane.Columns > 1 {
			losses := slices.Sorted(slices.Values(f.Losses[i*lane.Columns : (i+1)*lane.Columns]))
			f.Lead = append(f.Lead, losses[1]-losses[0])
			f.Noise = append(f.Noise, 0.02+0.04*random.Float32())
		}
		g := 0.0
		if h.HasTruth() {
			g = float64(h.Group[i]) - float64(h.Groups-1)/2
		}
		for range lane.Pulls() {
			f.Pull = append(f.Pull, float32(0.02*random.NormFloat64()+0.05*g))
		}
		if lane.Map == trace.GradientPlane && len(f.XY) > 0 {
			f.Alone = append(f.Alone, f.XY[2*i]+0.4*float32(random.NormFloat64()),
				f.XY[2*i+1]+0.4*float32(random.NormFloat64()))
			f.Replies = append(f.Replies, uint16(f.Round))
		}
	}
}

// Moment is the view of a part of a phase, at which the page shows what is known by then.
func Moment(r *trace.Run, lane, round int, phase registry.Phase, part float32) *chart.View {
	v := View(r, lane, round)
	before, now := &r.Tracks[lane].Frames[round-1], &r.Tracks[lane].Frames[round]
	v.Followed = min(5, r.Header.Clients-1)
	border := r.Header.Lanes[lane].Border
	v.Detail = &chart.RoundDetail{Frame: *now, Before: before.Label, After: now.Label, Progress: 1, PlaceProgress: 1,
		Phase: phase, Part: part, Common: -1, AllModels: border, Sends: "A B C: 3",
		Skipped: border && (phase == registry.Embed || phase == registry.Match)}
	if phase < registry.Match && !(border && phase == registry.Cluster) {
		v.Detail.Frame.Label = before.Label
	}
	return v
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

func place(fx Lane, losses []float64, g int, noise float64, t int, r *rand.Rand) []float32 {
	switch fx.Kind {
	case trace.LossPair:
		if fx.Wild && t < 4 {
			return []float32{float32(30 * losses[0]), float32(30 * losses[1])}
		}
		return []float32{float32(losses[0]), float32(losses[1])}
	case trace.LossTriangle:
		a, b, c := losses[0], losses[1], losses[2]
		return []float32{float32((a - b) / math.Sqrt2), float32((a + b - 2*c) / math.Sqrt(6))}
	}
	angle := 2 * math.Pi * float64(g) / float64(fx.Groups)
	out := 1.0
	if fx.Wild && t < 4 {
		out = 30
	}
	return []float32{
		float32(out * (math.Cos(angle)*(1-noise) + 0.3*(0.3+noise)*r.NormFloat64())),
		float32(out * (math.Sin(angle)*(1-noise) + 0.3*(0.3+noise)*r.NormFloat64())),
	}
}

// The fixtures that most tests use.
var (
	CFLGP = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 3, Kind: trace.GradientPlane, Algorithm: "cflgp",
		Title: "CFL-GP"}
	IFCA = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 3, Kind: trace.LossTriangle, Algorithm: "ifca",
		Title: "IFCA"}
	Pair  = Lane{Clients: 12, Groups: 2, Rounds: 60, Models: 2, Kind: trace.LossPair, Algorithm: "ifca", Title: "IFCA"}
	Clove = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 4, Kind: trace.LossPlane, Algorithm: "clove",
		Title: "CLoVE", unserved: true}
	FedAvg = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 1, Kind: trace.NoMap, Algorithm: "fedavg",
		Title: "FedAvg"}
	Digits = Lane{Clients: 16, Groups: 4, Rounds: 60, Models: 4, Kind: trace.GradientPlane, Algorithm: "cflgp",
		Title: "CFL-GP", Images: true, Classes: 4}
	FedEM = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 3, Kind: trace.NoMap, Algorithm: "fedem", Title: "FedEM",
		Soft: true}
	Local = Lane{Clients: 12, Groups: 3, Rounds: 60, Models: 12, Kind: trace.NoMap, Algorithm: "local", Title: "Local"}
)

func View(r *trace.Run, lane, round int) *chart.View {
	return &chart.View{Run: r, Lane: lane, Round: round, Selected: -1, Hover: -1, Followed: -1}
}

// Theorized is Run with what theorems are about: a bound on misplaced clients in the first lane, and errors in all.
func Theorized(lanes ...Lane) *trace.Run {
	r := Run(lanes...)
	for i := range r.Tracks {
		for t := range r.Tracks[i].Frames {
			n := &r.Tracks[i].Frames[t].Theory
			n.Promise = float32(0.4 * math.Pow(0.9, float64(t)))
			if n.Error = n.Promise + 0.01; i == 0 && t >= 7 {
				n.Noise, n.Gap, n.BlockGap = float32(2/math.Sqrt(float64(t))), 0.7, 0.4
			}
		}
	}
	return r
}
