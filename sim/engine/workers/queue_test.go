package workers

import (
	"slices"
	"testing"
)

// work plays a job in which party i does speed[i] clients in a unit of time, and returns the time
// and the worker of each client.
func (p *queue) work(n int, speed []float64) (span float64, by []int) {
	by = make([]int, n)
	free := make([]float64, len(speed)) // when each is ready for more
	last := make([][]int, len(speed))   // what each has taken and not given back
	p.reset()
	for {
		next := 0
		for i := range free {
			if free[i] < free[next] {
				next = i
			}
		}
		p.done(next, last[next])
		part := p.take(next, thirds)
		if last[next] = part; len(part) == 0 {
			break
		}
		for _, i := range part {
			by[i] = next
		}
		free[next] += float64(len(part)) / speed[next]
		span = max(span, free[next])
	}
	return span, by
}

// However long its row, a party takes no more at a time than its part of all that is not
// done, and then nothing, if others have as much to do as it has.
func TestQueueTakesAFairPart(t *testing.T) {
	var p queue
	p.deal(12, 3)
	p.reset()
	for len(p.take(1, 1)) > 0 { // party 1 does all
		p.done(1, p.taken[1][len(p.taken[1])-1:])
		clear(p.busy)
	}
	p.reset()
	if len(p.rows[1]) != 12 {
		t.Fatalf("the row of party 1 is %v, want all clients", p.rows[1])
	}
	// A third of 12 clients is 4, and a part that is begun counts as one.
	for turn, want := range []int{4, 0} {
		if got := p.take(1, 1); len(got) != want {
			t.Errorf("turn %d: party 1 takes %v, want %d clients", turn, got, want)
		}
	}
	if got := p.take(2, 1); len(got) != 4 {
		t.Errorf("party 2 takes %v of what is left, want 4 clients", got)
	}
	if got := p.take(0, 1); len(got) != 1 {
		t.Errorf("party 0 takes %v, want one client", got)
	}
}

// No worker waits for a slow one for longer than its last piece takes, whereas with equal shares
// everybody would.
func TestPoolIsFair(t *testing.T) {
	for _, speed := range [][]float64{{1, 1}, {1, 0.25}, {0.25, 1}, {1, 1, 0.3, 0.3}, {1, 0.9, 0.8, 0.7, 0.6},
		{1, 0.1}} {
		for _, n := range []int{7, 32, 100} {
			var p queue
			p.deal(n, len(speed))
			sum, least := 0.0, 1.0
			for _, s := range speed {
				sum += s
				least = min(least, s)
			}
			for visit := range 6 {
				span, by := p.work(n, speed)
				for i, who := range by {
					if who < 0 || who >= len(speed) {
						t.Fatalf("client %d is done by %d", i, who)
					}
				}
				best := float64(n) / sum
				if visit >= 2 && span > best+2/least {
					t.Errorf("%d clients at speeds %v, visit %d: %.1f units, %.1f would be ideal", n, speed, visit,
						span, best)
				}
			}
		}
	}
}

// Every client is taken once, however the parties are at work.
func TestPoolGivesEverybodyOnce(t *testing.T) {
	for n := range 40 {
		for parties := 1; parties < 6; parties++ {
			var p queue
			p.deal(n, parties)
			for visit := range 4 {
				p.reset()
				taken := make([]int, n)
				held := make([][]int, parties) // not given back
				for turn, none := 0, 0; none < parties; turn++ {
					party := turn * 3 % 7 % parties
					if visit%2 == 0 || turn%3 > 0 {
						p.done(party, held[party])
						held[party] = held[party][:0]
					}
					part := p.take(party, halves+visit%2)
					if none++; len(part) > 0 {
						none = 0
					}
					held[party] = append(held[party], part...)
					for _, i := range part {
						taken[i]++
					}
				}
				for i, k := range taken {
					if k != 1 {
						t.Fatalf("%d clients, %d parties, visit %d: client %d is taken %d times", n, parties,
							visit, i, k)
					}
				}
			}
		}
	}
}

// A worker as fast as the others keeps its clients, and with them their samples.
func TestPoolKeepsClientsWhereTheyAre(t *testing.T) {
	const n = 60
	speed := []float64{1, 1, 1}
	var p queue
	p.deal(n, len(speed))
	_, before := p.work(n, speed)
	for range 5 {
		_, by := p.work(n, speed)
		moved := 0
		for i := range by {
			if by[i] != before[i] {
				moved++
			}
		}
		if moved > n/10 {
			t.Errorf("%d of %d clients moved", moved, n)
		}
		before = by
	}
}

// Who has nothing left takes from the front of what another has, so that with parties
// that are as fast nearly all arrives in order.
func TestPoolHelpsFromTheFront(t *testing.T) {
	var p queue
	p.deal(8, 2)
	p.reset()
	p.done(0, p.take(0, ones))
	for i := range 4 {
		part := p.take(1, ones)
		if want := []int{2*i + 1}; !slices.Equal(part, want) {
			t.Fatalf("the second party takes %v, want %v", part, want)
		}
		p.done(1, part)
	}
	if part, want := p.take(1, ones), []int{2}; !slices.Equal(part, want) {
		t.Errorf("who helps takes %v, want %v", part, want)
	}
}

// No worker takes more clients at a time than its line has room for.
func TestPoolGivesNoCrowd(t *testing.T) {
	var p queue
	p.deal(5000, 2)
	p.reset()
	if n := len(p.take(1, halves)); n != maxTake {
		t.Errorf("%d clients are taken at a time, want %d", n, maxTake)
	}
}

// Replies are reported in the order of the clients, each as soon as all before it
// are there, and with equal parties not much later than that.
func TestPoolReportsInOrder(t *testing.T) {
	const n, parties = 30, 3
	var p queue
	p.deal(n, parties)
	p.reset()
	there := make([]bool, n)
	given, ahead := 0, 0
	for party := 0; given < n; party = (party + 1) % parties {
		part := p.take(party, thirds)
		p.done(party, part)
		for _, i := range part {
			there[i] = true
			given++
		}
		want := 0
		for want < n && there[want] {
			want++
		}
		if got := p.doneBefore(); got != want {
			t.Fatalf("after %d clients: %d are reported, want %d", given, got, want)
		}
		ahead = max(ahead, given-want)
	}
	if ahead > n/2 {
		t.Errorf("up to %d of %d clients waited for others to be reported", ahead, n)
	}
	p.reset()
	if got := p.doneBefore(); got != 0 {
		t.Errorf("%d clients are reported of a visit that begins", got)
	}
}
