package experiment

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Limits of one run, so that no link can freeze a browser's tab: a run near a limit takes about a
// minute and some hundred megabytes.
const (
	maxDraws  = 400e6 // maximum samples drawn
	maxFrames = 4e6   // maximum client states in frames, over rounds and lanes
)

// conflict is a conflict between several settings.
type conflict struct {
	err  *param.Error
	keys []string // settings to reset, a lane's own first
}

func (e *conflict) Error() string        { return e.err.Error() }
func (e *conflict) Message() say.Message { return e.err.Message() }
func (e *conflict) Unwrap() error        { return e.err }

// check checks the settings together. It returns nil or a *conflict.
func (c Config) check() error {
	if c.workload.FromFile {
		return nil // the number of clients is unknown; see Fits
	}
	clients, _ := strconv.Atoi(c.Value("C"))
	if e := c.fits(clients, say.Name("C = "+c.Value("C"))); e != nil {
		return e
	}
	return nil
}

// Fits returns an error if c needs more clients than a file has. Without a file c has been checked
// already.
func (c Config) Fits(clients int) error {
	if e := c.fits(clients, say.Messagef("the %d clients of the file", clients)); e != nil {
		return e.err
	}
	return nil
}

// fits checks c for a number of clients. Messages use its name.
func (c Config) fits(clients int, name say.Message) *conflict {
	return cmp.Or(c.checkGroups(clients, name), c.checkGeometry(), c.checkLatecomers(clients, name),
		c.checkModels(clients, name), c.checkLiars(clients), c.checkSize(clients))
}

func (c Config) checkGroups(clients int, name say.Message) *conflict {
	values := c.Values(-1)
	if c.workloadReads("D") && values.Int("D") > clients {
		return &conflict{&param.Error{Field: "D", Got: c.Value("D"), Want: say.Messagef("at most %s", name),
			Hint: "a group without clients cannot be found"}, []string{"D", "C"}}
	}
	if c.workloadReads("star") {
		if stars := len(values.Numbers("star")); stars == 0 || stars > clients {
			return &conflict{&param.Error{Field: "star", Got: c.Value("star"),
				Want: say.Messagef("one slope per group, at least 1 and at most %s", name)}, []string{"star", "C"}}
		}
	}
	return nil
}

func (c Config) checkGeometry() *conflict {
	number := c.Values(-1).Float
	if c.workloadReads("dphi") {
		if gap, groups := number("dphi"), number("D"); !allRise(gap, int(groups)) {
			return &conflict{&param.Error{Field: "dphi", Got: c.Value("dphi"),
				Want: say.Messagef("less than %s with D = %v", say.Figures(178/(groups-1), 3), groups),
				Hint: say.Messagef("the outermost line would be at %s°", say.Number(gap*(groups-1)/2))},
				[]string{"dphi", "D"}}
		}
	}
	if c.workloadReads("through") && number("through") > number("many") {
		return &conflict{&param.Error{Field: "through", Got: c.Value("through"),
			Want: say.Messagef("at most %s", "d = "+c.Value("many")),
			Hint: "there are no more directions than inputs"}, []string{"through", "many"}}
	}
	if c.workloadReads("dtheta") {
		if gap, groups := number("dtheta"), number("D"); gap*(groups-1) > 140 {
			most := int(140 / (groups - 1))
			return &conflict{&param.Error{Field: "dtheta", Got: c.Value("dtheta"),
				Want: say.Messagef("at most %d with %v groups", most, groups),
				Hint: "a linear antenna array cannot distinguish front and back",
				Suggestions: []param.Suggestion{{Key: "dtheta", Value: strconv.Itoa(most)},
					{Key: "D", Value: strconv.Itoa(int(140/gap) + 1)}}}, []string{"dtheta", "D"}}
		}
	}
	return nil
}

// checkLatecomers requires that some clients start, and that latecomers join before the end:
// otherwise the run would be another experiment.
func (c Config) checkLatecomers(clients int, name say.Message) *conflict {
	values := c.Values(-1)
	switch late := values.Int("late"); {
	case late == 0:
		return nil
	case late >= clients:
		return &conflict{&param.Error{Field: "late", Got: c.Value("late"), Want: say.Messagef("fewer than %s", name),
			Hint: "some clients must take part from the start"}, []string{"late", "C"}}
	case values.Int("join") > values.Int("T"):
		return &conflict{&param.Error{Field: "join", Got: c.Value("join"),
			Want: say.Messagef("at most %s", "T = "+c.Value("T")),
			Hint: "latecomers would never join"}, []string{"join", "late", "T"}}
	}
	return nil
}

