package experiment

import (
	"slices"
	"strconv"

	"flockscope/sim/param"
)

// Field returns the field of a key of the query: a setting's name, or "lane.name" for a lane's own
// value.
func (c Config) Field(key string) (*param.Field, bool) {
	key = c.schema.current(key)
	id, name, ok := cutLast(key, ".")
	if !ok {
		return c.schema.Field(key)
	}
	lane := slices.IndexFunc(c.lanes, func(l Lane) bool { return l.ID() == id })
	if lane < 0 {
		return nil, false
	}
	for f := range param.All(c.laneDeclares(lane)) {
		if f.PerLane && f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Text returns the canonical text of a key of the query, "" for a key that [Config.Field] does not
// know.
func (c Config) Text(key string) string {
	key = c.schema.current(key)
	if _, ok := c.Field(key); !ok {
		return ""
	}
	id, name, ok := cutLast(key, ".")
	if !ok {
		return c.Value(key)
	}
	return c.LaneValue(slices.IndexFunc(c.lanes, func(l Lane) bool { return l.ID() == id }), name)
}

// Reseeded returns c with every seed increased by n: the same experiment with other random numbers.
func (c Config) Reseeded(n int) Config {
	next := c
	for i := range c.schema.Seeds {
		f := &c.schema.Seeds[i]
		seed, _ := strconv.Atoi(c.Value(f.Name))
		if w, err := next.With(f.Name, strconv.Itoa((seed+n)%(int(f.Max)+1))); err == nil {
			next = w
		}
	}
	return next
}

// FirstSeed returns the value of the first seed.
func (c Config) FirstSeed() int {
	n, _ := strconv.Atoi(c.Value(c.schema.Seeds[0].Name))
	return n
}

// IsSeed reports whether a key is that of a seed.
func (c Config) IsSeed(key string) bool {
	return slices.ContainsFunc(c.schema.Seeds, func(f param.Field) bool { return f.Name == key })
}
