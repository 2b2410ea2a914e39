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
	pairs                   []pair // of the loops that have registers of eight lanes
}

// What the loops of AVX-512 take at a time, and so divides the sizes of a convolution; those of AVX2 need vectorLanes
// positions in a row.
const (
	convolvedLanes    = 16 // positions of an image, or filters
	convolvedColumns  = 2 * convolvedLanes
	convolvedChannels = 8
	convolvedMost     = 1 << 14 // positions, and weights of a filter: more are left to patches
	vectorLanes       = 8
)

// NewConvolution returns a convolution of down×across positions, whose filters multiply a weight per channel and element
// of from: the places of these elements in the first channel, for the position in the corner. Other positions follow in
// rows of an image of that width. It returns nil where there are no loops for it: on other processors than those above,
// and for sizes that do not suit them.
func NewConvolution(filters, channels, plane int, from []int, down, across, width int) *Convolution {
	positions, fanIn := down*across, channels*len(from)
	whole := filters%convolvedLanes == 0 && channels%convolvedChannels == 0 && positions%convolvedColumns == 0 &&
		(across == convolvedLanes/2 || across%convolvedLanes == 0) && fanIn >= convolvedLanes && positions >= filters
	forward := across >= vectorLanes
	if !(whole && convolves() || forward && convolvesForward()) || positions > convolvedMost || fanIn > convolvedMost {
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
	if !convolves() {
		c.pairs = pairsOfVectors(down, across, width)
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

// A pair is two vectors of positions that are computed together: where the first begins in an image and among the outputs,
// and by how much the second is further on.
type pair struct{ image, out, imageNext, outNext int }

// pairsOfVectors covers all positions with pairs. The last vector of a row may overlap the one before it, and the very last
// may be in its pair twice: positions that are computed twice come out the same.
func pairsOfVectors(down, across, width int) (out []pair) {
	second := false
	for y := range down {
		for x := 0; x < across; x += vectorLanes {
			x := min(x, across-vectorLanes)
			image, at := y*width+x, y*across+x
			if second {
				p := &out[len(out)-1]
				p.imageNext, p.outNext = image-p.image, at-p.out
			} else {
				out = append(out, pair{image: image, out: at})
			}
			second = !second
		}
	}
	return out
}

// HasGradients says whether there are loops for more than Forward.
func (c *Convolution) HasGradients() bool { return c.pairs == nil }

// fanIn is the number of weights of a filter.
func (c *Convolution) fanIn() int { return c.channels * c.weights }

// check panics unless the sizes fit: of outputs[filters×positions], weights[filters×channels×len(from)] and an image.
func (c *Convolution) check(outputs, weights, image []float32) {
	must(len(outputs), c.filters*len(c.places))
	must(len(weights), c.filters*c.fanIn())
	must(len(image), c.channels*c.plane)
}
