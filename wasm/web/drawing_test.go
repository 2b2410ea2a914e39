package web

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/lesson"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/wasm/raster"
)

// drawnStates are states of every kind of data, with few settings and with many.
var drawnStates = []string{
	"",
	"dphi=0",
	"D=1",
	"D=2&dphi=80",
	"D=8&dphi=25&C=30&t=200",
	"D=8&dphi=0.5&C=2000&algos=cflgp",
	"D=5&init=3&sigma=0.05&C=30&b=20&probe=100&T=80&K=6&lr=0.4&P=3&beta=1&stop=1&sd=4294967295&sm=9&sa=11&algos=cflgp,cflgp:averyverylonglbl,clove,ifca&clove.K=5&clove.sqrt=1&clove.lr=0.05&clove.probe=1000&cflgp:averyverylonglbl.beta=mean&theme=dark",
	"data=mix1d",
	"data=mix1d&star=0",
	"data=mix1d&star=1,1,1,1,1,1,1,1&C=9",
	"data=mix1d&star=10,-10,5,-5,0.001,3,2,1",
	"data=mix1d&star=-0.123456789012,-1.23456789012,-2.3456789012,-3.456789012,-4.56789012,-5.6789012,-6.789012,-7.89012",
	"data=csv&algos=local",
	"lesson=1",
	"lesson=2",
	"lesson=3&t=20",
	"lesson=4",
	"lesson=5",
	"lesson=6",
	"lesson=7",
	"lesson=8",
	"lesson=7&algos=cflgp,clove,ifca,fedavg&data=linreg&dphi=3&sigma=1&C=9&b=3&lr=0.2",
}

// Every mark and text lies within the picture, and texts do not overlap.
func TestDrawingFits(t *testing.T) {
	groups, _ := Schema().Field("D")
	many := fmt.Sprintf("D=%v&dphi=1&C=100", groups.Max)
	for _, query := range append([]string{many}, drawnStates...) {
		state, problems := ReadState(Schema(), query)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var l scene.List
		draw(&l, Schema(), state)
		type box struct {
			text           string
			x0, y0, x1, y1 float32
		}
		var texts []box
		err := scene.Walk(l.Bytes(), func(op *scene.Op) {
			x0, y0, x1, y1, ok := op.Extent()
			if !ok {
				return
			}
			if !(x0 >= 0 && y0 >= 0 && x1 <= pictureWidth && y1 <= pictureHeight) {
				t.Errorf("%q: a %s %s reaches from (%v, %v) to (%v, %v)", query, op.Kind(), op.Text, x0, y0, x1, y1)
			}
			if op.Kind() == "text" {
				if op.Values[2] < 20 {
					t.Errorf("%q: %q is %v px high, too small for a preview", query, op.Text, op.Values[2])
				}
				for _, other := range texts {
					if x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1 {
						t.Errorf("%q: %q lies on %q", query, op.Text, other.text)
					}
				}
				texts = append(texts, box{op.Text, x0, y0, x1, y1})
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// The picture has the planted lines of the data and one mark per group.
func TestDrawingIsTheData(t *testing.T) {
	for _, query := range []string{"dphi=20", "D=5&dphi=8&C=12", "D=1", "D=8&dphi=25&C=17",
		"data=mix1d&star=1,-1.45,0.2&C=7"} {
		state, _ := ReadState(Schema(), query)
		config, problems := catalog.Schema().Parse(state.Text())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		data, _, err := catalog.Build(config, nil)
		if err != nil {
			t.Fatal(err)
		}
		truth := data.DataPreview(&rng.Stream{}, 1).Truth
		of, groups := data.Groups()
		members := make([]int, groups)
		for _, g := range of {
			members[g]++
		}

		var l scene.List
		draw(&l, Schema(), state)
		var slopes []float64
		var marks []scene.Shape
		var counts []string
		scene.Walk(l.Bytes(), func(op *scene.Op) {
			v := op.Values
			switch {
			case op.Kind() == "line" && op.Dash == scene.Dashed && v[0] > figureX:
				slopes = append(slopes, float64(v[1]-v[3])/float64(v[2]-v[0]))
			case op.Kind() == "mark" && v[0] > figureX:
				marks = append(marks, op.Shape)
			case op.Kind() == "text" && strings.HasSuffix(op.Text, "client") || strings.HasSuffix(op.Text, "clients"):
				counts = append(counts, op.Text)
			}
		})
		if len(slopes) != len(truth) || len(marks) != groups || len(counts) != groups {
			t.Errorf("%q: %d lines, %d marks, %d counts; want %d and %d groups", query, len(slopes), len(marks),
				len(counts), len(truth), groups)
			continue
		}
		scale := 1.0 // the slopes of mix1d are drawn in their proportion
		if config.Workload() == "mix1d" {
			scale = slopes[0] / float64(truth[0].Slope)
		}
		for g := range truth {
			if want := scale * float64(truth[g].Slope); math.Abs(slopes[g]-want) > 1e-3*max(1, math.Abs(want)) {
				t.Errorf("%q: line %d has the slope %v, want %v", query, g, slopes[g], want)
			}
			if marks[g] != scene.Shape(g) || counts[g] != say.Count(members[g], "client") {
				t.Errorf("%q: group %d has the mark %v and %s, want %d", query, g, marks[g], counts[g], members[g])
			}
		}
	}
}

// Different states have different pictures, in both forms and both themes.
func TestPictures(t *testing.T) {
	seen := map[string]string{}
	for _, query := range drawnStates {
		for _, theme := range []string{"light", "dark"} {
			s, _ := newServer()
			query := strings.TrimSuffix(query, "&theme=dark") + "&theme=" + theme
			for _, form := range []string{"svg", "png"} {
				answer, body := ask(s, "GET", "/og."+form+"?"+query, "")
				if answer.StatusCode != 200 || len(body) < 1000 {
					t.Errorf("GET /og.%s?%s = %d with %d bytes", form, query, answer.StatusCode, len(body))
				}
				if other, ok := seen[body]; ok {
					t.Errorf("%q and %q have the same picture", query, other)
				}
				seen[body] = query
			}
		}
	}
}

// The font of the pictures has every character of the texts.
func TestLetters(t *testing.T) {
	words := []string{"· … − ° and more settings"}
	for _, f := range Schema().Fields() {
		words = append(words, f.Label, f.Unit)
		for _, o := range f.Options {
			words = append(words, o.Title)
		}
	}
	for _, l := range lesson.All() {
		words = append(words, lessonTitle(l), l.Question)
	}
	for _, a := range Schema().Algorithms {
		words = append(words, a.Title)
	}
	for _, r := range strings.Join(words, "") {
		if !raster.Draws(r) {
			t.Errorf("the picture cannot draw %q", r)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	state, _ := ReadState(Schema(), drawnStates[6])
	for b.Loop() {
		var l scene.List
		draw(&l, Schema(), state)
		var out bytes.Buffer
		if err := raster.PNG(&out, &l, scene.Light, pictureWidth, pictureHeight); err != nil {
			b.Fatal(err)
		}
	}
}
