package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

var fieldPrototypes = param.Field{Name: "proto", Label: "Prototype weight λ", Section: param.Models, Kind: param.Float,
	Min: 0, Max: 100, High: 5, Step: 0.1, Default: "1",
	Tune:    &param.Space{Low: 0.1, High: 10, Log: true, Source: "a decade on either side of the default"},
	PerLane: true, Advanced: true,
	Doc: "How strongly the features of a client's samples are pulled towards the prototype of their class."}

// Slots of scratch memory.
const (
	prototypeFeatures = iota
	prototypeModel
	prototypeMeans
	prototypeCounts
)

// classMeans are the mean features of the classes of one client: means, one row of width numbers per class, and the
// number of samples of each. Without classes, all samples belong to one.
type classMeans struct {
	means, count []float32
	width        int
	squared      []float32 // mean ‖z‖² of each class
}

// classMeansOf computes the means of the features that the trunk of params gives the client's samples. Without a trunk the
// features are the inputs.
func classMeansOf(at fl.ClientContext, params []float32) classMeans {
	b, net, classes := method.SelectionSamples(at), at.Network(), method.ClassesOf(at)
	rows, width := prototypesOf(at)
	p := classMeans{width: width}
	features := b.X
	if net != nil {
		features = at.Scratch(prototypeFeatures, b.N*p.width)
		net.Features(features, params, b)
	}
	p.means = at.Scratch(prototypeMeans, rows*p.width)
	counts := at.Scratch(prototypeCounts, 2*rows)
	p.count, p.squared = counts[:rows], counts[rows:]
	clear(p.means)
	clear(counts)
	for j := range b.N {
		c := 0
		if classes > 0 {
			c = int(b.Y[j])
		}
		row := features[j*p.width : (j+1)*p.width]
		numeric.AddTo(p.means[c*p.width:(c+1)*p.width], row)
		p.count[c]++
		p.squared[c] += float32(kernel.Dot(row, row))
	}
	for c, n := range p.count {
		if n > 0 {
			kernel.Scale(p.of(c), 1/n)
			p.squared[c] /= n
		}
	}
	return p
}

// prototypesOf returns the number of rows of the class means of a client, and their width.
func prototypesOf(at fl.ClientContext) (rows, width int) {
	rows, width = max(1, method.ClassesOf(at)), at.Model().Inputs()
	if net := at.Network(); net != nil {
		width = net.Width()
	}
	return rows, width
}

// of returns the prototype of a class.
func (p *classMeans) of(c int) []float32 { return p.means[c*p.width : (c+1)*p.width] }

// append appends the numbers of samples and the prototypes of the classes that have samples, in the form in which they
// are sent.
func (p *classMeans) append(dst []float32, at fl.ClientContext) []float32 {
	dst = append(dst, p.count...)
	from := len(dst)
	for c, n := range p.count {
		if n > 0 {
			dst = append(dst, p.of(c)...)
		}
	}
	at.Quantize(dst[from:])
	return dst
}

// prototypes is the server's prototypes.
type prototypes struct {
	rows, width int
	means       []float32   // infinite for a class without samples
	sum         []float64   // of one class
	answers     [][]float32 // of the clients
	equal       bool        // every client counts once, whatever its number of samples of a class
}

// resize adapts the size of the prototypes to the clients' answers. Their shape is not known before the first round.
func (g *prototypes) resize(rows, width int) {
	if g.rows == rows && g.width == width {
		return
	}
	g.rows, g.width = rows, width
	g.means, g.sum = make([]float32, rows*width), make([]float64, width)
	for j := range g.means {
		g.means[j] = model.Infinity()
	}
}

// unknown returns the number of floats in the prototypes of classes without samples.
func (g *prototypes) unknown() (floats int64) {
	for c := range g.rows {
		if model.Unknown(g.means[c*g.width : (c+1)*g.width]) {
			floats += int64(g.width)
		}
	}
	return floats
}

func (g *prototypes) reset() { g.answers = g.answers[:0] }

// add adds the class means of one client, in the form that append wrote. They must not change until update.
func (g *prototypes) add(answer []float32) { g.answers = append(g.answers, answer) }

// update replaces the prototypes of the classes that were added; the others stay.
func (g *prototypes) update(begin func(sum []float64) *fl.Average) {
	for c := range g.rows {
		average := begin(g.sum)
		for _, answer := range g.answers {
			if n := answer[c]; n > 0 {
				average.Add(g.weightOf(n), g.row(answer, c))
			}
		}
		if total := average.End(); total > 0 {
			for j, v := range g.sum {
				g.means[c*g.width+j] = float32(v / total)
			}
		}
	}
}

// weightOf returns the weight of a client with n samples of a class.
func (g *prototypes) weightOf(n float32) float64 {
	if g.equal {
		return 1
	}
	return float64(n)
}

// row returns a client's mean of a class of which it has samples.
func (g *prototypes) row(answer []float32, class int) []float32 {
	rows := 0
	for _, n := range answer[:class] {
		if n > 0 {
			rows++
		}
	}
	return answer[g.rows+rows*g.width:][:g.width]
}
