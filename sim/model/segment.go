package model

// Shape is the size of an image. A sample holds its channels one after the
// other, each row by row: Channels × Height × Width numbers. A sample that is
// no image has Height 1 and Channels 1.
type Shape struct{ Height, Width, Channels int }

// Samples says what a network learns from.
type Samples struct {
	Shape
	Classes int // 0: samples have a target, or none
	Tokens  int // if above 0, a sample is a text: the numbers of its tokens, from 0 to Tokens−1
}

// Size returns the numbers of one sample.
func (s Shape) Size() int { return s.Height * s.Width * s.Channels }

// Segment is a named part of the parameter vector: params[Lo:Hi].
type Segment struct {
	Name   string // such as "dense1.weight"
	Lo, Hi int
}

// Len returns the number of parameters in the segment.
func (s Segment) Len() int { return s.Hi - s.Lo }

// Of returns the segment's part of a parameter or gradient vector, sharing its
// memory.
func (s Segment) Of(params []float32) []float32 { return params[s.Lo:s.Hi] }
