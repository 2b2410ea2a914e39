package figures_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
)

// TestThemes: between themes a picture differs in colours alone, each by the palette. Contrasts
// are tested with the palettes, in package scene.
func TestThemes(t *testing.T) {
	for _, theme := range []scene.Theme{scene.Dark, scene.Greyscale} {
		allowed := map[[2]string]bool{}
		for c := scene.Ink; int(c) < scene.Colours; c++ {
			allowed[[2]string{scene.Light.Hex(c), theme.Hex(c)}] = true
		}
		for _, p := range pictures() {
			light, lights := withoutColours(t, p.svg(t, scene.Light))
			other, others := withoutColours(t, p.svg(t, theme))
			if light != other {
				t.Errorf("%s in the %v theme differs in more than colours", p.name, theme)
				continue
			}
			for i := range lights {
				if pair := [2]string{lights[i], others[i]}; !allowed[pair] {
					t.Errorf("%s in the %v theme: %q has become %q", p.name, theme, pair[0], pair[1])
				}
			}
		}
	}
}

var colours = regexp.MustCompile(`#[0-9a-f]{6}|data:image/png;base64,[^"]*`)

// withoutColours returns an SVG without its colours, and these. An image of one channel has two:
// what it shows for 0 and for 255.
func withoutColours(t *testing.T, svg []byte) (rest string, list []string) {
	t.Helper()
	rest = colours.ReplaceAllStringFunc(string(svg), func(found string) string {
		text, isImage := strings.CutPrefix(found, "data:image/png;base64,")
		if !isImage {
			list = append(list, found)
			return ""
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		indexed, ok := picture.(*image.Paletted)
		if !ok {
			return found // of three channels
		}
		for _, end := range []int{0, 255} {
			r, g, b, _ := indexed.Palette[end].RGBA()
			list = append(list, hex(r, g, b))
		}
		return string(indexed.Pix)
	})
	return rest, list
}

func hex(channels ...uint32) string {
	out := []byte("#")
	for _, c := range channels {
		out = append(out, "0123456789abcdef"[c>>12], "0123456789abcdef"[c>>8&15])
	}
	return string(out)
}

// TestColours: texts and marks take those colours alone whose contrast every palette holds. Large bold letters may have
// the colours of models, which stand out as marks do.
func TestColours(t *testing.T) {
	for _, p := range pictures() {
		var l scene.List
		p.figure.Draw(&l, nil, p.view, p.box)
		if err := scene.Walk(l.Bytes(), func(op *scene.Op) {
			if op.Kind() == "text" && op.Fill != scene.Ink && op.Fill != scene.Quiet &&
				!(op.Bold && op.Values[2] >= 18.67 && op.Fill >= scene.Cluster(0) && op.Fill < scene.Heat(0)) {
				t.Errorf("%s: %q has colour %d, want ink or quiet ink", p.name, op.Text, op.Fill)
			}
			if op.Kind() == "mark" && (op.Fill == scene.Line || op.Fill == scene.Panel || op.Fill >= scene.Heat(0)) {
				t.Errorf("%s: a mark is filled with colour %d, which does not stand out", p.name, op.Fill)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
