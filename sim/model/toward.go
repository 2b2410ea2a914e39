package model

import "math"

// featureTarget pulls features towards the target of their class.
type featureTarget struct {
	targets  []float32 // one row of Width() numbers per class; nil for none
	strength float32   // strength, as a factor of the derivative
	sum      float64   // sum of squared distances so far
}

// Toward is Gradient of the mean loss and of how far features are from a target,
//
//	(1/N) Σ_i ( ℓ_i + (λ/w) ‖z_i − p_{y_i}‖² )
//
// with w = Width() numbers a feature z_i, and targets p, one row per class, or a single row without
// classes (FedProto, equation 4; FedPAC, equation 4). A target at infinity has no effect. The
// features of a network that is all head are its samples, which are fixed.
func (n *Network) Toward(dst, params []float32, b Batch, targets []float32, lambda float32) float64 {
	if len(targets) == 0 || n.body == 0 || b.N == 0 {
		return n.Gradient(dst, params, b)
	}
	scale := lambda / float32(b.N*n.Width())
	n.target = featureTarget{targets: targets, strength: 2 * scale}
	loss := n.Gradient(dst, params, b)
	loss += float64(float64(scale) * n.target.sum)
	n.target = featureTarget{}
	return loss
}

// draw adds the derivatives of the distances with respect to the features, one row per sample, to
// those of the loss.
func (l *featureTarget) draw(dFeatures, features []float32, b Batch, width int, classes bool) {
	for i := range b.N {
		target := l.targets
		if classes {
			c := int(b.Y[i])
			target = target[c*width : (c+1)*width]
		}
		if Unknown(target) {
			continue
		}
		for j, p := range target[:width] {
			e := features[i*width+j] - p
			l.sum += float64(float64(e) * float64(e))
			dFeatures[i*width+j] += float32(l.strength * e)
		}
	}
}

// Unknown reports whether a target is at infinity: that of a class without samples.
func Unknown(target []float32) bool { return len(target) > 0 && target[0] > math.MaxFloat32 }

// Infinity is how such a target begins.
func Infinity() float32 { return float32(math.Inf(1)) }
