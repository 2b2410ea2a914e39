package engine_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
)

// hasty is a sink that cancels the run at one of its yields.
type hasty struct {
	recording
	at     int // yield
	cancel context.CancelFunc

	mu     sync.Mutex // held until the run is cancelled, so that no yield of another worker is counted before that
	yields int
}

func (h *hasty) Yield() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.yields++
	if h.yields == h.at {
		h.cancel()
	}
}

// A cancelled run ends after the work of a few clients, in the middle of a trial or a round,
// whatever its server was about to do, and leaves nothing behind.
func TestAbandon(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, a := range catalog.Algorithms() {
		query := "data=digits&C=12&n=240&T=3&every=1&exam=5&hidden=4&b=4&probe=4&algos=" + a.Name
		c := parse(t, query+",fedavg:z")
		for _, at := range []int{1, 2, 4, 7, 9, 14} {
			ctx, cancel := context.WithCancel(context.Background())
			h := &hasty{at: at, cancel: cancel}
			err := engine.Run(ctx, c, nil, h)
			cancel()
			if !errors.Is(err, context.Canceled) || h.summaries[0] != nil {
				t.Errorf("%v given up at yield %d: %v", c, at, err)
			}
			// Each lane takes one more yield at most before it sees that.
			if late := h.yields - at; late > 2 {
				t.Errorf("%v given up at yield %d goes on for %d more", c, at, late)
			}
		}
	}
	if got := goroutines(before); got > before {
		t.Errorf("%d goroutines are left, %d before", got, before)
	}
}

// The same while shards are at work.
func TestAbandonShards(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, name := range []string{"cflgp", "ifca", "clove", "fedavg", "hcfl"} {
		c := parse(t, "data=digits&C=12&n=240&T=40&hidden=4&b=4&probe=4&algos="+name)
		for at := 1; at < 20; at += 3 {
			p := newPlaces(2, nil)
			ctx, cancel := context.WithCancel(context.Background())
			h := &hasty{at: at, cancel: cancel}
			err := engine.RunLanes(ctx, c, nil, []int{0}, p, h)
			cancel()
			p.close()
			// Both other workers may be on the way to a yield, and the pool takes a last one before it
			// gives up.
			if !errors.Is(err, context.Canceled) || h.yields > at+3 {
				t.Errorf("%v given up at yield %d: %v after %d", c, at, err, h.yields)
			}
		}
	}
	if got := goroutines(before); got > before {
		t.Errorf("%d goroutines are left, %d before", got, before)
	}
}

// A sink that yields gets the same frames.
func TestBreathsChangeNothing(t *testing.T) {
	const query = "data=digits&C=10&n=200&T=4&every=2&exam=5&hidden=4&b=4&probe=4&algos=cflgp,clove,fesem"
	want := record(t, query, nil)
	h := &hasty{at: -1}
	if err := engine.Run(context.Background(), parse(t, query), nil, h); err != nil {
		t.Fatal(err)
	}
	same(t, query+", yielding", &h.recording, want)
	if h.yields < 2*3*4 {
		t.Errorf("%s: %d yields, want two a round of each lane", query, h.yields)
	}
}
