package fl

import (
	"slices"
	"testing"
)

// asked is a [Clients] that notes what a guess asks.
type asked struct {
	everybody
	round *Round
	tasks []Task
}

func (a *asked) Prefetch(guess func() bool, _ bool) {
	a.tasks = nil
	if guess() {
		for _, t := range a.round.Exchange.Tasks {
			t.Updates = slices.Clone(t.Updates)
			a.tasks = append(a.tasks, t)
		}
	}
}

// TestGuess: the next round is guessed to begin like this one, with the labels as they are
// now; of requests with floats or features, nothing is guessed, and nothing is left behind.
func TestGuess(t *testing.T) {
	for _, tt := range []struct {
		name string
		ask  func(r *Round, i int)
		want Task
	}{
		{"losses", func(r *Round, i int) { r.AskLosses(i) }, Task{Losses: true}},
		{"the best", func(r *Round, i int) { r.AskBestUpdate(i) }, Task{PickBest: true}},
		{"updates", func(r *Round, i int) { r.AskUpdate(i, r.Label[i]) }, Task{Updates: []int{2}}},
		{"updates of another model", func(r *Round, i int) { r.AskUpdate(i, 0) }, Task{}},
		{"a feature", func(r *Round, i int) { r.AskUpdate(i, r.Label[i]); r.AskFeature(i, 0) }, Task{}},
		{"a call", func(r *Round, i int) { r.AskCall(i, 1, nil) }, Task{}},
		{"nothing", func(*Round, int) {}, Task{}},
	} {
		r := fixture(3, 4)
		clients := &asked{everybody: everybody{clients: 4}, round: r}
		r.Clients = clients
		for i := range r.Label {
			r.Label[i] = 1
		}
		r.Begin(0)
		for i := range r.Label {
			tt.ask(r, i)
		}
		r.Ask()
		r.AskLosses(0) // a second exchange says nothing about how a round begins
		r.Ask()
		for i := range r.Label {
			r.Label[i] = 2
		}
		r.Prefetch(false)
		if tt.want.Empty() != (clients.tasks == nil) {
			t.Errorf("%s: %+v is guessed, want %+v of each client", tt.name, clients.tasks, tt.want)
		}
		for i, got := range clients.tasks {
			if got.Losses != tt.want.Losses || got.PickBest != tt.want.PickBest ||
				!slices.Equal(got.Updates, tt.want.Updates) {
				t.Errorf("%s: client %d is guessed to be asked %+v, want %+v", tt.name, i, got, tt.want)
			}
		}
		for i := range r.Exchange.Tasks {
			if !r.Exchange.Tasks[i].Empty() {
				t.Errorf("%s: after the guess client %d is asked %+v", tt.name, i, r.Exchange.Tasks[i])
			}
		}
	}
}

// TestRepliesRelease: a reply serves the next client's update once it has been used, if models
// are large; a loop that ends early still takes all replies in.
func TestRepliesRelease(t *testing.T) {
	const clients = 5
	bank := NewBank(1, small)
	x := NewExchange(clients, &bank)
	e := &everybody{clients: clients}
	r := NewRound(x, new(Traffic), make([]int, clients), 1, e)
	e.work = nil
	for round, stop := range []int{clients, 2} {
		r.Begin(round)
		for i := range clients {
			r.AskUpdate(i, 0)
		}
		seen := 0
		for i := range r.Replies() {
			x.Buffer(i, 0)
			if seen++; seen == stop {
				break
			}
		}
		if seen != stop || len(r.Replied) != clients ||
			*r.Traffic != (Traffic{int64(round+1) * clients * small, int64(round+1) * clients * small}) {
			t.Errorf("round %d: %d of %d replies seen, %v counted, traffic %+v", round, seen, stop, r.Replied,
				*r.Traffic)
		}
		if x.Buffers != 1 {
			t.Errorf("round %d: %d updates are in memory, want 1 at a time", round, x.Buffers)
		}
	}
}
