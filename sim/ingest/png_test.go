package ingest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// handmadePNG is a file of a kind of pixels whose rows are filtered at random, perhaps interlaced. image/png writes
// neither small depths of grey nor interlaced files, but reads them.
func handmadePNG(r *rand.Rand, width, height, depth int, kind byte, interlaced bool) []byte {
	numbers := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	var raw bytes.Buffer
	passes := [][4]int{{0, 0, 1, 1}}
	if interlaced {
		passes = [][4]int{
			{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	for _, p := range passes {
		columns := (width - p[0] + p[2] - 1) / p[2]
		if columns <= 0 {
			continue
		}
		for y := p[1]; y < height; y += p[3] {
			raw.WriteByte(byte(r.IntN(5))) // random bytes behind any filter are some picture
			for range (columns*numbers*depth + 7) / 8 {
				raw.WriteByte(byte(r.IntN(256)))
			}
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(raw.Bytes())
	w.Close()
	out := []byte(pngMagic)
	chunk := func(name string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		from := len(out)
		out = append(append(out, name...), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = append(binary.BigEndian.AppendUint32(header, uint32(height)), byte(depth), kind, 0, 0, 0)
	if interlaced {
		header[12] = 1
	}
	chunk("IHDR", header)
	chunk("tEXt", []byte("a\x00b"))
	if kind == 3 {
		colours, alpha := make([]byte, 3<<depth), make([]byte, 1<<depth/2)
		for i := range colours {
			colours[i] = byte(r.IntN(256))
		}
		for i := range alpha {
			alpha[i] = byte(r.IntN(256))
		}
		chunk("PLTE", colours)
		chunk("tRNS", alpha)
	}
	half := packed.Len() / 2
	chunk("IDAT", packed.Bytes()[:half])
	chunk("IDAT", packed.Bytes()[half:])
	chunk("IEND", nil)
	return out
}

// TestPNG: pixels are those of image/png, for all kinds, depths and filters, interlaced or not.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for kind, depths := range map[byte][]int{0: {1, 2, 4, 8, 16}, 2: {8, 16}, 3: {1, 2, 4, 8}, 4: {8, 16}, 6: {8, 16}} {
		for _, depth := range depths {
			for _, interlaced := range []bool{false, true} {
				for _, size := range [][2]int{{1, 1}, {3, 2}, {17, 9}, {32, 32}} {
					data := handmadePNG(r, size[0], size[1], depth, kind, interlaced)
					want, err := png.Decode(bytes.NewReader(data))
					if err != nil {
						t.Fatalf("kind %d, depth %d: image/png: %v", kind, depth, err)
					}
					is, err := sizeOf(data)
					if err != nil || is.width != size[0] || is.height != size[1] || is.grey != (kind == 0) {
						t.Fatalf("kind %d, depth %d: %+v, %v", kind, depth, is, err)
					}
					got, err := decode(data, is)
					if err != nil {
						t.Fatalf("kind %d, depth %d: %v", kind, depth, err)
					}
					for at := range size[0] * size[1] {
						c, _ := want.(image.RGBA64Image)
						v := c.RGBA64At(at%size[0], at/size[0])
						for k, x := range [3]uint16{v.R, v.G, v.B} {
							slack := 0 // both round the product of colour and transparency, which may have 16 bits
							if kind >= 3 {
								slack = 1 + depth/16
							}
							if d := int(got[3*at+k]) - int(x>>8); max(d, -d) > slack {
								t.Fatalf("kind %d, depth %d, interlaced %v, %v: pixel %d is %v, want %v", kind, depth, interlaced, size, at,
									got[3*at:3*at+3], v)
							}
						}
					}
				}
			}
		}
	}
}

// TestPNGFromGo: what image/png writes is read back exactly.
func TestPNGFromGo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rgb := image.NewNRGBA(image.Rect(0, 0, 31, 20))
	var want []uint8
	for i := range 31 * 20 {
		c := color.NRGBA{uint8(r.IntN(256)), uint8(i), uint8(r.IntN(4)), 255}
		rgb.SetNRGBA(i%31, i/31, c)
		want = append(want, c.R, c.G, c.B)
	}
	var b bytes.Buffer
	png.Encode(&b, rgb)
	got, err := decode(b.Bytes(), pictureSize{31, 20, false})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("decode: %v, the same: %v", err, slices.Equal(got, want))
	}
}

// TestPNGDamaged: a file with a byte changed or without its end is an error, never a panic.
func TestPNGDamaged(t *testing.T) {
	data := handmadePNG(rand.New(rand.NewPCG(1, 1)), 9, 9, 4, 3, true)
	for at := range data {
		wrong := slices.Clone(data)
		wrong[at] ^= 0x41
		if at >= len(pngMagic) { // no longer a PNG file
			if _, err := decode(wrong, pictureSize{9, 9, false}); err == nil {
				t.Errorf("byte %d changed: no error", at)
			}
		}
		if _, err := decode(data[:max(at, 8)], pictureSize{9, 9, false}); err == nil {
			t.Errorf("cut at byte %d: no error", at)
		}
	}
}
