package clusterer

// Naming names clusters after groups that are known from elsewhere, step by step, so that the names
// of a step depend on no later one. A cluster is named after the group that its members had most
// often of late: a step counts decay times as much as the one after it. A new naming replaces the
// old one
//
//   - if it fits a tenth of all counts better, so that names do not flicker with each member that moves,
//   - or if the step's clusters are the groups: then the names are those of the groups, and equal in
//     all clusterings that find them.
//
// Clusters that have never had members take the last names. The zero Naming is not ready; see Reset.
type Naming struct {
	Names []uint16 // by cluster, a permutation; the clusters themselves before the first step

	groups     int
	now, count Matrix // members, clusters × groups: of this step, and of all so far
	cost       Matrix
	used       []int // the clusters that have had members, in order
	seen       []bool
	next       []uint16
	short      []uint16 // names of the clusters in used
	solver     Assigner
	begun      bool
}

const (
	decay  = 0.9
	margin = 0.1
)

// Reset begins with so many clusters and groups, before the first step.
func (n *Naming) Reset(clusters, groups int) {
	n.groups, n.begun = groups, false
	n.now.Reshape(clusters, groups)
	n.count.Reshape(clusters, groups)
	clear(n.now.Data)
	clear(n.count.Data)
	n.used = resize(n.used, clusters)[:0]
	n.seen = resize(n.seen, clusters)
	clear(n.seen)
	n.Names, n.next, n.short = resize(n.Names, clusters), resize(n.next, clusters), resize(n.short, clusters)
	for k := range n.Names {
		n.Names[k] = uint16(k)
	}
	size := max(clusters, groups)
	n.cost.Reshape(size, size)
	clear(n.cost.Data)
	n.solver.Names(n.short, &n.cost) // for its memory: steps allocate nothing
}

// Count adds a member of a cluster and a group to the step.
func (n *Naming) Count(cluster, group int) {
	n.now.Row(cluster)[group]++
	n.seen[cluster] = true
}

// Next ends a step and reports whether names have changed.
func (n *Naming) Next() bool {
	total := 0.0
	for i, v := range n.now.Data {
		n.count.Data[i] = float64(decay*n.count.Data[i]) + v
		total += n.count.Data[i]
	}
	n.used = n.used[:0]
	for k, seen := range n.seen {
		if seen {
			n.used = append(n.used, k)
		}
	}
	counts, found := &n.count, n.found()
	if found {
		counts, total = &n.now, 0
	}
	n.name(counts)
	changed := !n.begun || n.fit(counts, n.next) > n.fit(counts, n.Names)+float64(margin*total)
	if n.begun = true; changed {
		changed = false
		for k, name := range n.next {
			changed = changed || n.Names[k] != name
		}
		n.Names, n.next = n.next, n.Names
	}
	clear(n.now.Data)
	return changed
}

// found reports whether the clusters of the step are the groups.
func (n *Naming) found() bool {
	for k := range n.now.Rows {
		several := 0
		for g, v := range n.now.Row(k) {
			if v == 0 {
				continue
			}
			several++
			for other := range n.now.Rows {
				if other != k && n.now.Row(other)[g] > 0 {
					return false
				}
			}
		}
		if several > 1 {
			return false
		}
	}
	return true
}

// fit returns how many members have the name of their group.
func (n *Naming) fit(counts *Matrix, names []uint16) float64 {
	sum := 0.0
	for k, name := range names {
		if int(name) < n.groups {
			sum += counts.Row(k)[name]
		}
	}
	return sum
}

// name sets next to the names that fit the counts best, among clusters that have had members.
func (n *Naming) name(counts *Matrix) {
	size := max(len(n.used), n.groups)
	n.cost.Reshape(size, size)
	clear(n.cost.Data)
	for j, k := range n.used {
		for g, v := range counts.Row(k) {
			n.cost.Row(j)[g] = -v
		}
	}
	n.short = n.short[:len(n.used)]
	n.solver.Names(n.short, &n.cost)
	last := uint16(len(n.used))
	for k, j := 0, 0; k < len(n.next); k++ {
		if n.seen[k] {
			n.next[k] = n.short[j]
			j++
		} else {
			n.next[k] = last
			last++
		}
	}
}
