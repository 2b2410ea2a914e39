package workload

import (
	"errors"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/param"
)

// TestTestClientsHoldOtherSamples: test clients hold samples of no client, without
// mistakes in its labels, and the same whenever they come.
func TestTestClientsHoldOtherSamples(t *testing.T) {
	file := &File{Set: drawnDigits(210)} // 180 of which are for training
	for _, tt := range []struct {
		name     string
		settings []string
		clients  int
		each     int
	}{
		{"digits", []string{"n=150", "net=softmax", "shift=none", "concept=permute", "concepts=3", "noise=symmetric", "chi=1", "guests=40"}, 3, 40},
		{"garments", []string{"n=150", "net=softmax", "shift=none", "test=set", "guests=21"}, 1, 21},
		{"both", []string{"n=300", "net=softmax", "shift=rotations", "angles=0,180", "guests=20"}, 3, 20},
		{"samples", []string{"net=softmax", "shift=none", "test=set", "guests=1000"}, 1, 30},
		{"samples", []string{"net=softmax", "shift=none", "use=150", "guests=40"}, 1, 40},
		{"samples", []string{"net=softmax", "shift=none", "use=150", "guests=1000"}, 1, 60},
	} {
		w := build(t, tt.name, file, append([]string{"C=6"}, tt.settings...)...)
		open := w.(WithTestClients)
		if open.TestClients() != tt.clients {
			t.Errorf("%s: %d test clients, want %d", tt.name, open.TestClients(), tt.clients)
			continue
		}
		held := map[string]bool{}
		for i := range w.Clients() {
			b := all(w, i)
			for j := range b.N {
				held[row(&b, j)] = true
			}
			if back := open.HeldOut(i); back < 1 {
				t.Errorf("%s: client %d holds back %d samples", tt.name, i, back)
			}
		}
		for i := range open.TestClients() {
			var first, then, again, last model.Batch
			open.TestClientSamples(&first, &then, i)
			open.TestClientSamples(&again, &last, i)
			if first.N+then.N != tt.each || first.N != tt.each/2 {
				t.Errorf("%s: test client %d chooses by %d samples and is tested on %d, want %d in all", tt.name, i,
					first.N, then.N, tt.each)
			}
			for j := range then.N {
				if held[row(&then, j)] {
					t.Errorf("%s: test client %d holds what a client trains on", tt.name, i)
				}
				if row(&then, j) != row(&last, j) {
					t.Errorf("%s: test client %d holds other samples the second time", tt.name, i)
				}
			}
		}
	}
}

// TestTestClientsRefused: test clients need classes and samples of no client.
func TestTestClientsRefused(t *testing.T) {
	for _, settings := range [][]string{
		{"digits", "n=100", "net=autoencoder", "shift=none", "guests=10"},
		{"digits", "n=100", "net=softmax", "shift=none", "guests=1"},
		{"samples", "net=softmax", "shift=none", "guests=10"},
	} {
		entry, _ := Registry.Lookup(settings[0])
		v := words("C=4", "sd=1")
		defaults(v, entry.Fields)
		set(v, settings[1:]...)
		_, err := entry.Make.Make(v.Values(), &File{Set: drawnDigits(100)})
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != "guests" || refused.Want == "" || refused.Hint == "" {
			t.Errorf("%v: %v, want a refusal of guests", settings, err)
		}
	}
}
