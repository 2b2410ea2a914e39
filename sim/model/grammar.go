package model

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A text describes a network by its layers, from the samples on, with - between them:
//
//	conv16-gn-relu-pool-res32s2-gap
//
// A layer is a word of [Kinds], perhaps a number, such as that of filters, and options: k, s and p are side, stride and
// padding of a kernel. The last layer is not in the text: it is dense, with one output per class. With the word code the
// layers before it are the encoder of an autoencoder, those after it the decoder, whose last layer is dense with a
// sigmoid, unless the text ends with the size of a sample.

// Kind describes a kind of layer, for help.
type Kind struct {
	Token   string // the word in texts
	Example string
	Doc     string // what it is, with its defaults
}

// Kinds lists the kinds of layers.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i, k := range kinds {
		out[i] = Kind{k.token, k.example, k.doc}
	}
	return out
}

// kind is a kind of layer: its word, what may follow, and how it is added to a network.
type kind struct {
	token   string
	counts  say.Message // what the number after the word counts, "" for no number
	usual   int         // the number if there is none in the text; 0 if it is required, −1 if the layer chooses
	most    int         // the largest number
	options string      // letters of options
	example string
	doc     string
	add     func(*builder, args) error
}

// kinds are all kinds of layers.
var kinds = []*kind{
	&convKind, &depthwiseKind, &transposedKind, &conv1dKind, &residualKind, &denseKind, &embeddingKind,
	&groupNormKind, &batchNormKind, &poolKind, &averageKind, &globalAverageKind, &globalMaxKind,
	&reluKind, &tanhKind, &sigmoidKind, &dropoutKind, &codeKind,
}

var (
	reluKind    = activationKind(relu, "max(x, 0)")
	tanhKind    = activationKind(tanh, "hyperbolic tangent")
	sigmoidKind = activationKind(sigmoid, "1/(1 + e⁻ˣ)")
)

var codeKind = kind{token: "code", example: "code", doc: "the end of an autoencoder's encoder: what follows is its decoder",
	add: func(b *builder, _ args) error {
		if b.encoder > 0 || len(b.layers) == 0 {
			return b.refuse("it stands once, behind the layers of the encoder")
		}
		b.encoder = len(b.layers)
		return nil
	}}

// Limits of a text, and of the network that it describes.
const (
	mostFilters    = 1024
	mostOutputs    = 4096
	mostSide       = 11
	mostStride     = 4
	mostLayers     = 100
	mostText       = 400
	mostNumbers    = 1 << 20 // outputs of a layer, for one sample
	mostParameters = 1 << 24
	mostScratch    = 1 << 26 // floats of scratch of a layer
	// pieceFloats bounds the scratch of a piece, so that what one layer writes for it is still in the cache when the
	// next one reads it.
	pieceFloats = 1 << 20
	fewestRows  = 8
)

// args is what follows the word of a layer; −1 stands for what is not there.
type args struct{ number, k, stride, pad int }

// or returns the number, or usual if it is not there.
func or(number, usual int) int {
	if number < 0 {
		return usual
	}
	return number
}

// builder adds one layer after the other.
type builder struct {
	sample     Samples
	shape      Shape // of the last output
	layers     []stage
	encoder    int // number of layers of the encoder, 0 if there is none
	parameters int

	place int    // of the present layer in the text, from 1
	token string // its text
}

// refuse returns an error that names the present layer.
func (b *builder) refuse(format string, values ...any) error {
	return say.Errorf("layer %d, %s: %s", b.place, b.token, say.Messagef(format, values...))
}

// size describes what the present layer gets.
func (b *builder) size() say.Message {
	s := b.shape
	if s.Height == 1 && s.Width == 1 {
		return say.Messagef("%d numbers", s.Channels)
	}
	return say.Messagef("%d×%d×%d numbers", s.Height, s.Width, s.Channels)
}

