package engine

import (
	"testing"

	"flockscope/sim/trace"
)

// TestPreviewCount: as many clients have their picture rebuilt as there is room for in a run with
// an evaluation after every round, and at the start, in each of its lanes.
func TestPreviewCount(t *testing.T) {
	for _, rounds := range []int{1, 10, 1000} {
		for _, lanes := range []int{1, 3} {
			h := &trace.Header{Rounds: rounds, Clients: 2000, Lanes: make([]trace.Lane, lanes)}
			h.DataPreview.Gallery.Height, h.DataPreview.Gallery.Width, h.DataPreview.Gallery.Channels = 28, 28, 1
			lane := &trace.Lane{Columns: 3}
			n := previewCount(h, lane)
			each := lanes * (rounds + 1) * 3 * 28 * 28
			if n*each > rebuiltLimit && n != minPreviews || n < minPreviews ||
				(n+1)*each <= rebuiltLimit && n != h.Clients {
				t.Errorf("%d rounds, %d lanes: %d clients need %d bytes of %d", rounds, lanes, n, n*each, rebuiltLimit)
			}
		}
	}
}
