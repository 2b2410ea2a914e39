package experiment

import (
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// bounds has the settings whose defaults must not exceed another setting.
var bounds = map[string]string{"K": "C", "D": "C", "join": "T", "through": "many"}

// limitDefault limits the default of a setting to what the other settings allow.
func (c Config) limitDefault(f *param.Field, text string) string {
	name := f.Name
	if c.workload.FromFile && (name == "K" || name == "D") {
		return text // the number of clients is unknown
	}
	if name == "join" && c.Value("late") == "0" {
		return text
	}
	switch name {
	case "C": // each client needs two samples
		if c.workloadReads("n") {
			return strconv.Itoa(min(atoi(text), atoi(c.Value("n"))/2))
		}
	case "K", "D", "join", "through":
		bound := c.Value(bounds[name])
		if most := atoi(bound); atoi(text) > most && most >= int(f.Min) {
			return bound
		}
	case "star": // one slope for each group
		if slopes := strings.Split(text, ","); len(slopes) > atoi(c.Value("C")) {
			return strings.Join(slopes[:atoi(c.Value("C"))], ",")
		}
	case "dtheta": // radio channels lie within 140°
		if groups := atoi(c.Value("D")); groups > 1 && atoi(text)*(groups-1) > 140 {
			return strconv.Itoa(140 / (groups - 1))
		}
	case "dphi":
		if groups := atoi(c.Value("D")); groups > 1 {
			if gap, _ := strconv.ParseFloat(text, 64); !allRise(gap, groups) {
				return param.FormatFloat(float64(1600/(groups-1)) / 10)
			}
		}
	}
	return text
}

// allRise reports whether all lines of a fan have angles below 89° if neighbours are gap degrees apart.
func allRise(gap float64, groups int) bool { return gap*float64(groups-1)/2 < 89 }

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// Adapted returns a warning for each default that other settings limit.
func (c Config) Adapted() (problems []Problem) {
	for f := range c.active {
		usual, now := c.defaultOf(f), c.Value(f.Name)
		if _, set := c.set[f.Name]; set || usual == now {
			continue
		}
		because := "C = " + c.Value("C")
		switch f.Name {
		case "C":
			because = "n = " + c.Value("n")
		case "join":
			because = "T = " + c.Value("T")
		case "through":
			because = "many = " + c.Value("many")
		case "dphi", "dtheta":
			because = "D = " + c.Value("D")
		}
		problems = append(problems, Problem{Warning: true, Adapted: f.Name,
			Err: adaptation{f.Name, now, usual, because}})
	}
	return problems
}

// adaptation is the warning that a default was limited.
type adaptation struct{ name, now, usual, because string }

func (a adaptation) Error() string { return a.Message().String() }

func (a adaptation) Message() say.Message {
	return say.Messagef("%s is %s here instead of %s, to go with %s", a.name, a.now, a.usual, a.because)
}
