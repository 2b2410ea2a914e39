package scene

import "fmt"

// Colour is an index into a [Theme]. The zero value draws nothing.
type Colour uint16

// The neutral colours. Hue is reserved for models; everything else is drawn in these.
const (
	Nothing    Colour = iota
	Ink               // text, important axes, lines of lanes
	Quiet             // captions, ticks
	Line              // frames, grid
	Paper             // the background of a figure
	Panel             // the background of a control panel
	Unassigned        // clients without a model, sample points
	Edge              // of marks on the heat ramp: white in all themes, which share the ramp
	firstCluster
)

// Clusters is the number of cluster colours; models after these are Quiet.
const Clusters = 12

const firstHeat = firstCluster + Clusters

// Colours is the length of a theme's table.
const Colours = int(firstHeat) + 256

// Cluster returns the colour of cluster k, counted from 0 for A; Quiet outside the palette.
func Cluster(k int) Colour {
	if k < 0 || k >= Clusters {
		return Quiet
	}
	return firstCluster + Colour(k)
}

// Heat returns step v of the sequential ramp for heat maps, from dark (0) to bright (255). It is
// the same in all themes.
func Heat(v uint8) Colour { return firstHeat + Colour(v) }

// Theme maps colours to RGB.
type Theme uint8

// The themes.
const (
	Light Theme = iota
	Dark
	Greyscale // as light, with cluster colours that differ in lightness, too: for print without colour
)

func (t Theme) String() string { return [...]string{"light", "dark", "greyscale"}[t] }

// solid holds the colours before the heat ramp. The cluster colours were found by a search for the largest minimum
// difference under four kinds of colour vision: first for eight, then for four more; palette_test.go computes the
// differences. Those of Greyscale have the hues of Light at steps of lightness, with several steps between the first of
// them.
var solid = [3][firstHeat]uint32{
	Light: {0, 0x1B1F24, 0x56606B, 0xD5DAE1, 0xFFFFFF, 0xF6F7F9, 0x8A929C, 0xFFFFFF,
		0x0B6FB8, 0xC68206, 0x7B2436, 0x0CA387, 0x000079, 0xBA0D01, 0x715B6E, 0x8491B8,
		0x667854, 0x4212D2, 0xFC4872, 0xBA6CFC},
	Dark: {0, 0xE8EBEF, 0xA7B0BB, 0x363D47, 0x14171C, 0x1D2128, 0x8A929C, 0xFFFFFF,
		0x5AB0F2, 0xF5AF20, 0xDA2C89, 0xB7E8A7, 0x6F6D1C, 0xFDE2F6, 0x91976C, 0x4F6BEE,
		0x5A6C54, 0x247272, 0xAE8A00, 0xC6A2BA},
	Greyscale: {0, 0x1B1F24, 0x56606B, 0xD5DAE1, 0xFFFFFF, 0xF6F7F9, 0x8A929C, 0xFFFFFF,
		0x044575, 0xC88309, 0x400012, 0x0A7D67, 0x27128C, 0xB30800, 0x967F93, 0x6C799F,
		0x576946, 0x2D01B7, 0x9D023A, 0x370167},
}

// names are the names of the cluster colours in sentences.
var names = [2][Clusters]string{
	Light: {"blue", "amber", "wine", "green", "navy", "red", "mauve", "slate", "moss", "violet", "coral", "lilac"},
	Dark:  {"blue", "amber", "pink", "green", "olive", "pale pink", "sage", "indigo", "moss", "teal", "ochre", "rose"},
}

// Name returns the name of the colour of cluster k, "grey" outside the palette.
func (t Theme) Name(k int) string {
	if k < 0 || k >= Clusters {
		return "grey"
	}
	if t == Greyscale {
		t = Light // the hues are the same
	}
	return names[t][k]
}

// RGB returns the red, green and blue of c, 0 to 255 each. For Nothing it returns black, so
// callers check for Nothing first.
func (t Theme) RGB(c Colour) (r, g, b uint8) {
	if c >= firstHeat {
		return cividis(float64(c-firstHeat) / 255)
	}
	v := solid[t][c]
	return uint8(v >> 16), uint8(v >> 8), uint8(v)
}

// Hex returns c as #rrggbb, or "none".
func (t Theme) Hex(c Colour) string {
	if c == Nothing {
		return "none"
	}
	r, g, b := t.RGB(c)
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

// Palette returns all colours as CSS colours, by index, for paint.js. Entry 0, Nothing, is "none"
// and never used.
func (t Theme) Palette() []string {
	table := make([]string, Colours)
	for c := range table {
		table[c] = t.Hex(Colour(c))
	}
	return table
}

// The grey of frames and grids where the system asks for its own colours: it stands out from black,
// white and the yellow of some schemes.
const (
	ForcedGrey     = "#9a9a9a"
	ForcedGreyDark = "#5a5a5a" // where the system prefers dark
)

// Forced returns the palette for a system that asks for its own few colours: ink on paper, and
// grey for frames and grids. Models then differ by letters, not by hue. The heat ramp and the
// edges on it stay, because it has an order without hue.
func Forced(ink, paper, grey string) []string {
	table := Light.Palette()
	for c := Ink; c < firstHeat; c++ {
		switch c {
		case Paper, Panel:
			table[c] = paper
		case Line:
			table[c] = grey
		case Edge:
		default:
			table[c] = ink
		}
	}
	return table
}

// cividis is the colour map of Nuñez, Anderton and Renslow, PLoS ONE 13(7) (2018) e0199239, which
// looks almost the same with and without colour-vision deficiency. The polynomials are those of
// d3-scale-chromatic.
func cividis(t float64) (r, g, b uint8) {
	return channel(-4.54 - t*(35.34-t*(2381.73-t*(6402.7-t*(7024.72-t*2710.57))))),
		channel(32.49 + t*(170.73+t*(52.82-t*(131.46-t*(176.58-t*67.37))))),
		channel(81.24 + t*(442.36-t*(2482.43-t*(6167.24-t*(6614.94-t*2475.67)))))
}

func channel(v float64) uint8 { return uint8(min(max(v+0.5, 0), 255)) }
