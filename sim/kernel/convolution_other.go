//go:build !amd64

package kernel

// convolves says whether there are loops for convolutions.
func convolves() bool        { return false }
func convolvesForward() bool { return false }

// The methods are for amd64 only.

func (c *Convolution) Forward(_, _, _, _ []float32)  {}
func (c *Convolution) AddGradient(_, _, _ []float32) {}
func (c *Convolution) Back(_, _, _ []float32)        {}
func (c *Convolution) Transpose(_, _ []float32)      {}
func (c *Convolution) TransposeBack(_, _ []float32)  {}
