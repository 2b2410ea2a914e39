package theory

import "flockscope/sim/exact"

// Line is a group of CFL-GP's section 5.1: x ~ U(0, w) and y = m·x + n with n ~ N(0, σ²). A model is a slope and an
// offset, the loss is the squared error.
type Line struct{ Slope, Width, Sigma float64 }

// Lines returns groups whose angles are so many degrees apart, centred on 0, with w the cosine of the angle.
func Lines(groups int, degrees, sigma float64) []Line {
	out := make([]Line, groups)
	for g := range out {
		sin, cos := exact.SinCosDegrees(degrees * (float64(float64(groups-1)/2) - float64(g)))
		out[g] = Line{sin / cos, cos, sigma}
	}
	return out
}

// Gradient returns ∇F, the gradient of the expected loss of a model.
func (l Line) Gradient(slope, offset float64) [2]float64 {
	a, x, xx := slope-l.Slope, l.Width/2, l.Width*l.Width/3
	return [2]float64{2 * (float64(a*xx) + float64(offset*x)), 2 * (float64(a*x) + offset)}
}

// Noise returns v² of a model, the mean of ‖∇f({x}) − ∇F‖² over single samples.
func (l Line) Noise(slope, offset float64) float64 {
	a, b := slope-l.Slope, offset
	// (∂f)² = 4·(ax + b + n)²·(1 + x²), with E xⁿ = wⁿ/(n + 1)
	squares, power := l.Sigma*l.Sigma*(1+float64(l.Width*l.Width/3)), 1.0
	for n, factor := range [...]float64{b * b, 2 * a * b, float64(a*a) + float64(b*b), 2 * a * b, a * a} {
		squares += float64(factor * power / float64(n+1))
		power *= l.Width
	}
	g := l.Gradient(slope, offset)
	return float64(4*squares) - float64(g[0]*g[0]) - float64(g[1]*g[1])
}

// Curvature returns μ and L, the eigenvalues of the Hessian of the expected loss.
func (l Line) Curvature() (convexity, smoothness float64) {
	x, xx := l.Width/2, l.Width*l.Width/3
	half, off := float64((xx+1)/2), length([]float64{(xx - 1) / 2, x})
	return 2 * (half - off), 2 * (half + off)
}

// Distance returns ‖θ − θ*‖ of a model.
func (l Line) Distance(slope, offset float64) float64 {
	return length([]float64{slope - l.Slope, offset})
}
