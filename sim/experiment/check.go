package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"flockscope/sim/param"
)

// Budgets of one run. They keep a link from freezing a tab: a run near a
// budget takes about a minute and some hundred megabytes.
const (
	maxDraws  = 400e6 // samples drawn
	maxFrames = 4e6   // client states kept, over rounds and lanes
)

// clash is a refusal that concerns several settings.
type clash struct {
	err  *param.Error
	keys []string // what to take back; a lane's own first
}

func (e *clash) Error() string { return e.err.Error() }
func (e *clash) Unwrap() error { return e.err }

// check looks at the settings together. It returns nil or a *clash.
func (c Config) check() error {
	number := func(name string) float64 { return c.Values(-1).Float(name) }
	clients := math.Inf(1)
	if !c.workload.FromFile {
		clients = number("C")
	}
	if declares(c.workload.Fields, "D") && number("D") > clients {
		return &clash{&param.Error{Field: "D", Got: c.Value("D"), Want: fmt.Sprintf("at most C = %v", clients),
			Hint: "a group without clients cannot be found"}, []string{"D", "C"}}
	}
	if declares(c.workload.Fields, "star") {
		if stars := len(c.Values(-1).Numbers("star")); stars == 0 || float64(stars) > clients {
			return &clash{&param.Error{Field: "star", Got: c.Value("star"), Want: fmt.Sprintf("one slope a group, at least 1 and at most C = %v", clients)},
				[]string{"star", "C"}}
		}
	}
	if declares(c.workload.Fields, "dphi") {
		if gap, groups := number("dphi"), number("D"); gap*(groups-1)/2 >= 89 {
			return &clash{&param.Error{Field: "dphi", Got: c.Value("dphi"), Want: fmt.Sprintf("less than %.3g with D = %v", 178/(groups-1), groups),
				Hint: fmt.Sprintf("the outermost line would stand at %.4g°", gap*(groups-1)/2)}, []string{"dphi", "D"}}
		}
	}
	draw := number("b")
	for i := range c.lanes {
		v := c.Values(i)
		if c.laneReads(i, "K") {
			if k := v.Float("K"); k > clients {
				return &clash{&param.Error{Field: c.keyOf(i, "K"), Got: v.Text("K"), Want: fmt.Sprintf("at most C = %v", clients),
					Hint: "more models than clients"}, []string{c.keyOf(i, "K"), "K", "C"}}
			}
		}
		draw = max(draw, v.Float("probe"))
	}
	if math.IsInf(clients, 1) {
		return nil // what the file holds is checked when it is there
	}
	if n := clients * number("T") * draw; n > maxDraws {
		return &clash{&param.Error{Field: "T", Got: c.Value("T"), Want: "fewer rounds, clients or samples",
			Hint: fmt.Sprintf("C × T × samples = %.3g, the most is %.3g", n, maxDraws)}, []string{"T", "C", "b", "probe"}}
	}
	if n := clients * number("T") * float64(len(c.lanes)); n > maxFrames {
		return &clash{&param.Error{Field: "T", Got: c.Value("T"), Want: "fewer rounds, clients or lanes",
			Hint: fmt.Sprintf("C × T × lanes = %.3g, the most is %.3g", n, maxFrames)}, []string{"T", "C"}}
	}
	return nil
}

// keyOf returns the key under which a lane's value was given.
func (c Config) keyOf(lane int, name string) string {
	if c.Own(lane, name) {
		return c.lanes[lane].ID() + "." + name
	}
	return name
}

// without returns c with the settings of a clash back at their defaults. Each
// call removes something, so taking back ends.
func (c Config) without(err error) Config {
	e := err.(*clash)
	before := c.String()
	c.set = maps.Clone(c.set)
	c.lanes = slices.Clone(c.lanes)
	for _, key := range e.keys {
		delete(c.set, key)
		for i := range c.lanes {
			if id, name, ok := cutLast(key, "."); ok && id == c.lanes[i].ID() {
				own := maps.Clone(c.lanes[i].own)
				delete(own, name)
				c.lanes[i].own = own
			}
		}
	}
	if c.String() == before { // nothing of it was set: only the lanes are left
		return c.schema.Default()
	}
	return c
}
