package partition

import (
	"slices"
	"sync"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	options := []param.Option{{Name: "all", Title: "one of twelve per client, at random"},
		{Name: "hcfl", Title: "one of HCFL's twenty per client, at random"}}
	for _, c := range corruptions[1:] {
		options = append(options, param.Option{Name: c.name, Title: string(c.title)})
	}
	Shifts.Register(registry.Entry[ShiftMaker]{
		Meta: registry.Meta{
			Name:  "corruptions",
			Title: "Corrupted pictures",
			Doc:   "The images of each client are corrupted in one way: noisy, blurred, foggy and so on. HCFL's twenty kinds, and three of MNIST-C.",
			Paper: paperHCFL.At("appendix E.1, after CIFAR-10-C (Hendrycks and Dietterich, ICLR 2019)"),
			Fields: []param.Field{
				{Name: "corrupt", Label: "Corruption", Section: param.Data, Kind: param.Choice, Default: "all", Options: options,
					Doc: "How images are corrupted. With a single kind, half of the clients have it and half have clean images."},
				{Name: "severity", Label: "Severity", Section: param.Data, Kind: param.Int, Min: 0, Max: 5, Default: "0",
					Doc: "From 1 (mild) to 5 (severe). 0 draws a level for each client."},
				{Name: "planted", Label: "Groups by corruption", Section: param.Data, Kind: param.Switch,
					Default: "0", Advanced: true,
					Doc: "Whether clients with the same corruption form a group. In the paper they do not: good clusters ignore the corruption."},
			},
		},
		Make: makeCorruptions,
	})
}

func makeCorruptions(v param.Values, set *dataset.Set, seed uint64) (Shift, error) {
	if err := needImages("corruptions", set); err != nil {
		return Shift{}, err
	}
	var kinds []corruption
	for _, c := range corruptions {
		if name := v.Text("corrupt"); c.name == "identity" || c.name == name || name == "all" && c.in&twelve != 0 ||
			name == "hcfl" && c.in&ofHCFL != 0 {
			kinds = append(kinds, c)
		}
	}
	shift := Shift{Kinds: Kinds{Group: make([]int, len(kinds))}}
	if v.Switch("planted") {
		for i, c := range kinds {
			shift.Group[i] = i
			shift.Groups = append(shift.Groups, c.title)
		}
	}
	severity := v.Int("severity")
	// Clients of one kind and severity share a view, whose tables are made once.
	made := make([][5]View, len(kinds))
	shift.View = func(kind, client int) View {
		c := kinds[kind]
		if c.show == nil {
			return nil
		}
		level := severity - 1
		if severity == 0 {
			var s rng.Stream
			s.Reset(seed, viewPlan, client, 0)
			level = s.IntN(5)
		}
		if made[kind][level] == nil {
			made[kind][level] = &corrupted{name: c.words(level), show: c.show(set.Shape, level)}
		}
		return made[kind][level]
	}
	return shift, nil
}

// corruption is one kind of image corruption.
type corruption struct {
	name  string
	title say.Message
	// show makes the function that corrupts images of a shape at a level from 0 to 4, one below the
	// severity; nil keeps them.
	show func(shape dataset.Shape, level int) corrupter
	in   lists
	flat bool // the same at every severity
}

// lists are the lists in which a corruption is.
type lists byte

const (
	ofHCFL lists = 1 << iota // HCFL's appendix E.1
	twelve                   // those of corrupt=all, an older choice, which old links have
)

// corrupter writes the corrupted image of raw to dst; raw may be overwritten.
type corrupter func(dst, raw []float32, s rng.Stream)

// words describes the corruption at a level.
func (c *corruption) words(level int) say.Message {
	if c.flat {
		return c.title
	}
	return say.Messagef("%s %d", c.title, level+1)
}