// push adds a layer to the network.
func (b *builder) push(l layer) error {
	if len(b.layers) == mostLayers {
		return b.refuse("it is one layer too many; the limit is %d", mostLayers)
	}
	weights, biases := l.parameters()
	if s, ok := l.(statistical); ok {
		biases += 2 * s.statistics()
	}
	b.parameters += weights + biases
	if b.parameters > mostParameters {
		return b.refuse("%s parameters up to here; the limit is %s", say.Whole(b.parameters), say.Whole(mostParameters))
	}
	if n := max(l.outputs(), l.scratch()/(mostScratch/mostNumbers)); n > mostNumbers {
		return b.refuse("%s numbers per sample; the limit is %s", say.Whole(n), say.Whole(mostNumbers))
	}
	b.layers = append(b.layers, stage{l, identity})
	b.shape = l.result()
	return nil
}

// window returns the kernel of a layer that works on pictures.
func (b *builder) window(a args, k int) (window, error) {
	if b.shape.Height < 2 || b.shape.Width < 2 {
		return window{}, b.refuse("it needs a picture, and gets %s", b.size())
	}
	return b.fit(a, k)
}

// fit returns a kernel of side k, unless a says otherwise, if it fits into the last output.
func (b *builder) fit(a args, k int) (window, error) {
	a.k, a.stride = or(a.k, k), or(a.stride, 1)
	a.pad = or(a.pad, (a.k-1)/2)
	side := b.shape.Width
	if b.shape.Height > 1 {
		side = min(side, b.shape.Height)
	}
	if err := b.checkStride(a.stride, side); err != nil {
		return window{}, err
	}
	switch {
	case a.k < 1 || a.k > mostSide:
		return window{}, b.refuse("a side of %d; use 1 to %d", a.k, mostSide)
	case a.pad > a.k-1:
		return window{}, b.refuse("padding %d; use 0 to %d", a.pad, a.k-1)
	case a.k > side+2*a.pad:
		return window{}, b.refuse("a side of %d is larger than the picture of %d×%d", a.k, b.shape.Height, b.shape.Width)
	}
	return square(b.shape, a.k, a.stride, a.pad), nil
}

// checkStride returns an error if a stride is too large for pictures of a side.
func (b *builder) checkStride(stride, side int) error {
	most := min(mostStride, side)
	switch {
	case stride >= 1 && stride <= most:
		return nil
	case stride > side:
		return b.refuse("stride %d is larger than the picture of %d×%d; use 1 to %d", stride, b.shape.Height,
			b.shape.Width, most)
	}
	return b.refuse("stride %d; use 1 to %d", stride, most)
}

// squares returns the squares of side k of the last output.
func (b *builder) squares(k int) (squares, error) {
	s := squares{b.shape, k}
	if b.shape.Height*b.shape.Width == 1 {
		return s, b.refuse("it needs a picture or a sequence, and gets %s", b.size())
	}
	if r := s.result(); r.Height == 0 || r.Width == 0 {
		return s, b.refuse("a side of %d is larger than the picture of %d×%d", k, b.shape.Height, b.shape.Width)
	}
	return s, nil
}

// Parse returns the network that a text describes, or an error that names the layer. Nothing large is allocated.
func Parse(text string, in Samples) (*Network, error) {
	b := builder{sample: in, shape: in.Shape}
	if len(text) > mostText {
		return nil, say.Errorf("the text of the layers has %d characters; the limit is %d", len(text), mostText)
	}
	if in.Size() < 1 || in.Size() > mostNumbers {
		return nil, say.Errorf("samples of %s numbers; the limit is %s", say.Whole(in.Size()), say.Whole(mostNumbers))
	}
	if text != "" {
		for i, token := range strings.Split(text, "-") {
			b.place, b.token = i+1, token
			if err := b.addToken(); err != nil {
				return nil, err
			}
		}
	}
	return b.finish()
}

