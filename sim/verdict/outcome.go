package verdict

import (
	"slices"

	"flockscope/sim/trace"
)

// counts is a table of the clients that have taken part: by planted group and model.
type counts struct {
	groups, models int
	table          []int // groups × models
}

// count fills the table. took is nil if all clients have taken part.
func (c *counts) count(h *trace.Header, f *trace.Frame, took []bool) {
	c.groups, c.models = h.Groups, 0
	for _, k := range f.Label {
		c.models = max(c.models, int(k)+1)
	}
	c.table = trace.Resize(c.table, c.groups*c.models)
	clear(c.table)
	for i, k := range f.Label {
		if took == nil || took[i] {
			c.table[int(h.Group[i])*c.models+int(k)]++
		}
	}
}

// of returns the number of clients of a group with a model.
func (c *counts) of(group, model int) int { return c.table[group*c.models+model] }

func (c *counts) outcome() Kind {
	return Compare(c.groups, c.models, c.of)
}

// Compare returns what a clustering is to the planted groups: [Right], [Split], [Shared] or [Misplaced]. of returns the
// number of clients of a group that have a model.
func Compare(groups, models int, of func(group, model int) int) Kind {
	pure, whole := true, true
	for g := range groups {
		has := 0
		for k := range models {
			if of(g, k) > 0 {
				has++
			}
		}
		whole = whole && has <= 1
	}
	for k := range models {
		has := 0
		for g := range groups {
			if of(g, k) > 0 {
				has++
			}
		}
		pure = pure && has <= 1
	}
	switch {
	case pure && whole:
		return Right
	case pure:
		return Split
	case whole:
		return Shared
	}
	return Misplaced
}

// modelsOf returns how many models the clients of a group have.
func (c *counts) modelsOf(group int) (n int) {
	for k := range c.models {
		if c.of(group, k) > 0 {
			n++
		}
	}
	return n
}

// groupsOf returns the groups whose clients have a model.
func (c *counts) groupsOf(model int) (groups []int) {
	for g := range c.groups {
		if c.of(g, model) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// clientsOf returns how many clients have a model.
func (c *counts) clientsOf(model int) (n int) {
	if model >= c.models {
		return 0
	}
	for g := range c.groups {
		n += c.of(g, model)
	}
	return n
}

// used returns how many models clients have.
func (c *counts) used() (n int) {
	for k := range c.models {
		if c.clientsOf(k) > 0 {
			n++
		}
	}
	return n
}

// present returns how many groups have clients that have taken part.
func (c *counts) present() (n int) {
	for g := range c.groups {
		if c.modelsOf(g) > 0 {
			n++
		}
	}
	return n
}

// smallest returns how many clients the n smallest groups have.
func (c *counts) smallest(n int) (clients int) {
	sizes := make([]int, c.groups)
	for g := range sizes {
		for k := range c.models {
			sizes[g] += c.of(g, k)
		}
	}
	slices.Sort(sizes)
	for _, size := range sizes[:n] {
		clients += size
	}
	return clients
}