// corruptions are all kinds. HCFL's appendix E.1 has twenty: unchanged images, the fifteen corruptions of Hendrycks and
// Dietterich ("Benchmarking Neural Network Robustness to Common Corruptions and Perturbations", ICLR 2019, section 3) and
// the four extra ones of the same paper, speckle, Gaussian blur, spatter and saturate. Their constants differ by image:
//
//   - colour images have those of CIFAR-10-C (make_cifar_c.py in github.com/hendrycks/robustness), as HCFL has;
//   - others have those of MNIST-C (Mu and Gilmer, "MNIST-C: A Robustness Benchmark for Computer Vision", 2019,
//     corruptions.py in github.com/google-research/mnist-c), as the Fashion-MNIST script of HCFL's authors has, but for
//     pixelate, which keeps CIFAR-10-C's here.
//
// MNIST-C alone has translate, stripe and inverse. Images are computed with floats throughout; the scripts round them to
// bytes between steps and at the end.
var corruptions = []corruption{
	{name: "identity", title: "clear", in: ofHCFL | twelve, flat: true},
	{name: "gaussian", title: "noise", in: ofHCFL | twelve,
		show: pixelwise(gaussian, [5]float64{.08, .12, .18, .26, .38}, [5]float64{.04, .06, .08, .09, .1})},
	{name: "shot", title: "shot noise", in: ofHCFL | twelve,
		show: pixelwise(shot, [5]float64{60, 25, 12, 5, 3}, [5]float64{500, 250, 100, 75, 50})},
	{name: "impulse", title: "salt and pepper", in: ofHCFL | twelve,
		show: pixelwise(impulse, [5]float64{.03, .06, .09, .17, .27}, [5]float64{.01, .02, .03, .05, .07})},
	{name: "speckle", title: "speckle", in: ofHCFL | twelve,
		show: pixelwise(speckle, [5]float64{.15, .2, .35, .45, .6}, [5]float64{.06, .1, .12, .16, .2})},
	{name: "contrast", title: "pale", in: ofHCFL | twelve, show: contrast},
	{name: "brightness", title: "brighter", in: ofHCFL | twelve, show: brightness},
	{name: "pixelate", title: "coarse", in: ofHCFL | twelve, show: pixelate},
	{name: "blur", title: "blurred", in: ofHCFL | twelve, show: blur},
	{name: "translate", title: "shifted", in: twelve, show: translate},
	{name: "stripe", title: "striped", in: twelve, show: stripe, flat: true},
	{name: "inverse", title: "inverted", in: twelve, show: pixelwise(invert, [5]float64{}, [5]float64{}), flat: true},
	{name: "defocus", title: "out of focus", in: ofHCFL, show: defocus},
	{name: "glass", title: "frosted glass", in: ofHCFL, show: glass},
	{name: "motion", title: "shaken", in: ofHCFL, show: motion},
	{name: "zoom", title: "zoomed", in: ofHCFL, show: zoom},
	{name: "snow", title: "snow", in: ofHCFL, show: snow},
	{name: "frost", title: "frost", in: ofHCFL, show: frost},
	{name: "fog", title: "fog", in: ofHCFL, show: fog},
	{name: "elastic", title: "warped", in: ofHCFL, show: elastic},
	{name: "jpeg", title: "compressed", in: ofHCFL, show: jpeg},
	{name: "spatter", title: "spattered", in: ofHCFL, show: spatter},
	{name: "saturate", title: "recoloured", in: ofHCFL, show: saturate},
}

// ShowCorruption writes an image as each severity of a corruption shows it, one below the other, one byte per number as
// in [Partition.Preview]. dst must hold five images. It reports whether there is a corruption of this name; those are the
// options of the setting corrupt but "all" and "hcfl".
func ShowCorruption(dst []byte, name string, shape dataset.Shape, image []float32) bool {
	i := slices.IndexFunc(corruptions, func(c corruption) bool { return c.name == name && c.show != nil })
	if i < 0 {
		return false
	}
	size := shape.Size()
	raw, row := make([]float32, size+1), make([]float32, size)
	for level := range 5 {
		copy(raw, image[:size])
		raw[size] = 0
		var s rng.Stream
		s.Reset(1, viewDraw, 0, level)
		corruptions[i].show(shape, level)(row, raw, s)
		for j, x := range row {
			dst[level*size+j] = Shade(x)
		}
	}
	return true
}

// colour reports whether images have red, green and blue.
func colour(shape dataset.Shape) bool { return shape.Channels == 3 }

// constant returns the constants of a level: those of MNIST-C for grey images, those of CIFAR-10-C for colour images.
func constant[T any](shape dataset.Shape, level int, ofGrey, ofColour [5]T) T {
	if colour(shape) {
		return ofColour[level]
	}
	return ofGrey[level]
}

// lender lends working memory to whoever corrupts an image, since many do at a time.
type lender struct{ pool sync.Pool }

// lend returns a lender of n numbers.
func lend(n int) *lender {
	return &lender{sync.Pool{New: func() any { s := make([]float32, n); return &s }}}
}

// take borrows the numbers; their values are arbitrary. They must be given back.
func (l *lender) take() *[]float32  { return l.pool.Get().(*[]float32) }
func (l *lender) give(s *[]float32) { l.pool.Put(s) }

// corrupted is the view of a client with one corruption.
type corrupted struct {
	name say.Message
	show corrupter
}

func (c *corrupted) Show(dst, raw []float32, s rng.Stream) { c.show(dst, raw, s) }
func (c *corrupted) Words() say.Message                    { return c.name }

// clip limits x to [0, 1].
func clip(x float32) float32 { return max(0, min(1, x)) }
