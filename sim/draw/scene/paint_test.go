package scene

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// recording is what one list did to a context under node.
type recording struct {
	Error         string
	Width, Height int
	Sized         int
	Calls         [][]any
}

// record plays lists with assets/paint.js under node.
func record(t *testing.T, lists ...[]byte) []recording {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	args := []string{"testdata/record.js", "../../../assets/paint.js"}
	for i, b := range lists {
		name := filepath.Join(t.TempDir(), string(rune('a'+i)))
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	out, err := exec.Command(node, args...).Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var got []recording
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func (r *recording) count(name string) int {
	n := 0
	for _, c := range r.Calls {
		if c[0] == name {
			n++
		}
	}
	return n
}

// first returns the arguments of the first call of name.
func (r *recording) first(name string) []any {
	for _, c := range r.Calls {
		if c[0] == name {
			return c[1:]
		}
	}
	return nil
}

func TestPaintPlaysEveryOperation(t *testing.T) {
	r := record(t, everything().Bytes())[0]
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	if r.Width != 200 || r.Height != 100 || r.Sized != 2 {
		t.Errorf("canvas %d × %d set %d times, want 200 × 100 once each", r.Width, r.Height, r.Sized)
	}
	if s, f := r.count("save"), r.count("restore"); s != 1 || f != 1 {
		t.Errorf("%d saves and %d restores, want 1 and 1", s, f)
	}
	if got, want := r.first("fillText"), []any{"ä − B", 10.0, 20.0}; !reflect.DeepEqual(got, want) {
		t.Errorf("fillText(%v), want %v", got, want)
	}
	if got := r.first("=textAlign"); !reflect.DeepEqual(got, []any{"end"}) {
		t.Errorf("textAlign = %v, want end", got)
	}
}

func TestPaintImages(t *testing.T) {
	var l List
	copy(l.Image(1, 2, 30, 40, 2, 1, 1, Paper, Ink), "\x00\xff")
	copy(l.Image(5, 5, 2, 2, 1, 1, 3, 0, 0), "\x01\x02\x03")
	r := record(t, l.Bytes())[0]
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	var laid, drawn, smooth [][]any
	for _, c := range r.Calls {
		switch c[0] {
		case "putImageData":
			laid = append(laid, c[1:])
		case "drawImage":
			drawn = append(drawn, c[1:])
		case "=imageSmoothingEnabled":
			smooth = append(smooth, c[1:])
		}
	}
	// As the palette of record.js has them.
	rgb := func(c Colour) (r, g, b float64) {
		v := int(c) * 70000
		return float64(v >> 16 & 255), float64(v >> 8 & 255), float64(v & 255)
	}
	pr, pg, pb := rgb(Paper)
	ir, ig, ib := rgb(Ink)
	if want := [][]any{{pr, pg, pb, 255.0, ir, ig, ib, 255.0}, {1.0, 2.0, 3.0, 255.0}}; !reflect.DeepEqual(laid, want) {
		t.Errorf("the pixels are %v, want %v", laid, want)
	}
	if want := [][]any{{1.0, 2.0, 30.0, 40.0}, {5.0, 5.0, 2.0, 2.0}}; !reflect.DeepEqual(drawn, want) {
		t.Errorf("they are drawn at %v, want %v", drawn, want)
	}
	if want := [][]any{{false}, {false}}; !reflect.DeepEqual(smooth, want) {
		t.Errorf("smoothing: %v, want %v", smooth, want)
	}
}

func TestPaintBatches(t *testing.T) {
	var l List
	for i := range 50 {
		l.Mark(Square, float32(i), 5, 3, Cluster(0), Pen{Paper, 1, Solid})
	}
	l.Mark(Square, 9, 9, 3, Cluster(1), Pen{Paper, 1, Solid})
	r := record(t, l.Bytes())[0]
	if fills, strokes := r.count("fill"), r.count("stroke"); fills != 2 || strokes != 2 {
		t.Errorf("51 marks of two colours took %d fills and %d strokes, want 2 and 2", fills, strokes)
	}
}

func TestPaintKnowsTheShapesAndDashes(t *testing.T) {
	var lists [][]byte
	for s := range Shape(Shapes + 1) {
		var l List
		l.Mark(s, 0, 0, 1, Ink, Pen{})
		lists = append(lists, l.Bytes())
	}
	for d := range dashes {
		var l List
		l.Line(Pen{Ink, 1, d}, 0, 0, 1, 1)
		lists = append(lists, l.Bytes())
	}
	got := record(t, lists...)
	for s := range Shape(Shapes + 1) {
		var corners []float64
		for _, c := range got[s].Calls {
			if c[0] == "moveTo" || c[0] == "lineTo" {
				corners = append(corners, c[1].(float64), c[2].(float64))
			}
		}
		if s == Circle {
			if got[s].count("arc") != 1 {
				t.Errorf("a circle is not an arc")
			}
			continue
		}
		if len(corners) != len(outlines[s]) {
			t.Errorf("%v has %d coordinates in paint.js, %d in Go", s, len(corners), len(outlines[s]))
			continue
		}
		for i, want := range outlines[s] {
			if math.Abs(corners[i]-float64(want)) > 1e-5 {
				t.Errorf("%v: coordinate %d is %v in paint.js, %v in Go", s, i, corners[i], want)
			}
		}
	}
	for d := range dashes {
		want := []any{}
		for _, v := range Dashes[d] {
			want = append(want, float64(v))
		}
		if got := got[Shapes+1+int(d)].first("setLineDash"); !reflect.DeepEqual(got, []any{want}) {
			t.Errorf("dash %d is %v in paint.js, %v in Go", d, got, want)
		}
	}
}

func TestPaintRefuses(t *testing.T) {
	whole := everything().Bytes()
	unknown := append([]byte{}, whole...)
	unknown = append(unknown, opEnd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)
	for i, r := range record(t, unknown, make([]byte, 12), whole[:len(whole)-3]) {
		if r.Error == "" {
			t.Errorf("list %d is not one, but was played", i)
		}
		if s, f := r.count("save"), r.count("restore"); s != f {
			t.Errorf("list %d leaves %d clips open", i, s-f)
		}
	}
}

func TestPaintIsSmall(t *testing.T) {
	info, err := os.Stat("../../../assets/paint.js")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 8<<10 {
		t.Errorf("paint.js has %d bytes, want at most 8 KB", info.Size())
	}
}
