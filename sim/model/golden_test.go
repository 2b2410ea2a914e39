package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/golden.json
var goldenText []byte

// golden is what PyTorch made of the same parameters and samples, in float64.
type golden struct {
	Versions   map[string]string
	Networks   []goldenNetwork
	Optimisers []struct {
		Rule  string
		Rate  float64
		Seed  uint32
		After [][]float64
	}
}

type goldenNetwork struct {
	Model                    string
	Height, Width, Channels  int
	Classes, N, Size, Output int
	Outputs                  int
	Values                   map[string]string
	Seed                     uint32
	Loss, PredictedLoss      float64
	Losses, Predict          []float64
	Segments                 []struct {
		Kind        string
		Size, Step  int
		Norm, Inner float64
		Gradient    []float64
	}
	Training map[string]struct {
		Rate   float64
		Losses []float64
	}
}

func readGolden(t *testing.T) golden {
	t.Helper()
	var g golden
	if err := json.Unmarshal(goldenText, &g); err != nil {
		t.Fatal(err)
	}
	if g.Versions["torch"] == "" || len(g.Networks) < 15 || len(g.Optimisers) < 6 {
		t.Fatalf("golden.json: versions %v, %d networks, %d optimisers", g.Versions, len(g.Networks), len(g.Optimisers))
	}
	return g
}

// congruence draws the numbers that golden.py draws.
type congruence uint32

func (c *congruence) draw() uint32 {
	*c = *c*1664525 + 1013904223
	return uint32(*c >> 8)
}

// unit returns a number in [0, 1), spread one in [−scale, scale).
func (c *congruence) unit() float32 { return float32(c.draw()) / (1 << 24) }
func (c *congruence) spread(scale float32) float32 {
	return (float32(c.draw()) - 1<<23) / (1 << 23) * scale
}

func (g *goldenNetwork) network(t *testing.T) *Network {
	t.Helper()
	if g.Model == "representation" {
		width, err := strconv.Atoi(g.Values["width"])
		if err != nil {
			t.Fatal(err)
		}
		return Representation(g.Height*g.Width*g.Channels, width)
	}
	if text := g.Values["text"]; text != "" {
		in := Samples{Shape: Shape{g.Height, g.Width, g.Channels}, Classes: g.Classes}
		in.Tokens, _ = strconv.Atoi(g.Values["tokens"])
		n := parsed(t, text, in)
		if e, named := Registry.Lookup(g.Model); named && e.Make.Text(nil) != text {
			t.Errorf("%s is %s, want %s", g.Model, e.Make.Text(nil), text)
		}
		return n
	}
	var settings []string
	for key, text := range g.Values {
		settings = append(settings, key+"="+text)
	}
	return network(t, g.Model, Shape{g.Height, g.Width, g.Channels}, g.Classes, settings...)
}

// setting rebuilds a case: the network, its parameters and its samples, and the
// congruence behind them.
func (g *goldenNetwork) setting(t *testing.T) (*Network, []float32, Batch, *congruence) {
	t.Helper()
	n := g.network(t)
	c := congruence(g.Seed)
	params := make([]float32, 0, n.Size())
	for i, l := range n.layers {
		scale := float32(1)
		for scale*scale*float32(l.fanIn()) > 1 {
			scale /= 2
		}
		norm, weights, statistics := false, 0, 0
		switch l := l.layer.(type) {
		case *groupNorm:
			norm, weights = true, l.shape.Channels
		case *batchNorm:
			norm, weights, statistics = true, l.shape.Channels, 2*l.shape.Channels
		}
		for j := range n.layerSegments[i].Len() - statistics {
			switch {
			case norm && j < weights:
				params = append(params, 1+c.spread(0.5))
			case norm:
				params = append(params, c.spread(0.5))
			default:
				params = append(params, c.spread(scale))
			}
		}
		for j := range statistics {
			params = append(params, float32(2*j/statistics)) // means of 0, variances of 1
		}
	}
	var b Batch
	b.Resize(g.N, n.Inputs())
	tokens, _ := strconv.Atoi(g.Values["tokens"])
	for i := range b.X {
		if tokens > 0 {
			b.X[i] = float32(c.draw() % uint32(tokens))
		} else {
			b.X[i] = c.unit()
		}
	}
	for i := range b.Y {
		if n.Task() == Regression {
			b.Y[i] = c.spread(1)
		} else {
			b.Y[i] = float32(c.draw() % uint32(max(g.Classes, 1)))
		}
	}
	return n, params, b, &c
}

func (g *goldenNetwork) String() string {
	return fmt.Sprintf("%s %d×%d×%d→%d %v, %d samples", g.Model, g.Height, g.Width, g.Channels, g.Classes,
		g.Values, g.N)
}

