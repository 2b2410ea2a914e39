package grouping

// union is disjoint sets of clients; the root of a set is its lowest client.
type union struct {
	Of   []int // root of each client
	size []int // number of clients in the set of each root
}

func (u *union) start(n int) {
	u.Of, u.size = make([]int, n), make([]int, n)
	for i := range u.Of {
		u.Of[i], u.size[i] = i, 1
	}
}

func (u *union) root(i int) int { return u.Of[i] }

// join adds the set with root b to the set with the lower root a.
func (u *union) join(a, b int) {
	for i, root := range u.Of {
		if root == b {
			u.Of[i] = a
		}
	}
	u.size[a] += u.size[b]
}
