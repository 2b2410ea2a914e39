package model

import "flockscope/sim/kernel"

// dense is out = in·W + c, with W stored in × out, so that the forward pass and the gradient with
// respect to W run along rows.
type dense struct {
	in, out int
	bias    bool
}

func (d dense) parameters() (weights, biases int) {
	if d.bias {
		biases = d.out
	}
	return d.in * d.out, biases
}

func (dense) name() string   { return "dense" }
func (d dense) fanIn() int   { return d.in }
func (d dense) outputs() int { return d.out }
func (dense) scratch() int   { return 0 }

func (d dense) multiplyAdds() int { return d.in * d.out }

func (d dense) forward(p *pass) {
	n := d.in * d.out
	kernel.MatMul(p.out, p.in, p.params[:n], p.rows, d.in, d.out)
	if d.bias {
		kernel.AddBias(p.out, p.params[n:], p.rows, d.out)
	}
}

func (d dense) backward(p *pass) {
	n := d.in * d.out
	if p.accumulate {
		kernel.AddMatMulTN(p.dParams[:n], p.in, p.dOut, d.in, p.rows, d.out)
	} else {
		kernel.MatMulTN(p.dParams[:n], p.in, p.dOut, d.in, p.rows, d.out)
		clear(p.dParams[n:])
	}
	if d.bias {
		kernel.SumRows(p.dParams[n:], p.dOut, p.rows, d.out)
	}
	if p.dIn != nil {
		kernel.MatMulNT(p.dIn, p.dOut, p.params[:n], p.rows, d.out, d.in)
	}
}

// denseStack returns dense layers with biases between the widths. inner follows each inner layer,
// last the last one.
func denseStack(widths []int, inner, last activation) []stage {
	var stack []stage
	for i, width := range widths[1:] {
		stack = append(stack, stage{dense{widths[i], width, true}, inner})
	}
	stack[len(stack)-1].activation = last
	return stack
}
