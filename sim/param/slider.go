package param

import (
	"math"
	"strconv"
)

// Ladder returns the values of a logarithmic slider: about ten per decade, all of them round numbers.
func Ladder(f *Field) []float64 {
	low, high := f.Range()
	out := []float64{low}
	for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
		for _, m := range [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9} {
			v := m * decade
			if f.Kind == Int {
				v = math.Round(v)
			} else {
				v = math.Round(v*1e9) / 1e9 // so that 0.1 + 0.2 is 0.3
			}
			if v > out[len(out)-1] && v < high {
				out = append(out, v)
			}
		}
	}
	return append(out, high)
}

// FromPosition returns the text for a thumb's position.
func FromPosition(f *Field, position string) string {
	if !f.Log {
		return position
	}
	rungs := Ladder(f)
	i, err := strconv.Atoi(position)
	if err != nil || i < 0 || i >= len(rungs) {
		return position
	}
	return FormatFloat(rungs[i])
}

// Fraction returns the position of a value along its slider, 0 to 1.
func Fraction(f *Field, text string) float32 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	low, high := f.Range()
	at := (v - low) / (high - low)
	if f.Log {
		rungs := Ladder(f)
		n := 0
		for n < len(rungs)-2 && v >= rungs[n+1] {
			n++
		}
		at = (float64(n) + math.Log(v/rungs[n])/math.Log(rungs[n+1]/rungs[n])) / float64(len(rungs)-1)
	}
	return float32(min(max(at, 0), 1))
}
