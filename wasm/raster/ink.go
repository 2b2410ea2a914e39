package raster

import (
	"image/color"

	"flockscope/sim/draw/scene"
)

// An ink blends colours into a palette of at most 256: a picture of flat colours
// needs no more, and is compressed several times faster than one of true colours.
// Edges are blended in levels steps; if the palette is full, an edge takes the nearest
// colour.
type ink struct {
	theme   scene.Theme
	fade    float32
	palette color.Palette
	index   map[[3]uint8]uint8

	// The colour to paint with, and the result of blending it over a colour of the
	// palette at a level; −1 where it is not computed yet.
	colour  scene.Colour
	blended float32
	mixed   [256][levels + 1]int16
}

const levels = 15

// newInk returns an ink whose colour 0 is paper. The other plain colours are in the
// palette, too.
func newInk(t scene.Theme) *ink {
	k := &ink{theme: t, fade: 1, index: map[[3]uint8]uint8{}}
	k.find(t.RGB(scene.Paper))
	for c := scene.Ink; c <= scene.Edge; c++ {
		k.find(t.RGB(c))
	}
	for i := range scene.Clusters {
		k.find(t.RGB(scene.Cluster(i)))
	}
	return k
}

// use sets the colour to paint with.
func (k *ink) use(c scene.Colour) {
	if c == k.colour && k.fade == k.blended {
		return
	}
	k.colour, k.blended = c, k.fade
	for i := range k.mixed {
		for level := range k.mixed[i] {
			k.mixed[i][level] = -1
		}
	}
}

// over returns the colour of a pixel after painting over it with coverage a/255.
func (k *ink) over(ground, a uint8) uint8 {
	level := (int(a)*levels + 127) / 255
	if level == 0 {
		return ground
	}
	if i := k.mixed[ground][level]; i >= 0 {
		return uint8(i)
	}
	part := float32(level) / levels * k.fade
	mix := func(from, to uint8) uint8 {
		return uint8(float32(from) + float32(part*(float32(to)-float32(from))) + 0.5)
	}
	r, g, b := k.theme.RGB(k.colour)
	under := k.palette[ground].(color.RGBA)
	i := k.find(mix(under.R, r), mix(under.G, g), mix(under.B, b))
	k.mixed[ground][level] = int16(i)
	return i
}

// find returns the index of a colour, or of the nearest one when there is no
// room for it.
func (k *ink) find(r, g, b uint8) uint8 {
	rgb := [3]uint8{r, g, b}
	if i, ok := k.index[rgb]; ok {
		return i
	}
	colour := color.RGBA{r, g, b, 255}
	if len(k.palette) == 256 {
		return uint8(k.palette.Index(colour))
	}
	i := uint8(len(k.palette))
	k.palette = append(k.palette, colour)
	k.index[rgb] = i
	return i
}
