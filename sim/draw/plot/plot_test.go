package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
)

// texts returns the words of a picture, which must be well-formed.
func texts(t *testing.T, p *Picture) []string {
	t.Helper()
	var out bytes.Buffer
	if err := p.SVG(&out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf") {
		t.Error("the picture has a place that is no number")
	}
	var words []string
	inText := false
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return words
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText && strings.TrimSpace(string(token)) != "" {
				words = append(words, string(token))
			}
		}
	}
}

func want(t *testing.T, p *Picture, words ...string) {
	t.Helper()
	got := texts(t, p)
	for _, w := range words {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+w+"\n") {
			t.Errorf("%s does not say %q; it says %q", p.Title, w, got)
		}
	}
	if p.Desc == "" {
		t.Errorf("%s is not described", p.Title)
	}
}

func TestPictures(t *testing.T) {
	nan := math.NaN()
	series := []Series{
		{"a", []float64{1, 2, nan, 4}, []float64{1, 1, nan, 3}, []float64{1, 3, nan, 5}},
		{"b<c", []float64{4, 4, 4, 4}, []float64{4, 4, 4, 4}, []float64{4, 4, 4, 4}},
		{"none", []float64{nan, nan, nan, nan}, []float64{nan, nan, nan, nan}, []float64{nan, nan, nan, nan}},
	}
	want(t, Curves("T & t", "K", "ARI", []string{"2", "3", "4", "8"}, series), "T & t", "a", "b<c", "K", "ARI",
		"8", "5")
	want(t, Curves("words", "data", "ARI", []string{"x", "y", "z", "w"}, series), "x", "w")
	want(t, Curves("one", "data", "ARI", []string{"x"}, []Series{{"a", []float64{0}, []float64{0}, []float64{0}}}), "a")
	want(t, Curves("empty", "K", "ARI", []string{"1"}, nil))
	want(t, Heat("H", "x", "y", []string{"1", "2"}, []string{"p", "q"}, [][]float64{{0, 0.5}, {nan, 1}}), "0.5", "1",
		"p", "q", "x →", "↓ y")
	want(t, Heat("level", "x", "y", []string{"1"}, []string{"p"}, [][]float64{{3}}), "3")
	ranks := Ranks("R", []string{"a", "b", "c", "d"}, []float64{3.9, 1.1, 1.6, 3.4}, 1)
	want(t, ranks, "b 1.10", "c 1.60", "3.40 d", "3.90 a", "critical difference 1.00")
	if strings.Count(svg(t, ranks), `stroke-width="3"`) != 1 { // two bars in one path
		t.Error("methods that do not differ are not joined")
	}
	far := Ranks("far", []string{"a", "b", "c"}, []float64{1, 2, 3}, 0.5)
	if strings.Contains(svg(t, far), `stroke-width="3"`) {
		t.Error("methods that differ are joined")
	}
}

func svg(t *testing.T, p *Picture) string {
	t.Helper()
	var out strings.Builder
	if err := p.SVG(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Every dot is drawn, one with a ring, those below the least number at the edge, with the bar, the band and the words.
func TestDots(t *testing.T) {
	p := Dots("Gain", "points", []string{"needs K", "finds K"}, "oracle", 0.02, -0.25, []DotRow{
		{"turns", []Dot{{X: 0.1, Low: 0.08, High: 0.12, Ringed: true}, {X: -0.9, Low: -1, High: -0.8, Kind: 1}}, 0.15, "cflgp +0.10"},
		{"alike", []Dot{{Low: math.NaN(), High: math.NaN(), Kind: 1}}, math.NaN(), "nobody"},
	})
	got := texts(t, p)
	for _, want := range []string{"turns", "cflgp +0.10", "oracle", "finds K", "nobody"} {
		if !slices.Contains(got, want) {
			t.Errorf("the picture lacks %q: %q", want, got)
		}
	}
	left, right, marks := float32(math.Inf(1)), float32(0), 0
	scene.Walk(p.list.Bytes(), func(op *scene.Op) {
		if x0, _, x1, _, ok := op.Extent(); ok && op.Kind() == "mark" {
			left, right, marks = min(left, x0), max(right, x1), marks+1
		}
	})
	if marks != 2+3+1 || left < 0 || right > p.W {
		t.Errorf("%d marks from %v to %v, want 6 within %v", marks, left, right, p.W)
	}
}

func TestLabelled(t *testing.T) {
	places := func(values ...string) []string {
		at := positions(values)
		var out []string
		for _, i := range labelled(values, func(i int) float32 { return 64 + 540*float32(at[i]) }) {
			out = append(out, values[i])
		}
		return out
	}
	var rounds []string
	for r := 0; r < 200; r += 5 {
		rounds = append(rounds, strconv.Itoa(r))
	}
	for _, c := range []struct{ values, want []string }{
		{append(rounds, "199"), strings.Fields("0 20 40 60 80 100 120 140 160 180 199")},
		{strings.Fields("1 10 100 1000 10000"), strings.Fields("1 1000 10000")},
		{strings.Fields("8 16 32 64 128 256"), strings.Fields("8 32 64 128 256")},
		{[]string{"x"}, []string{"x"}},
		{nil, nil},
	} {
		if got := places(c.values...); !slices.Equal(got, c.want) {
			t.Errorf("an axis of %v names %v, want %v", c.values, got, c.want)
		}
	}
}