// addToken adds the present layer.
func (b *builder) addToken() error {
	k, rest := kindOf(b.token)
	if k == nil {
		word, names := strings.TrimRight(b.token, "0123456789"), make([]string, len(kinds))
		for i, k := range kinds {
			names[i] = k.token
		}
		if hint := param.DidYouMean(word, names); hint != "" {
			return b.refuse("no layer is called so; %s", hint)
		}
		return b.refuse("no layer is called so; there are %s", strings.Join(names, ", "))
	}
	a, err := b.args(k, rest)
	if err != nil {
		return err
	}
	return k.add(b, a)
}

// kindOf returns the kind of a layer, that with the longest word, and what follows the word; nil if there is none.
func kindOf(token string) (found *kind, rest string) {
	for _, k := range kinds {
		if after, ok := strings.CutPrefix(token, k.token); ok && (found == nil || len(k.token) > len(found.token)) {
			found, rest = k, after
		}
	}
	return found, rest
}

// args reads what follows the word of a layer.
func (b *builder) args(k *kind, text string) (args, error) {
	a := args{-1, -1, -1, -1}
	number, text := cutNumber(text)
	switch {
	case k.counts == "" && number >= 0:
		return a, b.refuse("it has no number; write %s", k.example)
	case k.counts == "":
	case number < 0 && k.usual == 0:
		return a, b.refuse("a number of %s must follow, such as %s", k.counts, k.example)
	case number < 0:
		a.number = k.usual
	case number < 1 || number > k.most:
		return a, b.refuse("a number of %s from 1 to %d must follow, such as %s", k.counts, k.most, k.example)
	default:
		a.number = number
	}
	for text != "" {
		letter, value := text[:1], -1
		to := map[string]*int{"k": &a.k, "s": &a.stride, "p": &a.pad}[letter]
		if to == nil || !strings.Contains(k.options, letter) {
			if k.options == "" {
				return a, b.refuse("nothing can follow %s", strings.TrimSuffix(b.token, text))
			}
			return a, b.refuse("%s is no option here; there are %s", param.Quote(text),
				strings.Join(strings.Split(k.options, ""), ", "))
		}
		if value, text = cutNumber(text[1:]); value < 0 || *to >= 0 {
			return a, b.refuse("one number must follow %s", letter)
		}
		*to = value
	}
	return a, nil
}

// cutNumber returns the number that a text begins with, −1 if there is none, and the rest.
func cutNumber(text string) (number int, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return -1, text
	}
	number, err := strconv.Atoi(text[:min(end, 7)])
	if err != nil {
		return -1, text
	}
	return number, text[end:]
}

// finish adds the last layer.
func (b *builder) finish() (*Network, error) {
	b.place++
	task, body := Classification, len(b.layers)
	if b.encoder > 0 {
		if task, body = Reconstruction, b.encoder; b.shape.Size() != b.sample.Size() || len(b.layers) == b.encoder {
			b.token = "dense" + strconv.Itoa(b.sample.Size())
			if err := b.push(&dense{b.shape.Size(), b.sample.Size(), true}); err != nil {
				return nil, err
			}
			b.layers[len(b.layers)-1].activation = sigmoid
		}
	} else {
		outputs := b.sample.Classes
		if outputs < 2 {
			task, outputs = Regression, 1
		}
		b.token = "dense" + strconv.Itoa(outputs)
		if err := b.push(&dense{b.shape.Size(), outputs, true}); err != nil {
			return nil, err
		}
	}
	n := newNetwork(task, b.sample.Shape, body, b.layers)
	if len(n.statistics) == 0 {
		n.piece = min(pieceRows, max(fewestRows, pieceFloats/n.perRow()))
	}
	return n, nil
}

// SetTrunk lets the head of the network begin behind a number of its [Network.Blocks], at most all but the last. With 0
// it stays as it is.
func (n *Network) SetTrunk(blocks int) {
	if blocks > 0 {
		starts := n.starts()
		n.body = starts[min(blocks, len(starts)-1)]
		n.scratch = scratch{}
	}
}

