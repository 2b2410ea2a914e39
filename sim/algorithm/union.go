package algorithm

// union keeps disjoint sets of clients, each under its lowest, the root.
type union struct {
	of   []int // root of each client
	size []int // clients under a root
}

func (u *union) start(n int) {
	u.of, u.size = make([]int, n), make([]int, n)
	for i := range u.of {
		u.of[i], u.size[i] = i, 1
	}
}

func (u *union) root(i int) int { return u.of[i] }

// join puts the clients under root b under root a, which is lower.
func (u *union) join(a, b int) {
	for i, root := range u.of {
		if root == b {
			u.of[i] = a
		}
	}
	u.size[a] += u.size[b]
}
