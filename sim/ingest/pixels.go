package ingest

import "flockscope/sim/dataset"

// lightOnDark returns the images with a dark background, so that the empty corners of a rotated
// image look like background. Sets such as FEMNIST have black ink on white paper: the corners of
// most images are light. It may overwrite data.
func lightOnDark(data []uint8, shape dataset.Shape) []uint8 {
	size, w := shape.Size(), shape.Width
	var sum, n int
	for at := 0; at < len(data); at += size {
		image := data[at : at+size]
		sum += int(image[0]) + int(image[w-1]) + int(image[size-w]) + int(image[size-1])
		n += 4
	}
	if sum <= n*127 {
		return data
	}
	inverse := make([]uint8, len(data))
	for i, v := range data {
		inverse[i] = 255 - v
	}
	return inverse
}

// wholeBytes returns data times unit as bytes, if they are whole numbers from 0 to 255.
func wholeBytes(data []float32, unit float32) ([]uint8, bool) {
	out := make([]uint8, len(data))
	for i, v := range data {
		v = float32(v * unit)
		if !(v > -0.01 && v < 255.01) {
			return nil, false
		}
		out[i] = uint8(v + 0.5)
		if d := v - float32(out[i]); d < -0.01 || d > 0.01 {
			return nil, false
		}
	}
	return out, true
}