func (c Config) checkModels(clients int, name say.Message) *conflict {
	for i := range c.lanes {
		if v, key := c.Values(i), c.keyOf(i, "K"); c.laneReads(i, "K") && v.Int("K") > clients {
			return &conflict{&param.Error{Field: key, Got: v.Text("K"), Want: say.Messagef("at most %s", name),
				Hint: "more models than clients", Suggestions: []param.Suggestion{{Key: key, Value: strconv.Itoa(clients)}}},
				[]string{key, "K", "C"}}
		}
	}
	return nil
}

// checkLiars requires a number or a share of clients, or the clients' numbers from 1, and that some client is honest.
func (c Config) checkLiars(clients int) *conflict {
	if !c.Reads("liars") {
		return nil
	}
	numbers := c.Values(-1).Numbers("liars")
	var want say.Message
	share := math.Round(float64(numbers[0] * float64(clients)))
	if n := numbers[0]; len(numbers) == 1 && (n < 1 && share >= float64(clients) || n > 0 && n < 1 && share == 0 ||
		n >= 1 && (n != math.Trunc(n) || n >= float64(clients))) {
		want = say.Messagef("a whole number below %d, a share below 1 that is a client or more, or numbers of clients", clients)
	}
	if len(numbers) > 1 {
		lies := map[float64]bool{}
		for i, n := range numbers {
			if n > 0 || i > 0 {
				lies[n] = true
			}
			if n != math.Trunc(n) || n < 1 && i > 0 || n > float64(clients) {
				want = say.Messagef("numbers of clients from 1 to %d", clients)
			}
		}
		if want == "" && len(lies) == clients {
			want = "numbers of some clients, not of all"
		}
	}
	if want == "" {
		return nil
	}
	return &conflict{&param.Error{Field: "liars", Got: c.Value("liars"), Want: want,
		Hint:        say.Messagef("there are %d clients, and at least one is honest", clients),
		Suggestions: []param.Suggestion{{Key: "liars", Value: strconv.Itoa(min(1, clients-1))}}}, []string{"liars", "C"}}
}

// checkSize limits the samples drawn and the states kept.
func (c Config) checkSize(clients int) *conflict {
	number := c.Values(-1).Float
	draw := number("b")
	for i := range c.lanes {
		v := c.Values(i)
		draw = max(draw, v.Float("probe"))
		if c.laneReads(i, "tau") {
			draw = max(draw, v.Float("tau")*number("b"))
		}
	}
	clientRounds := float64(clients) * number("T")
	if n := clientRounds * draw; n > maxDraws {
		field := c.firstSet("T", "C", "b", "probe", "tau")
		return &conflict{&param.Error{Field: field, Got: c.Value(field), Want: "fewer rounds, clients or samples",
			Hint: say.Messagef("C × T × samples = %s, the limit is %s", say.Number(n), say.Number(maxDraws))},
			[]string{"T", "C", "b", "probe"}}
	}
	if n := clientRounds * float64(len(c.lanes)); n > maxFrames {
		field := c.firstSet("T", "C")
		return &conflict{&param.Error{Field: field, Got: c.Value(field), Want: "fewer rounds, clients or methods",
			Hint: say.Messagef("C × T × methods = %s, the limit is %s", say.Number(n), say.Number(maxFrames))},
			[]string{"T", "C"}}
	}
	return nil
}

// firstSet returns the first of some keys that is set, or the first key if none is set.
func (c Config) firstSet(names ...string) string {
	for _, name := range names {
		if _, ok := c.set[name]; ok {
			return name
		}
	}
	return names[0]
}

// keyOf returns the key with which a lane's value was set.
func (c Config) keyOf(lane int, name string) string {
	if c.Own(lane, name) {
		return c.lanes[lane].ID() + "." + name
	}
	return name
}

// without returns c with one setting of a conflict at its default: the first that is set, so that as
// few settings as possible are lost. Repeated calls end, since each removes a setting. It also
// returns what was removed, as key=value.
func (c Config) without(err error) (Config, string) {
	e := err.(*conflict)
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
	return c.schema.Default(), "algos" // no setting is left to reset, except for the lanes
}
