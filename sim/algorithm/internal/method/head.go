package method

import "flockscope/sim/fl"

// HeadGradients computes gradients with respect to a head, of models that have the server's parameters before it. Samples
// run through these once, however many gradients follow.
type HeadGradients struct {
	at       fl.ClientContext
	low      int       // the first parameter of the head
	from     int       // the first of the samples
	features []float32 // nil where gradients need whole models
}

// NewHeadGradients returns gradients with respect to the parameters from low on, for the client's samples [from, to). Their
// features are in the scratch memory of slot. Where low is 0, or layers behave differently in training, gradients are those
// of whole models.
func NewHeadGradients(at fl.ClientContext, low, from, to, slot int) HeadGradients {
	g := HeadGradients{at: at, low: low, from: from}
	if net := at.Network(); low > 0 && !net.Modal() {
		g.features = at.Scratch(slot, (to-from)*net.Width())
		net.Features(g.features, at.Params(0), at.Samples(from, to))
	}
	return g
}

// Gradient sets the head's part of dst to the gradient of the mean loss of the samples [from, to), and returns that loss.
// The rest of dst is undefined.
func (g HeadGradients) Gradient(dst, params []float32, from, to int) float64 {
	b := g.at.Samples(from, to)
	if g.features == nil {
		return g.at.Model().Gradient(dst, params, b)
	}
	net := g.at.Network()
	b = b.WithFeatures(g.features[(from-g.from)*net.Width():][:b.N*net.Width()])
	return net.HeadGradient(dst[g.low:], params[g.low:], b)
}
