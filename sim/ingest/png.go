package ingest

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"

	"flockscope/sim/say"
)

// A PNG file (ISO/IEC 15948) is a signature and chunks: the header, perhaps a palette, the pixels packed by zlib, and
// others, which are ignored. This reader takes 3 KB of the program, and image/png 18, which every visitor of the page
// would load. Transparent parts become black, except those of a transparent colour; of 16 bits the upper eight count.
type pngFile struct {
	width, height  int
	depth          int // bits of a number
	numbers        int // of a pixel: grey, grey and alpha, the index of a colour, three, or three and alpha
	indexed, alpha bool
	interlaced     bool
	palette        [256][4]uint8 // red, green, blue and alpha
	colours        int           // of the palette
	packed         []byte
}

const pngMagic = "\x89PNG\r\n\x1a\n"

// errPNG is the error of files that break the rules of the format.
var errPNG = say.Errorf("it breaks off, or breaks the rules of PNG")

// parsePNG reads the chunks, up to the pixels if only the header counts. An error leaves the picture without its end.
func parsePNG(data []byte, whole bool) (*pngFile, error) {
	p := &pngFile{}
	for at := len(pngMagic); ; {
		if len(data) < at+12 {
			return nil, errPNG
		}
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			return nil, errPNG
		}
		kind, body := string(data[at+4:at+8]), data[at+8:at+8+size]
		if crc32.ChecksumIEEE(data[at+4:at+8+size]) != binary.BigEndian.Uint32(data[at+8+size:]) {
			return nil, errPNG
		}
		switch {
		case (p.width == 0) != (kind == "IHDR"):
			return nil, errPNG
		case kind == "IHDR":
			if !p.parseHeader(body) {
				return nil, errPNG
			}
			if !whole {
				return p, nil
			}
		case kind == "PLTE":
			for p.colours = 0; p.colours < min(256, size/3); p.colours++ {
				p.palette[p.colours] = [4]uint8{body[3*p.colours], body[3*p.colours+1], body[3*p.colours+2], 255}
			}
		case kind == "tRNS" && p.indexed:
			for i := range min(p.colours, size) {
				p.palette[i][3] = body[i]
			}
		case kind == "IDAT":
			p.packed = append(p.packed, body...)
		case kind == "IEND":
			return p, nil
		}
		at += 12 + size
	}
}

func (p *pngFile) parseHeader(body []byte) bool {
	if len(body) != 13 || body[10] != 0 || body[11] != 0 || body[12] > 1 {
		return false
	}
	width, height := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
	p.width, p.height, p.depth, p.interlaced = int(width), int(height), int(body[8]), body[12] == 1
	kind := min(body[9], 7)
	p.numbers = [8]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	p.indexed, p.alpha = kind == 3, kind >= 4
	fits := p.depth == 8 || p.depth == 16 && !p.indexed ||
		p.numbers == 1 && (p.depth == 1 || p.depth == 2 || p.depth == 4)
	return width > 0 && height > 0 && width < 1<<31 && height < 1<<31 && p.numbers > 0 && fits
}

// grey reports whether a picture has no colours.
func (p *pngFile) grey() bool { return p.numbers < 3 && !p.indexed && !p.alpha }

// pixels returns the picture, red, green and blue for each pixel.
func (p *pngFile) pixels() ([]uint8, error) {
	if len(p.packed) < 2 || p.packed[0]&15 != 8 || p.packed[1]&32 != 0 {
		return nil, errPNG
	}
	// Without zlib's header, and without its checksum, since chunks have theirs.
	from := flate.NewReader(bytes.NewReader(p.packed[2:]))
	out := make([]uint8, 3*p.width*p.height)
	passes := [][4]int{{0, 0, 1, 1}} // first column and row, and steps
	if p.interlaced {
		passes = [][4]int{
			{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	for _, pass := range passes {
		columns := (p.width - pass[0] + pass[2] - 1) / pass[2]
		if columns <= 0 {
			continue
		}
		step := (p.numbers*p.depth + 7) / 8 // bytes of a pixel, at least one
		row := make([]byte, 1+(columns*p.numbers*p.depth+7)/8)
		above := make([]byte, len(row))
		for y := pass[1]; y < p.height; y += pass[3] {
			if _, err := io.ReadFull(from, row); err != nil || row[0] > 4 {
				return nil, errPNG
			}
			unfilter(row[1:], above[1:], row[0], step)
			for k := range columns {
				at := 3 * (y*p.width + pass[0] + k*pass[2])
				if !p.pixel(out[at:at+3], row[1:], k) {
					return nil, errPNG
				}
			}
			row, above = above, row
		}
	}
	return out, nil
}

// unfilter adds to each byte of a row what the filter predicts from its neighbours: the byte before, the one above,
// their mean, or the nearest of them to their sum without the one before the one above.
func unfilter(row, above []byte, filter byte, step int) {
	for i := range row {
		a, b, c := 0, int(above[i]), 0
		if i >= step {
			a, c = int(row[i-step]), int(above[i-step])
		}
		switch filter {
		case 1:
			row[i] += byte(a)
		case 2:
			row[i] += byte(b)
		case 3:
			row[i] += byte((a + b) / 2)
		case 4:
			da, db, dc := max(b-c, c-b), max(a-c, c-a), max(a+b-2*c, 2*c-a-b)
			switch {
			case da <= db && da <= dc:
				row[i] += byte(a)
			case db <= dc:
				row[i] += byte(b)
			default:
				row[i] += byte(c)
			}
		}
	}
}

// pixel writes pixel k of a row. It reports whether the palette has its colour.
func (p *pngFile) pixel(dst []uint8, row []byte, k int) bool {
	var v [4]int
	for n := range p.numbers {
		bit := (k*p.numbers + n) * p.depth
		if p.depth >= 8 {
			v[n] = int(row[bit/8])
			continue
		}
		v[n] = int(row[bit/8]) >> (8 - p.depth - bit%8) & (1<<p.depth - 1)
		if !p.indexed {
			v[n] = v[n] * 255 / (1<<p.depth - 1)
		}
	}
	alpha := 255
	switch {
	case p.indexed:
		if v[0] >= p.colours {
			return false
		}
		c := p.palette[v[0]]
		v, alpha = [4]int{int(c[0]), int(c[1]), int(c[2])}, int(c[3])
	case p.alpha:
		alpha = v[p.numbers-1]
	}
	for j := range 3 {
		x := v[0]
		if p.numbers > 2 || p.indexed {
			x = v[j]
		}
		dst[j] = uint8((x*alpha + 127) / 255)
	}
	return true
}
