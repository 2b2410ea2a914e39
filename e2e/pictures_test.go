package e2e

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// posing is how long one of the pictures may take to get ready: hundreds of runs
// are played for some of them.
const posing = 10 * time.Minute

// pictures are those of the documentation: an address, the size of the window, and
// what to do before the picture is taken.
var pictures = []struct {
	name          string
	query         string
	width, height int
	theme         string
	before        func(p *Page)
}{
	{"compare", "?t=26", 1440, 900, "light", func(p *Page) {
		p.Until(says("s.previews.length > 0 && s.previews.every((x) => !x.busy)"), posing)
	}},
	{"digits", "?data=digits&algos=cflgp,ifca&C=16&b=64&T=60&t=60&view=answers&scent=0", 1440, 900, "light", nil},
	{"lesson", "?lesson=2&scent=0", 1440, 900, "dark", func(p *Page) {
		p.Click("[data-option='0']")
		p.Until("document.querySelector('#lesson-next') !== null && document.querySelector('.step') !== null", patience)
	}},
	{"sweep", "?scent=0", 1440, 900, "light", func(p *Page) {
		p.Click("#open-sweep")
		p.Until("document.querySelector('[data-sweep=\"1.key\"]') !== null", patience)
		p.Eval(`(() => {
			const choose = document.querySelector("[data-sweep='1.key']");
			choose.value = "b";
			choose.dispatchEvent(new Event("change", { bubbles: true }));
		})()`, nil)
		p.Click("#sweep-run")
		p.Until(says("s.sweep && s.sweep.done === s.sweep.of"), posing)
	}},
	{"phone", "?t=14&view=losses&scent=0", 390, 844, "dark", nil},
	{"frame", "?t=26&embed=1&scent=0", 800, 450, "light", nil},
}

// TestReadmePictures takes the pictures of the documentation, if FLOCKSCOPE_PICTURES names a
// directory for them.
func TestReadmePictures(t *testing.T) {
	dir := os.Getenv("FLOCKSCOPE_PICTURES")
	if dir == "" {
		t.Skip("FLOCKSCOPE_PICTURES names no directory")
	}
	InChromium(t, func(t *testing.T, p *Page) {
		for _, s := range pictures {
			p.Viewport(s.width, s.height)
			p.ColorScheme(s.theme)
			p.ReducedMotion()
			p.Open("/" + s.query)
			p.Until(says(complete), posing)
			p.Drawn()
			if s.before != nil {
				s.before(p)
			}
			p.Drawn()
			picture, err := p.browser.shot()
			p.must("taking a picture", err)
			picture, err = leaner(picture)
			p.must("making it smaller", err)
			p.must("writing it", os.WriteFile(filepath.Join(dir, s.name+".png"), picture, 0o644))
		}
	})
}

// leaner returns a PNG in at most 256 colours, those that most of its pixels
// have: a page has few, apart from the rims of its letters.
func leaner(data []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	at := full.Bounds()
	count := map[color.RGBA]int{}
	each := func(do func(x, y int, c color.RGBA)) {
		for y := at.Min.Y; y < at.Max.Y; y++ {
			for x := at.Min.X; x < at.Max.X; x++ {
				do(x, y, color.RGBAModel.Convert(full.At(x, y)).(color.RGBA))
			}
		}
	}
	each(func(_, _ int, c color.RGBA) { count[c]++ })
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), 256)] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range colours {
		index[c] = uint8(palette.Index(c))
	}
	lean := image.NewPaletted(at, palette)
	each(func(x, y int, c color.RGBA) { lean.SetColorIndex(x, y, index[c]) })
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, lean)
	return out.Bytes(), err
}
