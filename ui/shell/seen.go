package shell

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/vugu/vugu"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// seen shows what the server can see in the update that the client sends in this phase: a picture for each class, if the
// model is one layer on pictures.
func (c *InsideCard) seen() vugu.HTML {
	for _, n := range c.notes() {
		rows, _ := n.Value("rows")
		match, _ := n.Value("match")
		g := &c.App.Run.Header.DataPreview.Gallery
		if len(rows.Numbers) == 0 || len(match.Numbers) == 0 || len(g.Classes)*g.Size() != len(rows.Numbers) {
			continue
		}
		html := "<p>" + say.Textf("What the server can see: the weights of each class in the update of client %s. Their correlation with the mean pictures of the classes that it holds is %s.",
			c.client(), chart.Fixed(match.Numbers[0], 2)) + "</p>"
		for class := range g.Classes {
			html += "<figure><img alt='' src='" + bitmap(g, rows.Numbers[class*g.Size():(class+1)*g.Size()]) + "'><figcaption>" +
				say.Text(g.Name(c.App.Followed(), class)) + "</figcaption></figure>"
		}
		return vugu.HTML(html)
	}
	return ""
}

// bitmap returns a picture of numbers as the address of a BMP file: 0 is grey, and the largest one white or black. Values
// are channel after channel.
func bitmap(g *trace.Gallery, values []float64) string {
	const head = 54
	most, line := 1e-300, (3*g.Width+3)/4*4 // lines are filled up to words
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	out := make([]byte, head+line*g.Height)
	copy(out, "BM")
	for at, v := range map[int]int{2: len(out), 10: head, 14: 40, 18: g.Width, 22: -g.Height, 26: 1 | 24<<16} {
		binary.LittleEndian.PutUint32(out[at:], uint32(int32(v)))
	}
	for p := range g.Height * g.Width {
		for c := range 3 { // blue, green, red
			v := values[min(2-c, g.Channels-1)*g.Height*g.Width+p] / most
			out[head+p/g.Width*line+p%g.Width*3+c] = byte(127.5 + 127*v)
		}
	}
	return "data:image/bmp;base64," + base64.StdEncoding.EncodeToString(out)
}
