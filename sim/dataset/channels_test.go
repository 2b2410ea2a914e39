package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"testing"
)

// TestChannelsGolden holds the channels still, as TestGolden does drawings.
func TestChannelsGolden(t *testing.T) {
	s := Channels(1, 200, 3, 30)
	h := sha256.New()
	h.Write(s.Label)
	for _, v := range images(s) {
		h.Write([]byte{uint8(v*255 + 0.5)})
	}
	if got, want := hex.EncodeToString(h.Sum(nil)[:8]), "c4ed4bb305bce836"; got != want {
		t.Errorf("hash of Channels(1, 200, 3, 30) = %s, want %s", got, want)
	}
}

// TestChannelsPower: no channel is stronger than another but for what is cut off,
// and the mean of the numbers is the middle.
func TestChannelsPower(t *testing.T) {
	const n = 300
	s := Channels(3, n, 3, 30)
	size := s.Shape.Size()
	x := images(s)
	sum := 0.0
	for i := range n {
		power := 0.0
		for _, v := range x[i*size : (i+1)*size] {
			h := 6 * (float64(v) - 0.5)
			power += h * h
			sum += h
		}
		if power /= antennas * carriers; math.Abs(power-1) > 0.06 {
			t.Errorf("channel %d has a mean power of %v, want 1", i, power)
		}
	}
	if mean := sum / n / float64(size); math.Abs(mean) > 0.03 {
		t.Errorf("a mean of %v, want 0", mean)
	}
}

// TestChannelsSee: pictures show where waves come from. With the same seed and
// sectors far apart, the strongest direction moves to the right by environment;
// without a gap all environments give the same channels; and more are the same at
// first.
func TestChannelsSee(t *testing.T) {
	const n = 900
	for seed := range uint64(5) {
		s := Channels(seed, n, 3, 45)
		var middle [3]float64 // the mean column of what is seen
		row, picture := make([]float32, s.Shape.Size()), make([]uint8, s.PictureShape.Size())
		for i := range n {
			s.Row(row, i)
			s.Picture(picture, row)
			mass, at := 0.0, 0.0
			for j, v := range picture {
				power := float64(v) * float64(v)
				mass += power
				at += power * float64(j%s.PictureShape.Width)
			}
			middle[s.Label[i]] += at / mass / (n / 3)
		}
		if middle[1] < middle[0]+1 || middle[2] < middle[1]+1 {
			t.Errorf("seed %d: environments are seen about columns %v, want each to the right of the one before", seed,
				middle)
		}
	}
	short, long := Channels(2, 40, 3, 30), Channels(2, 90, 3, 30)
	if x := images(short); !slices.Equal(x, images(long)[:len(x)]) || !slices.Equal(short.Label, long.Label[:40]) {
		t.Error("the first 40 of 90 channels are others than those of 40")
	}
	one, same := Channels(4, 60, 1, 30), Channels(4, 60, 3, 0)
	if !slices.Equal(images(one), images(same)) {
		t.Error("without a gap three environments give other channels than one")
	}
}
