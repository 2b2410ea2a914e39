package experiment

import (
	"maps"
	"slices"
	"strconv"

	"flockscope/sim/param"
	"flockscope/sim/say"
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

func (e *clash) Error() string        { return e.err.Error() }
func (e *clash) Message() say.Message { return e.err.Message() }
func (e *clash) Unwrap() error        { return e.err }

// check looks at the settings together. It returns nil or a *clash.
func (c Config) check() error {
	if c.workload.FromFile {
		return nil // how many clients there are is not known yet: see Fits
	}
	clients, _ := strconv.Atoi(c.Value("C"))
	if e := c.fits(clients, say.Name("C = "+c.Value("C"))); e != nil {
		return e
	}
	return nil
}

// Fits returns an error if c asks for more than the clients of a file allow.
// Elsewhere c knows C and fits already.
func (c Config) Fits(clients int) error {
	if e := c.fits(clients, say.Messagef("the %d clients of the file", clients)); e != nil {
		return e.err
	}
	return nil
}

// fits checks c against a number of clients, which messages call by name.
func (c Config) fits(count int, name say.Message) *clash {
	values := c.Values(-1)
	number := values.Float
	clients := float64(count)
	if c.workloadReads("D") && number("D") > clients {
		return &clash{&param.Error{Field: "D", Got: c.Value("D"), Want: say.Messagef("at most %s", name),
			Hint: "a group without clients cannot be found"}, []string{"D", "C"}}
	}
	if c.workloadReads("star") {
		if stars := len(values.Numbers("star")); stars == 0 || float64(stars) > clients {
			return &clash{&param.Error{Field: "star", Got: c.Value("star"),
				Want: say.Messagef("one slope a group, at least 1 and at most %s", name)},
				[]string{"star", "C"}}
		}
	}
	if c.workloadReads("dphi") {
		if gap, groups := number("dphi"), number("D"); !upright(gap, int(groups)) {
			return &clash{&param.Error{Field: "dphi", Got: c.Value("dphi"),
				Want: say.Messagef("less than %s with D = %v", say.Figures(178/(groups-1), 3), groups),
				Hint: say.Messagef("the outermost line would stand at %s°", say.Number(gap*(groups-1)/2))}, []string{"dphi", "D"}}
		}
	}
	if c.workloadReads("through") && number("through") > number("many") {
		return &clash{&param.Error{Field: "through", Got: c.Value("through"), Want: say.Messagef("at most %s", "d = "+c.Value("many")),
			Hint: "there are no more directions than inputs"}, []string{"through", "many"}}
	}
	if c.workloadReads("dtheta") {
		if gap, groups := number("dtheta"), number("D"); gap*(groups-1) > 140 {
			most := int(140 / (groups - 1))
			return &clash{&param.Error{Field: "dtheta", Got: c.Value("dtheta"),
				Want: say.Messagef("at most %d with %v groups", most, groups),
				Hint: "antennas in a line cannot tell front from back",
				Offers: []param.Offer{{Key: "dtheta", Value: strconv.Itoa(most)},
					{Key: "D", Value: strconv.Itoa(int(140/gap) + 1)}}},
				[]string{"dtheta", "D"}}
		}
	}
	// Who is never there is no latecomer: a run without its first clients, or
	// without the rest of them, would be another one than was asked for.
	if late := number("late"); late > 0 {
		if late >= clients {
			return &clash{&param.Error{Field: "late", Got: c.Value("late"), Want: say.Messagef("fewer than %s", name),
				Hint: "some clients must be there from the start"}, []string{"late", "C"}}
		}
		if number("join") > number("T") {
			return &clash{&param.Error{Field: "join", Got: c.Value("join"), Want: say.Messagef("at most %s", "T = "+c.Value("T")),
				Hint: "the latecomers would never come"}, []string{"join", "late", "T"}}
		}
	}
	draw := number("b")
	for i := range c.lanes {
		v := c.Values(i)
		if c.laneReads(i, "K") {
			if k := v.Float("K"); k > clients {
				return &clash{&param.Error{Field: c.keyOf(i, "K"), Got: v.Text("K"), Want: say.Messagef("at most %s", name),
					Hint: "more models than clients", Offers: []param.Offer{{Key: c.keyOf(i, "K"),
						Value: strconv.Itoa(count)}}}, []string{c.keyOf(i, "K"), "K", "C"}}
			}
		}
		draw = max(draw, v.Float("probe"))
		if c.laneReads(i, "tau") {
			draw = max(draw, v.Float("tau")*number("b"))
		}
	}
	if n := clients * number("T") * draw; n > maxDraws {
		field := c.blamed("T", "C", "b", "probe", "tau")
		return &clash{&param.Error{Field: field, Got: c.Value(field), Want: "fewer rounds, clients or samples",
			Hint: say.Messagef("C × T × samples = %s, the most is %s", say.Number(n),
				say.Number(maxDraws))}, []string{"T", "C", "b", "probe"}}
	}
	if n := clients * number("T") * float64(len(c.lanes)); n > maxFrames {
		field := c.blamed("T", "C")
		return &clash{&param.Error{Field: field, Got: c.Value(field), Want: "fewer rounds, clients or lanes",
			Hint: say.Messagef("C × T × lanes = %s, the most is %s", say.Number(n), say.Number(maxFrames))},
			[]string{"T", "C"}}
	}
	return nil
}

// blamed returns the first of some settings that was set, the first where none was.
func (c Config) blamed(names ...string) string {
	for _, name := range names {
		if _, ok := c.set[name]; ok {
			return name
		}
	}
	return names[0]
}

// keyOf returns the key under which a lane's value was given.
func (c Config) keyOf(lane int, name string) string {
	if c.Own(lane, name) {
		return c.lanes[lane].ID() + "." + name
	}
	return name
}

// without returns c with one setting of a clash back at its default: the first
// of them that was set, so that no more is lost than must be. Each call removes
// something, so taking back ends. It also returns what, as key=value.
func (c Config) without(err error) (Config, string) {
	e := err.(*clash)
	for _, key := range e.keys {
		if id, name, ok := cutLast(key, "."); ok {
			for i := range c.lanes {
				if id == c.lanes[i].ID() && c.Own(i, name) {
					own := maps.Clone(c.lanes[i].own)
					gone := key + "=" + own[name]
					delete(own, name)
					c.lanes = slices.Clone(c.lanes)
					c.lanes[i].own = own
					return c, gone
				}
			}
		} else if text, ok := c.set[key]; ok {
			c.set = maps.Clone(c.set)
			delete(c.set, key)
			return c, key + "=" + text
		}
	}
	return c.schema.Default(), "algos" // nothing of it was set: only the lanes are left
}
