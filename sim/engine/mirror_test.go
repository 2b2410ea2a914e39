package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// TestRebuilt: where models rebuild pictures every trial shows what they make of
// them, and a model that has learned from a group comes closer to that group's
// picture than before. Other frames have none, nor have other models.
func TestRebuilt(t *testing.T) {
	const rounds, every, seeds = 6, 3, 4
	nearer := 0
	for seed := range seeds {
		query := fmt.Sprintf(
			"data=digits&C=6&n=600&shift=rotations&angles=0,90,180&K=3&net=autoencoder&code=16&avg=model&opt=adam&lr=0.005&T=%d&every=%d&algos=ifca,fedavg,local&sd=%d",
			rounds, every, seed)
		r := record(t, query, nil)
		h := r.header
		previewed := h.PreviewClients()
		if !slices.Equal(slices.Sorted(slices.Values(previewed)), []int{0, 1, 2, 3, 4, 5}) {
			t.Fatalf("the previewed among six clients are %v", previewed)
		}
		for lane, frames := range r.lanes {
			for i := range frames {
				f := &frames[i]
				want := h.Lanes[lane].Reconstructing() * len(previewed) * h.DataPreview.Gallery.Size()
				if !f.Events.Has(trace.Evaluated) {
					want = 0
				}
				if len(f.Reconstructed) != want || !h.Admits(lane, f) {
					t.Fatalf("%s, lane %d, round %d: %d bytes of pictures, want %d", query, lane, f.Round,
						len(f.Reconstructed), want)
				}
			}
			if first, last := &frames[0], &frames[rounds]; miss(h, lane, last) < miss(h, lane, first) {
				nearer++
			}
			if slices.Equal(frames[every].Reconstructed, frames[rounds].Reconstructed) {
				t.Errorf("%s, lane %d: the pictures of two trials are the same", query, lane)
			}
		}
	}
	if nearer < 3*seeds {
		t.Errorf("the models' own pictures come nearer in %d of %d lanes", nearer, 3*seeds)
	}
	for _, f := range record(t, "data=digits&C=4&n=400&T=1&algos=ifca", nil).lanes[0] {
		if len(f.Reconstructed) > 0 {
			t.Error("a classifier rebuilds pictures")
		}
	}
}

// miss is how far the previewed' pictures are from the copies by their own models,
// in squares.
func miss(h *trace.Header, lane int, f *trace.Frame) int {
	g := &h.DataPreview.Gallery
	previewed, size, sum := h.PreviewClients(), g.Size(), 0
	for row, i := range previewed {
		k := 0
		if h.Lanes[lane].Columns > 1 {
			k = int(f.Label[i])
		}
		picture := g.Image(i, 0)
		for at, c := range f.Reconstructed[(k*len(previewed)+row)*size:][:size] {
			d := int(c) - int(picture[at])
			sum += d * d
		}
	}
	return sum
}

// TestMirrorRoom: a run that has no room for everybody's pictures has them of as many
// clients as fit, and of eight in any case.
func TestMirrorRoom(t *testing.T) {
	for _, test := range []struct{ clients, rounds, ifca, fedavg int }{
		{24, 100, 24, 24},
		{60, 500, 42, 60}, // 64 MiB / (2 lanes · 501 trials · 2 copies · 784 bytes)
		{30, 5000, 8, 8},
	} {
		query := fmt.Sprintf(
			"data=digits&C=%d&n=%d&shift=rotations&angles=0,90&K=2&net=autoencoder&code=2&T=%d&algos=ifca,fedavg", test.clients,
			20*test.clients, test.rounds)
		ctx, cancel := context.WithCancel(t.Context())
		r := &recording{onRound: func(int) { cancel() }}
		if err := engine.Run(ctx, parse(t, query), nil, r); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		for lane, want := range []int{test.ifca, test.fedavg} {
			each := r.header.Lanes[lane].Reconstructing() * r.header.DataPreview.Gallery.Size()
			if f := &r.lanes[lane][0]; len(f.Reconstructed) != want*each || !r.header.Admits(lane, f) {
				t.Errorf("%s, lane %d: the pictures of %d clients, want %d", query, lane, len(f.Reconstructed)/each, want)
			}
		}
	}
}