// TestNetworksGolden compares losses, outputs and gradients with PyTorch's. A
// sum of k products is off by at most k units of rounding of its addends' sizes,
// so k over all layers bounds the relative error of what they make.
func TestNetworksGolden(t *testing.T) {
	file := readGolden(t)
	for i := range file.Networks {
		g := &file.Networks[i]
		n, params, b, c := g.setting(t)
		if n.Size() != g.Size || n.Outputs() != g.Outputs {
			t.Errorf("%v: Size() = %v, Outputs() = %v, want %v, %v", g, n.Size(), n.Outputs(), g.Size, g.Outputs)
			continue
		}
		relative := addends(n, g.N) * unit
		within := func(what string, got, want, size float64) {
			t.Helper()
			if !(math.Abs(got-want) <= relative*size) {
				t.Errorf("%v: %s = %v, want %v within %.1g", g, what, got, want, relative*size)
			}
		}
		gradient := make([]float32, n.Size())
		within("Gradient's loss", n.Gradient(gradient, params, b), g.Loss, max(g.Loss, 1))
		predicted := g.Loss
		if n.Modal() {
			predicted = g.PredictedLoss
		}
		within("Loss", n.Loss(params, b), predicted, max(predicted, 1))
		losses := make([]float32, g.N)
		n.Losses(losses, params, b)
		for i, want := range g.Losses {
			within(fmt.Sprintf("Losses[%d]", i), float64(losses[i]), want, max(want, 1))
		}
		out := make([]float32, g.N*g.Outputs)
		n.Predict(out, params, b)
		for i, want := range g.Predict {
			within(fmt.Sprintf("Predict[%d]", i), float64(out[i]), want, 1)
		}
		if len(n.Segments()) != len(g.Segments) {
			t.Errorf("%v: %d segments, want %d", g, len(n.Segments()), len(g.Segments))
			continue
		}
		whole := 0.0
		for _, want := range g.Segments {
			whole = math.Hypot(whole, want.Norm)
		}
		for i, want := range g.Segments {
			segment := n.Segments()[i]
			if segment.Len() != want.Size || !strings.HasSuffix(segment.Name, want.Kind) {
				t.Errorf("%v: segment %d = %+v, want %d numbers of %s", g, i, segment, want.Size, want.Kind)
				continue
			}
			got := segment.Of(gradient)
			size := want.Norm
			if len(scaleOf(n, segment, gradient)) > segment.Len() {
				size = whole
			}
			within(segment.Name+": norm of the gradient", norm(got), want.Norm, size)
			inner, length := 0.0, 0.0
			for _, x := range got {
				probe := float64(c.spread(1))
				inner += float64(x) * probe
				length += probe * probe
			}
			within(segment.Name+": inner product of the gradient", inner, want.Inner, size*math.Sqrt(length))
			for j, x := range want.Gradient {
				within(fmt.Sprintf("gradient of %s[%d]", segment.Name, j*want.Step), float64(got[j*want.Step]), x,
					size)
			}
		}
	}
}

// TestLinearGolden: the line of one number is what PyTorch's linear layer is.
func TestLinearGolden(t *testing.T) {
	file := readGolden(t)
	lines := 0
	for i := range file.Networks {
		g := &file.Networks[i]
		n, params, b, _ := g.setting(t)
		if g.Model != "linear" || n.Inputs() != 1 {
			continue
		}
		lines++
		m := Linear{Intercept: g.Values["bias"] == "1"}
		gradient, want := make([]float32, m.Size()), []float64{}
		loss := m.Gradient(gradient, params, b)
		for _, s := range g.Segments {
			want = append(want, s.Gradient[0])
		}
		if m.Size() != g.Size || !(math.Abs(loss-g.Loss) <= 2*unit*g.Loss) ||
			!(math.Abs(m.Loss(params, b)-g.Loss) <= 2*unit*g.Loss) {
			t.Errorf("%v: Size() = %v, Gradient's loss = %v, Loss = %v, want %v, %v", g, m.Size(), loss,
				m.Loss(params, b), g.Size, g.Loss)
		}
		for j, x := range want {
			if !(math.Abs(float64(gradient[j])-x) <= 2*unit*math.Abs(x)) {
				t.Errorf("%v: gradient[%d] = %v, want %v", g, j, gradient[j], x)
			}
		}
	}
	if lines != 2 {
		t.Errorf("golden.json has %d lines, want one with a constant and one without", lines)
	}
}

// optimiser returns the optimiser that golden.py calls by this name.
func optimiser(rule string) *Optimiser {
	switch rule {
	case "sgd":
		return SGD()
	case "momentum":
		return Momentum(0.9)
	default:
		return Adam()
	}
}

// TestTrainingGolden follows PyTorch for five steps, each of which adds its
// rounding.
func TestTrainingGolden(t *testing.T) {
	file := readGolden(t)
	for i := range file.Networks {
		g := &file.Networks[i]
		if testing.Short() && g.Size > 1e6 {
			continue
		}
		for _, rule := range []string{"sgd", "momentum", "adam"} {
			if rule == "adam" && g.PredictedLoss != 0 {
				// Biases before batch normalisation have the gradient 0. Adam makes whole steps of its rounding errors.
				continue
			}
			n, params, b, _ := g.setting(t)
			o, gradient := optimiser(rule), make([]float32, n.Size())
			training := g.Training[rule]
			for step, want := range training.Losses {
				n.Gradient(gradient, params, b)
				n.Track(params, gradient)
				o.Step(params, gradient, float32(training.Rate))
				relative := addends(n, g.N) * unit * float64(step+2)
				if got := n.Loss(params, b); !(math.Abs(got-want) <= relative*max(want, 1)) {
					t.Errorf("%v: %s: loss after step %d = %v, want %v within %.1g", g, rule, step+1, got, want,
						relative)
				}
			}
		}
	}
}

// TestOptimisersGolden follows PyTorch along given gradients. A step has fewer
// than ten roundings, each of numbers below 2.
func TestOptimisersGolden(t *testing.T) {
	for _, g := range readGolden(t).Optimisers {
		o, c := optimiser(g.Rule), congruence(g.Seed)
		draw := func(scale float32) []float32 {
			out := make([]float32, 6)
			for i := range out {
				out[i] = c.spread(scale)
			}
			return out
		}
		params := draw(1)
		for step, want := range g.After {
			o.Step(params, draw(float32(math.Ldexp(1, -9*step))), float32(g.Rate))
			for i, x := range want {
				if !(math.Abs(float64(params[i])-x) <= 10*float64(step+1)*unit) {
					t.Errorf("%s, rate %v: params[%d] after step %d = %v, want %v", g.Rule, g.Rate, i, step+1,
						params[i], x)
				}
			}
		}
	}
}
