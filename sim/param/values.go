package param

import (
	"strconv"
	"strings"
)

// Values returns the canonical text of a field by its name. The typed readers panic on a missing
// name or a text that is not canonical: both are errors of the program, since every text from
// outside goes through [Field.Canonical].
type Values func(name string) (text string, ok bool)

// Given has values by name.
type Given map[string]string

// Values returns g as Values.
func (g Given) Values() Values {
	return func(name string) (text string, ok bool) {
		text, ok = g[name]
		return text, ok
	}
}

// With returns v with some values replaced.
func (v Values) With(given Given) Values {
	return func(name string) (text string, ok bool) {
		if text, ok = given[name]; ok {
			return text, ok
		}
		return v(name)
	}
}

// Text returns the canonical text of name.
func (v Values) Text(name string) string {
	text, ok := v(name)
	if !ok {
		panic("param: no value for " + name)
	}
	return text
}

// Int returns a whole number.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v.Text(name))
	if err != nil {
		panic("param: " + name + " is not a whole number")
	}
	return n
}

// Float returns a number.
func (v Values) Float(name string) float64 {
	x, err := strconv.ParseFloat(v.Text(name), 64)
	if err != nil {
		panic("param: " + name + " is not a number")
	}
	return x
}

// Switch reports whether name is on.
func (v Values) Switch(name string) bool { return v.Text(name) == "1" }

// Numbers returns a list of numbers, nil when it is empty.
func (v Values) Numbers(name string) []float64 {
	text := v.Text(name)
	if text == "" {
		return nil
	}
	parts := strings.Split(text, ",")
	out := make([]float64, len(parts))
	for i, p := range parts {
		x, err := strconv.ParseFloat(p, 64)
		if err != nil {
			panic("param: " + name + " is not a list of numbers")
		}
		out[i] = x
	}
	return out
}
