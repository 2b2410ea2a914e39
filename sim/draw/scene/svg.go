package scene

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// SVG writes the list as a standalone picture of width × height CSS pixels, with a title and a
// description for screen readers. Numbers have three decimals, so that equal lists give equal
// files.
func SVG(w io.Writer, l *List, t Theme, width, height float32, title, desc string) error {
	return (&Picture{Theme: t, W: width, H: height, Title: title, Desc: desc}).SVG(w, l)
}

// Picture holds the options of an SVG.
type Picture struct {
	Theme       Theme
	W, H        float32 // size of the list, in CSS pixels
	Title, Desc string
	Outlines    Outlines // outlines of texts; nil to keep texts as texts
}

// SVG writes a list.
func (p *Picture) SVG(w io.Writer, l *List) error {
	out := &svg{Writer: bufio.NewWriter(w), theme: p.Theme, alpha: 1, outlines: p.Outlines}
	letters := ` font-family="` + family + `" style="font-variant-numeric:tabular-nums"`
	if p.Outlines != nil {
		letters = ""
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s"`+
		` role="img" aria-labelledby="title desc"%[3]s>`+"\n", num(p.W), num(p.H), letters)
	fmt.Fprintf(out, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escape.Replace(p.Title),
		escape.Replace(p.Desc))
	fmt.Fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", p.Theme.Hex(Paper))
	if err := Walk(l.b, out.item); err != nil {
		return err
	}
	out.WriteString(strings.Repeat("</g>\n", out.clips) + "</svg>\n")
	return out.Flush()
}

// family is the list of fonts of texts.
const family = "system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif"

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// svg renders a list. An operation is one <path>, a text one <text> per item.
type svg struct {
	*bufio.Writer
	theme   Theme
	alpha   float32
	clips   int // number of open clips
	clipped int // number of clips so far, for their IDs
	path    strings.Builder

	outlines Outlines
}

func (s *svg) item(op *Op) {
	v := op.Values
	switch op.Code {
	case opFade:
		s.alpha = v[0]
		return
	case opClip:
		s.clipped++
		s.clips++
		fmt.Fprintf(s, `<clipPath id="clip%d"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath><g clip-path="url(#clip%[1]d)">`+"\n",
			s.clipped, num(v[0]), num(v[1]), num(v[2]), num(v[3]))
		return
	case opUnclip:
		s.clips--
		s.WriteString("</g>\n")
		return
	case opText:
		s.text(op)
		return
	case opImage:
		s.image(op)
		return
	}
	if op.First {
		s.path.Reset()
	}
	switch op.Code {
	case opMark:
		s.mark(op.Shape, v[0], v[1], v[2])
	case opLine:
		s.corners(v)
	case opPolygon:
		s.corners(v)
		s.path.WriteByte('Z')
	case opRect:
		fmt.Fprintf(&s.path, "M%s,%sh%sv%sh%sZ", num(v[0]), num(v[1]), num(v[2]), num(v[3]), num(-v[2]))
	case opEllipse:
		s.ellipse(op)
		return
	}
	if op.Last {
		fmt.Fprintf(s, `<path d="%s"%s/>`+"\n", s.path.String(), s.style(op))
	}
}

func (s *svg) mark(shape Shape, x, y, r float32) {
	if shape == Circle {
		fmt.Fprintf(&s.path, "M%s,%sa%s,%[3]s 0 1,0 %s,0a%[3]s,%[3]s 0 1,0 %[5]s,0Z", num(x-r), num(y), num(r),
			num(2*r), num(-2*r))
		return
	}
	for i, o := 0, outlines[shape]; i < len(o); i += 2 {
		s.corner(i, x+r*o[i], y+r*o[i+1])
	}
	s.path.WriteByte('Z')
}

func (s *svg) corners(v []float32) {
	for i := 0; i < len(v); i += 2 {
		s.corner(i, v[i], v[i+1])
	}
}

func (s *svg) corner(i int, x, y float32) {
	s.path.WriteByte("ML"[min(i, 1)])
	s.path.WriteString(num(x) + "," + num(y))
}

func (s *svg) ellipse(op *Op) {
	v := op.Values
	fmt.Fprintf(s, `<ellipse cx="%s" cy="%s" rx="%s" ry="%s" transform="rotate(%s %[1]s %[2]s)"%[6]s/>`+"\n",
		num(v[0]), num(v[1]), num(v[2]), num(v[3]), num(v[4]*180/3.14159265), s.style(op))
}

func (s *svg) text(op *Op) {
	v := op.Values
	weight := map[bool]string{true: ` font-weight="600"`}[op.Bold]
	if s.outlines != nil {
		if width, path, ok := s.outlines.text(op); ok {
			fmt.Fprintf(s, `<path transform="translate(%s %s) scale(%s)" d="M0 0%s"%s/>`+"\n",
				num(v[0]-width*float32(op.Anchor)/2), num(v[1]), strconv.FormatFloat(float64(v[2]/em), 'f', 6,
					32), path,
				s.style(op))
			return
		}
		weight += ` font-family="` + family + `"`
	}
	fmt.Fprintf(s, `<text x="%s" y="%s" font-size="%s" text-anchor="%s"%s%s>%s</text>`+"\n", num(v[0]), num(v[1]),
		num(v[2]), [...]string{"start", "middle", "end"}[op.Anchor], weight, s.style(op), escape.Replace(op.Text))
}

func (s *svg) image(op *Op) {
	v := op.Values
	fmt.Fprintf(s, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none"`, num(v[0]), num(v[1]),
		num(v[2]), num(v[3]))
	if v[2] >= 2*float32(op.Raster.Columns) {
		s.WriteString(` style="image-rendering:pixelated"`)
	}
	if s.alpha != 1 {
		s.WriteString(` opacity="` + num(s.alpha) + `"`)
	}
	s.WriteString(` href="data:image/png;base64,` +
		base64.StdEncoding.EncodeToString(png(&op.Raster, s.theme, op.Stroke, op.Fill)) + "\"/>\n")
}

func (s *svg) style(op *Op) string {
	out := ` fill="` + s.theme.Hex(op.Fill) + `"`
	if op.Stroke != Nothing {
		out += ` stroke="` + s.theme.Hex(op.Stroke) + `" stroke-width="` + num(op.Width) + `"`
		if op.Code != opMark {
			out += ` stroke-linejoin="round"`
		}
		if gaps := Dashes[op.Dash]; len(gaps) > 0 {
			out += ` stroke-dasharray="` + strings.Trim(fmt.Sprint(gaps), "[]") + `"`
		}
	}
	if s.alpha != 1 {
		out += ` opacity="` + num(s.alpha) + `"`
	}
	return out
}

// num writes v with at most three decimals, and never −0.
func num(v float32) string {
	text := strconv.FormatFloat(float64(v), 'f', 3, 32)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
