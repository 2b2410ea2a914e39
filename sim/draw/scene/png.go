package scene

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// png encodes a raster as a PNG file (ISO/IEC 15948) without compression: thumbnails are small,
// and equal rasters give equal files with any version of Go.
func png(r *Raster, t Theme, dark, bright Colour) []byte {
	const palette, trueColour = 3, 2
	out := []byte("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(r.Columns))
	head = binary.BigEndian.AppendUint32(head, uint32(r.Rows))
	if r.Channels == 1 {
		out = chunk(out, "IHDR", append(head, 8, palette, 0, 0, 0))
		out = chunk(out, "PLTE", ramp(t, dark, bright))
	} else {
		out = chunk(out, "IHDR", append(head, 8, trueColour, 0, 0, 0))
	}
	var rows []byte
	for width := r.Columns * r.Channels; len(rows) < r.Rows*(width+1); {
		from := len(rows) / (width + 1) * width
		rows = append(append(rows, 0), r.Pixels[from:from+width]...) // 0: no filter
	}
	return chunk(chunk(out, "IDAT", stored(rows)), "IEND", nil)
}

// ramp returns 256 colours from dark to bright.
func ramp(t Theme, dark, bright Colour) []byte {
	var from, to [3]uint8
	from[0], from[1], from[2] = t.RGB(dark)
	to[0], to[1], to[2] = t.RGB(bright)
	out := make([]byte, 0, 768)
	for v := range 256 {
		for c := range from {
			out = append(out, uint8((int(from[c])*(255-v)+int(to[c])*v+127)/255))
		}
	}
	return out
}

func chunk(dst []byte, name string, data []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(data)))
	from := len(dst)
	dst = append(append(dst, name...), data...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}

// stored wraps data as a zlib stream (RFC 1950) of blocks that are not
// compressed (RFC 1951, 3.2.4).
func stored(data []byte) []byte {
	const most = 1<<16 - 1
	out := []byte{0x78, 0x01}
	sum := adler32.Checksum(data)
	for {
		n := min(len(data), most)
		last := byte(0)
		if n == len(data) {
			last = 1
		}
		out = append(out, last)
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
		out = append(out, data[:n]...)
		if data = data[n:]; last == 1 {
			return binary.BigEndian.AppendUint32(out, sum)
		}
	}
}
