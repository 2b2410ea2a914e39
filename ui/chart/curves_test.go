package chart

import (
	"bytes"
	"testing"

	"flockscope/ui/scene"
)

// What stays of the curves is the same in every round, and all but the round.
func TestCurvesStay(t *testing.T) {
	paint := func(round int) (ground, all []byte) {
		var l scene.List
		new(Curves).Draw(&l, nil, view(run(cflgp, ifca), 0, round), Box{W: 600, H: 160})
		return l.Bytes()[:l.Ground()], l.Bytes()
	}
	first, all := paint(1)
	second, _ := paint(2)
	if len(first) < len(all)/2 || !bytes.Equal(first, second) {
		t.Errorf("of %d bytes, %d stay from round 1 and %d from round 2; want most, and the same", len(all), len(first), len(second))
	}
}
