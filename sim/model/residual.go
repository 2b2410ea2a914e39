package model

import "flockscope/sim/kernel"

// skip adds the output of an earlier layer to its input: the end of a residual block (He et al., CVPR 2016). Where the
// block changes the size, a 1×1 convolution projects what is added.
type skip struct {
	shape   Shape // of the input
	back    int   // the layers of the block, before this one
	project conv  // without filters if sizes are equal
}

func (s *skip) result() Shape { return s.shape }

func (s *skip) projects() bool { return s.project.filters > 0 }

func (s *skip) name() string {
	if s.projects() {
		return "skip"
	}
	return ""
}

func (s *skip) parameters() (weights, biases int) {
	if !s.projects() {
		return 0, 0
	}
	return s.project.parameters()
}

func (s *skip) fanIn() int {
	if !s.projects() {
		return 1
	}
	return s.project.fanIn()
}

func (s *skip) multiplyAdds() int {
	if !s.projects() {
		return 0
	}
	return s.project.multiplyAdds()
}

func (s *skip) scratch() int {
	if !s.projects() {
		return 0
	}
	return s.project.scratch()
}

func (s *skip) outputs() int { return s.shape.Size() }

// source is the shape of what is added.
func (s *skip) source() Shape {
	if s.projects() {
		return s.project.shape
	}
	return s.shape
}

func (s *skip) forward(p *pass) {
	if !s.projects() {
		for i := range p.rows { // row by row, which stays in the cache
			copy(p.row(p.out, i), p.row(p.in, i))
			kernel.Axpy(p.row(p.out, i), 1, p.row(p.skipped, i))
		}
		return
	}
	branch := *p
	branch.in = p.skipped
	s.project.forward(&branch)
	kernel.Axpy(p.out, 1, p.in)
}

func (s *skip) backward(p *pass) {
	if p.dIn != nil {
		copy(p.dIn, p.dOut)
	}
	if !s.projects() {
		copy(p.dSkipped, p.dOut)
		return
	}
	branch := *p
	branch.in, branch.dIn = p.skipped, p.dSkipped
	s.project.backward(&branch)
}

var residualKind = kind{token: "res", counts: "filters", most: mostFilters, options: "s", example: "res32s2",
	doc: "residual block: two 3×3 convolutions with group normalisation, added to the block's input",
	add: func(b *builder, a args) error {
		in := b.shape
		a.k, a.pad = -1, -1
		w, err := b.window(a, 3)
		if err != nil {
			return err
		}
		s := &skip{back: 4}
		for i := range 2 {
			if i == 1 {
				w = square(b.shape, 3, 1, 1)
			}
			if err := b.push(newConv(w, a.number)); err != nil {
				return err
			}
			if err := b.push(&groupNorm{b.shape, groupsOf(b.shape.Channels)}); err != nil {
				return err
			}
			if i == 0 {
				b.layers[len(b.layers)-1].activation = relu
			}
		}
		if s.shape = b.shape; s.shape != in {
			s.project = *newConv(square(in, 1, or(a.stride, 1), 0), a.number)
		}
		if err := b.push(s); err != nil {
			return err
		}
		b.layers[len(b.layers)-1].activation = relu
		return nil
	}}
