package kernel

// A Convolution multiplies with the patches of an image, as Im2Col lays them out, without making them. An image has
// channels; the first lies at 0, the next one plane further, and so on.
type Convolution struct {
	filters, channels, plane int
	across                   int
	weights                  int // per channel
	from                     []int
	// Distances in bytes: of the elements that the weights multiply, of the positions, and of the filters' outputs.
	inputs, places, outputs []int32
}

// What the loops for amd64 take at a time, and so divides the sizes of a convolution.
const (
	convolvedLanes    = 16 // positions of an image, or filters
	convolvedColumns  = 2 * convolvedLanes
	convolvedChannels = 8
	convolvedMost     = 1 << 14 // positions, and weights of a filter: more are left to patches
)

// NewConvolution returns a convolution of down×across positions, whose filters multiply a weight per channel and element
// of from: the places of these elements in the first channel, for the position in the corner. Other positions follow in
// rows of an image of that width. It returns nil where there are no loops for it: on processors without AVX-512, and for
// sizes that are not multiples of the constants above, or large.
func NewConvolution(filters, channels, plane int, from []int, down, across, width int) *Convolution {
	positions, fanIn := down*across, channels*len(from)
	switch {
	case !convolves(), filters%convolvedLanes != 0, channels%convolvedChannels != 0, positions%convolvedColumns != 0,
		across != convolvedLanes/2 && across%convolvedLanes != 0, fanIn < convolvedLanes, positions < filters,
		positions > convolvedMost, fanIn > convolvedMost:
		return nil
	}
	size(4, channels, plane)
	size(4, filters, positions)
	c := &Convolution{filters: filters, channels: channels, plane: plane, across: across,
		weights: len(from), from: from}
	for channel := range channels {
		for _, at := range from {
			if at+(down-1)*width+across > plane {
				panic("kernel: a convolution reaches beyond its image")
			}
			c.inputs = append(c.inputs, int32(4*(channel*plane+at)))
		}
	}
	for y := range down {
		for x := range across {
			c.places = append(c.places, int32(4*(y*width+x)))
		}
	}
	for f := range filters {
		c.outputs = append(c.outputs, int32(4*f*positions))
	}
	return c
}

// fanIn is the number of weights of a filter.
func (c *Convolution) fanIn() int { return c.channels * c.weights }

// check panics unless the sizes fit: of outputs[filters×positions], weights[filters×channels×len(from)] and an image.
func (c *Convolution) check(outputs, weights, image []float32) {
	must(len(outputs), c.filters*len(c.places))
	must(len(weights), c.filters*c.fanIn())
	must(len(image), c.channels*c.plane)
}
