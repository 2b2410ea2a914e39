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

// Positions of a convolution are taken in groups, which the loops for amd64 do not divide.
const (
	convolvedLanes    = 16 // positions that lie side by side in an image
	convolvedColumns  = 2 * convolvedLanes
	convolvedChannels = 8
)

// NewConvolution returns a convolution of down×across positions, whose filters multiply a weight per channel and element
// of from: the places of these elements in the first channel, for the position in the corner. The other positions follow
// in rows of an image of that width. It returns nil where making patches is as fast, or the sizes do not fit.
func NewConvolution(filters, channels, plane int, from []int, down, across, width int) *Convolution {
	if !convolves() || filters%convolvedLanes != 0 || channels%convolvedChannels != 0 || across != convolvedLanes/2 && across%convolvedLanes != 0 || down*across%convolvedColumns != 0 || down*across < filters ||
		channels*len(from) < convolvedLanes {
		return nil
	}
	c := &Convolution{filters: filters, channels: channels, plane: plane, across: across, weights: len(from), from: from}
	for channel := range channels {
		for _, at := range from {
			if at+(down-1)*width+across > plane {
				panic("kernel: a convolution reaches beyond its image")
			}
			c.inputs = append(c.inputs, int32(4*size(1, channel*plane+at)))
		}
	}
	for y := range down {
		for x := range across {
			c.places = append(c.places, int32(4*(y*width+x)))
		}
	}
	for f := range filters {
		c.outputs = append(c.outputs, int32(4*size(f, len(c.places))))
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