// Block is a part of a network that stands as one in pictures of it: a layer with what is done to its outputs, or a
// residual block.
type Block struct {
	Text         string // such as "conv16-gn-relu"
	Shape        Shape  // of its output
	Parameters   int
	MultiplyAdds int // of a forward pass over one sample
}

// Blocks returns the blocks of the network, from the samples on.
func (n *Network) Blocks() []Block {
	starts := append(n.starts(), len(n.layers))
	out := make([]Block, len(starts)-1)
	for i := range out {
		part := n.layers[starts[i]:starts[i+1]]
		out[i] = Block{Text: textOf(part), Shape: part[len(part)-1].result(),
			Parameters: n.layerSegments[starts[i+1]-1].Hi - n.layerSegments[starts[i]].Lo}
		for _, l := range part {
			out[i].MultiplyAdds += l.multiplyAdds()
		}
	}
	return out
}

// TrunkBlocks is the number of blocks before the head.
func (n *Network) TrunkBlocks() int {
	starts := n.starts()
	i, found := slices.BinarySearch(starts, n.body)
	if !found {
		return i - 1
	}
	return i
}

// starts returns the first layer of each block.
func (n *Network) starts() []int {
	var out []int
	for i, l := range n.layers {
		switch l := l.layer.(type) {
		case *groupNorm, *batchNorm, *dropout:
			if i == 0 {
				out = append(out, i)
			}
		case *skip:
			for len(out) > 0 && out[len(out)-1] > i-l.back {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, i)
		}
	}
	return out
}

// textOf is the text of layers.
func textOf(layers []stage) string {
	var words []string
	for _, l := range layers {
		if s, ok := l.layer.(*skip); ok {
			words = append(words[:len(words)-s.back-1], "res"+strconv.Itoa(s.shape.Channels))
			if s.projects() && s.project.stride > 1 {
				words[len(words)-1] += "s" + strconv.Itoa(s.project.stride)
			}
			continue
		}
		words = append(words, wordOf(l.layer))
		if l.activation != identity {
			words = append(words, activationNames[l.activation])
		}
	}
	return strings.Join(words, "-")
}

// wordOf is the text of a layer.
func wordOf(l layer) string {
	number := strconv.Itoa
	switch l := l.(type) {
	case *dense:
		return "dense" + number(l.out)
	case *conv:
		if l.high == 1 && l.shape.Height == 1 {
			return "conv1d" + number(l.filters) + l.options(3)
		}
		return "conv" + number(l.filters) + l.options(3)
	case *depthwise:
		return "dw" + l.options(3)
	case *transposed:
		return "tconv" + number(l.shape.Channels) + "k" + number(l.high) + "s" + number(l.stride) + "p" + number(l.padY)
	case *embedding:
		return "embed" + number(l.width)
	case *groupNorm:
		return "gn" + number(l.groups)
	case *batchNorm:
		return "bn"
	case *pool:
		return "pool" + l.side()
	case *average:
		return "avg" + l.side()
	case *global:
		if l.largest {
			return "gmax"
		}
		return "gap"
	case *dropout:
		return "drop" + number(l.percent)
	}
	panic("model: a layer has no text")
}

// options are those of a window that differ from the usual ones.
func (w *window) options(k int) string {
	text := ""
	if w.wide != k {
		text += "k" + strconv.Itoa(w.wide)
	}
	if w.stride != 1 {
		text += "s" + strconv.Itoa(w.stride)
	}
	if w.padX != (w.wide-1)/2 {
		text += "p" + strconv.Itoa(w.padX)
	}
	return text
}

// side is the side of the squares, unless it is the usual one.
func (l *squares) side() string {
	if l.k == 2 {
		return ""
	}
	return strconv.Itoa(l.k)
}
