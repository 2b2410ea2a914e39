package page

// MostSliding is the most clients whose marks slide: with more of them nobody follows a
// single one, and sixty pictures a second cost a lot.
const MostSliding = 300

// MoveTime is how long what a phase of a round changes moves, in ms.
const MoveTime = 300.0

// Move is the way of what a phase changes to its new place. The zero value has arrived.
type Move struct {
	since float64 // when it began, in ms; 0 for one that has ended
	now   float64
}

// Begin begins the move.
func (m *Move) Begin(now float64) { m.since, m.now = now, now }

// Moves reports whether it is on its way.
func (m *Move) Moves() bool { return m.since != 0 }

// Tick moves on to the time now; with stop on, it arrives at once.
func (m *Move) Tick(now float64, stop bool) {
	m.now = now
	if stop || now-m.since >= MoveTime {
		m.since = 0
	}
}

// Share is the share of its way that the move has come, slower towards the end.
func (m *Move) Share() float32 {
	if m.since == 0 {
		return 1
	}
	left := 1 - max(0, m.now-m.since)/MoveTime
	return float32(1 - left*left*left)
}

// Between returns the numbers a share of the way from one place to another, in the
// memory of dst where they are on their way.
func Between(dst, from, to []float32, share float32) (at, memory []float32) {
	if share >= 1 || len(from) != len(to) {
		return to, dst
	}
	if share <= 0 {
		return from, dst
	}
	dst = append(dst[:0], to...)
	for i := range dst {
		dst[i] = from[i] + float32((to[i]-from[i])*share)
	}
	return dst, dst
}
