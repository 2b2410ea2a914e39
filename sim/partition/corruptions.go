package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	options := []param.Option{{Name: "all", Title: "one of twelve per client, at random"}}
	for _, c := range corruptions[1:] {
		options = append(options, param.Option{Name: c.name, Title: string(c.title)})
	}
	Shifts.Register(registry.Entry[ShiftMaker]{
		Meta: registry.Meta{
			Name:  "corruptions",
			Title: "Corrupted pictures",
			Doc:   "The images of each client are corrupted in one way: noisy, blurred, fogged and so on. Twelve of the twenty kinds of the paper.",
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
	kinds := corruptions
	if name := v.Text("corrupt"); name != "all" {
		kinds = nil
		for _, c := range corruptions {
			if c.name == "identity" || c.name == name {
				kinds = append(kinds, c)
			}
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
	flat bool // the same at every severity
}

// corrupter writes the corrupted image of raw to dst; raw may be overwritten.
type corrupter func(dst, raw []float32, s rng.Stream)

// words describes the corruption at a level.
func (c *corruption) words(level int) say.Message {
	if c.flat {
		return c.title
	}
	return say.Messagef("%s %d", c.title, level+1)
}

// corruptions are the twelve kinds of HCFL that need no image library, with the constants of the paper's public code.
var corruptions = []corruption{
	{name: "identity", title: "clear", flat: true},
	{name: "gaussian", title: "noise", show: pixelwise(gaussian, .08, .12, .18, .26, .38)},
	{name: "shot", title: "shot noise", show: pixelwise(shot, 60, 25, 12, 5, 3)},
	{name: "impulse", title: "salt and pepper", show: pixelwise(impulse, .03, .06, .09, .17, .27)},
	{name: "speckle", title: "speckle", show: pixelwise(speckle, .15, .2, .35, .45, .6)},
	{name: "contrast", title: "pale", show: contrast},
	{name: "brightness", title: "fogged", show: pixelwise(brighten, .1, .2, .3, .4, .5)},
	{name: "pixelate", title: "coarse", show: pixelate},
	{name: "blur", title: "blurred", show: blur},
	{name: "translate", title: "shifted", show: translate},
	{name: "stripe", title: "striped", show: stripe, flat: true},
	{name: "inverse", title: "inverted", show: pixelwise(invert, 0, 0, 0, 0, 0), flat: true},
}

// corrupted is the view of a client with one corruption.
type corrupted struct {
	name say.Message
	show corrupter
}

func (c *corrupted) Show(dst, raw []float32, s rng.Stream) { c.show(dst, raw, s) }
func (c *corrupted) Words() say.Message                    { return c.name }

// clip limits x to [0, 1].
func clip(x float32) float32 { return max(0, min(1, x)) }
