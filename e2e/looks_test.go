package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The looks of the page are pictures in testdata of what somebody sees of it who
// stands far away: how light it is, a pixel for ten by ten of the screen. From
// there letters of another font look the same, and a panel that is missing, that
// lies on another one or has the colours of another theme does not.

// look returns the look of a picture of the screen.
func look(screen []byte) (*image.Gray, error) {
	full, err := png.Decode(bytes.NewReader(screen))
	if err != nil {
		return nil, err
	}
	at := full.Bounds()
	w, h := at.Dx()/10, at.Dy()/10
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sum, n := 0, 0
			for v := y * at.Dy() / h; v < (y+1)*at.Dy()/h; v++ {
				for u := x * at.Dx() / w; u < (x+1)*at.Dx()/w; u++ {
					sum += int(color.GrayModel.Convert(full.At(u, v)).(color.Gray).Y)
					n++
				}
			}
			out.SetGray(x, y, color.Gray{Y: uint8(sum / n)})
		}
	}
	return out, nil
}

// block is the side of what is compared of a look, in its pixels: some lines of text, or a
// third of a map.
const block = 12

// Two looks differ if one of their blocks is so much lighter, of 255, in one of
// them; or if in so many blocks what stands there is gone.
//
// In Liberation Sans, which is narrower than DejaVu Sans, the page moves no block
// by more than 4, and empties one at most. To hide one map moves a block by 6.6
// or more, or empties five.
const (
	lighter = 6.5
	gone    = 4
)

// differ says where one look differs from another, "" if they are alike.
func differ(a, b *image.Gray) string {
	if a.Rect != b.Rect {
		return fmt.Sprintf("%v is not as large as %v", a.Rect.Max, b.Rect.Max)
	}
	empty := 0
	for y := 0; y < a.Rect.Dy(); y += block {
		for x := 0; x < a.Rect.Dx(); x += block {
			lightA, inkA := shade(a, x, y)
			lightB, inkB := shade(b, x, y)
			if d := lightA - lightB; d > lighter || d < -lighter {
				return fmt.Sprintf("at %d, %d of the screen it is %.1f, not %.1f, of 255 light", 10*x, 10*y, lightA,
					lightB)
			}
			if much := max(inkA, inkB); much > 2.5 && min(inkA, inkB) < 0.35*much {
				empty++
			}
		}
	}
	if empty >= gone {
		return fmt.Sprintf("in %d blocks there is nothing where there was something, or the other way round", empty)
	}
	return ""
}

// shade returns how light a block is, and how much stands on its ground: by how
// much its pixels differ from what most of them have.
func shade(g *image.Gray, x, y int) (light, ink float64) {
	var all []float64
	for v := y; v < min(y+block, g.Rect.Dy()); v++ {
		for u := x; u < min(x+block, g.Rect.Dx()); u++ {
			all = append(all, float64(g.GrayAt(u, v).Y))
		}
	}
	slices.SortFunc(all, cmp.Compare[float64])
	ground, n := all[len(all)/2], float64(len(all))
	for _, v := range all {
		light += v / n
		ink += max(v-ground, ground-v) / n
	}
	return light, ink
}

// look returns the look of the page as it stands.
func (p *Page) look() *image.Gray {
	p.t.Helper()
	p.Drawn()
	screen, err := p.browser.shot()
	p.must("taking a picture", err)
	out, err := look(screen)
	p.must("looking at it", err)
	return out
}

// golden reads a look from testdata.
func (p *Page) golden(name string) *image.Gray {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "look-"+name+".png"))
	p.must("reading a look; make looks takes them anew", err)
	kept, err := png.Decode(bytes.NewReader(data))
	p.must("decoding it", err)
	return kept.(*image.Gray)
}

// The page looks as it did on every screen, in windows of its own and in frames,
// in both themes. With FLOCKSCOPE_LOOKS the looks are taken anew instead.
func TestLooks(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		opened := ""
		for _, screen := range screens {
			p.Viewport(screen.width, screen.height)
			query := "?t=14"
			if screen.height < 500 {
				query += "&embed=1"
			}
			if query != opened {
				p.Run(query)
				opened = query
			}
			for _, theme := range []string{"light", "dark"} {
				p.ColorScheme(theme)
				p.When("s.theme === " + quote(theme))
				name := screen.name + "-" + theme
				now := p.look()
				p.audit(name)
				if os.Getenv("FLOCKSCOPE_LOOKS") != "" {
					var out bytes.Buffer
					p.must("encoding", (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, now))
					p.must("writing", os.WriteFile(filepath.Join("testdata", "look-"+name+".png"), out.Bytes(), 0o644))
					continue
				}
				if text := differ(now, p.golden(name)); text != "" {
					p.Shot("look-" + name)
					t.Errorf("%s: %s: look at .build/shots/look-%s, and if it is as it should be, make looks", name,
						text, name)
				}
			}
			p.ColorScheme("light")
		}
	})
}

// Looks tell what they are for, and not what they are not for.
func TestLooksTell(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.When("s.theme === 'light'")
		kept := p.golden("1440-light")
		if differ(p.look(), p.golden("1440-dark")) == "" {
			t.Error("another theme looks alike")
		}
		for _, tt := range []struct {
			style string
			same  bool
		}{
			{"* { font-family: 'Liberation Sans', Arial !important }", true},
			{".lane .map { visibility: hidden }", false},
			{".data { visibility: hidden }", false},
			{".story { visibility: hidden }", false},
			{".curves canvas { visibility: hidden }", false},
			{".transport { visibility: hidden }", false},
			{".hero { visibility: hidden }", false},
			{".told { visibility: hidden }", false},
			{".steps { visibility: hidden }", false},
			{".curves { transform: translateY(-60px) }", false}, // onto the lanes
		} {
			p.Eval("(() => { const s = document.styleSheets[0]; s.insertRule("+quote(tt.style)+
				", s.cssRules.length); })()", nil)
			if text := differ(p.look(), kept); (text == "") != tt.same {
				t.Errorf("with %s looks are alike: %v; %s", tt.style, !tt.same, text)
			}
			p.Eval("(() => { const s = document.styleSheets[0]; s.deleteRule(s.cssRules.length - 1); })()", nil)
		}
	})
}
