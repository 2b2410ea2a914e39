package workers

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/model"
)

// TestPreparedSamples: samples that were drawn ahead are those that would be drawn, and are
// drawn no second time; what was prepared for another round is not mistaken for them.
func TestPreparedSamples(t *testing.T) {
	c, problems := catalog.Schema().Parse("data=digits&C=4&n=300&T=9&b=6&probe=6&hidden=8&algos=ifca")
	if err := experiment.First(problems); err != nil {
		t.Fatal(err)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := ReadSettings(c, data)
	f := newLocalClients(data, set, len(plans))
	defer f.close()
	fresh := NewWorkspace(data, set)
	for _, tt := range []struct {
		name     string
		prepared [][2]int // client and round
		asked    [2]int
		left     int // of those prepared for that round, afterwards
	}{
		{"prepared", [][2]int{{1, 3}, {2, 3}}, [2]int{2, 3}, 1},
		{"somebody else's", [][2]int{{1, 4}, {2, 4}}, [2]int{3, 4}, 2},
		{"of another round", [][2]int{{1, 5}, {2, 5}}, [2]int{1, 6}, 0},
		{"of a round before", [][2]int{{1, 6}, {1, 7}, {3, 7}}, [2]int{3, 7}, 1},
		{"of a round that goes on", [][2]int{{1, 8}, {2, 8}, {1, 9}, {2, 9}}, [2]int{2, 8}, 1},
		{"of a run that begins again", [][2]int{{1, 9}, {1, 1}, {2, 1}}, [2]int{2, 1}, 1},
	} {
		for _, p := range tt.prepared {
			if !f.prepare(p[0], p[1]) {
				t.Fatalf("%s: no room for client %d in round %d", tt.name, p[0], p[1])
			}
		}
		b := <-f.workspaces
		b.Sample(tt.asked[0], tt.asked[1])
		fresh.Sample(tt.asked[0], tt.asked[1])
		if !slices.Equal(b.Samples.X, fresh.Samples.X) || !slices.Equal(b.Samples.Y, fresh.Samples.Y) {
			t.Errorf("%s: samples differ from those drawn when they are asked for", tt.name)
		}
		f.workspaces <- b
		left := 0
		for _, d := range f.cache.batches {
			if d.client != NoClient && d.round == tt.asked[1] {
				left++
			}
		}
		if left != tt.left {
			t.Errorf("%s: %d batches are left in the cache, want %d", tt.name, left, tt.left)
		}
	}
}

// TestCacheIsFinite: what does not fit is not taken. The next round finds the room that
// this one has left, and the one after that all of it.
func TestCacheIsFinite(t *testing.T) {
	var s prefetchCache
	var b model.Batch
	fill := func(round, room int) {
		t.Helper()
		for client := range room + 1 {
			b.Resize(1, cacheLimit/3)
			b.X[0] = float32(client)
			if got, want := s.put(&b, client, round), client < room; got != want {
				t.Fatalf("round %d, client %d: there was room: %v, want %v", round, client, got, want)
			}
		}
		if b.X[0] != float32(room) {
			t.Errorf("round %d: what found no room is %v, want it as it was", round, b.X[0])
		}
	}
	fill(1, 3)
	if !s.take(&b, 1, 1) {
		t.Error("client 1's samples are gone")
	}
	fill(2, 1)
	fill(4, 3)
	if !s.take(&b, 1, 4) || b.X[0] != 1 {
		t.Errorf("client 1 gets %v back, want 1", b.X[0])
	}
	if s.take(&b, 1, 4) {
		t.Error("client 1's samples are there twice")
	}
}

// TestArgmin: a loss that is not a number is never the least, wherever it stands.
func TestArgmin(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		losses []float64
		want   int
	}{{[]float64{2, 1, 1}, 1}, {[]float64{nan, 2, 1}, 2}, {[]float64{nan, nan, 3}, 2}, {[]float64{1, nan, 0}, 2},
		{[]float64{inf, 2}, 1}, {[]float64{nan, inf}, 1}, {[]float64{nan, nan}, 0}} {
		if got := argmin(tt.losses); got != tt.want {
			t.Errorf("argmin(%v) = %d, want %d", tt.losses, got, tt.want)
		}
	}
}
