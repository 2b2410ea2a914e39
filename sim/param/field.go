package param

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/say"
)

// Kind is the kind of a field's values. It determines the control.
type Kind uint8

// The kinds of fields.
const (
	Int     Kind = iota // a whole number
	Float               // a finite number
	Switch              // 0 or 1
	Choice              // one of Options
	Numbers             // finite numbers, separated by commas; may be empty
	Text                // lower-case letters, digits and _ : , - *, which need no encoding in links; may be empty
)

// Section is the section of the settings that a field belongs to.
type Section string

// The sections, in the order in which they are shown.
const (
	Data   Section = "Data"   // the clients and their samples
	Models Section = "Models" // the models and their training
	Run    Section = "Run"    // rounds, participation and seeds
)

// Option is one value of a Choice.
type Option struct {
	Name, Title string
	Doc         string // one sentence, if the title is not enough
	// Fields are the settings of this option: they are read while it is chosen.
	Fields []Field
	// Defaults overrides the defaults of other settings while the option is chosen: of any setting
	// if it is an option of a workload's setting, of the lane's own settings if it is one of an
	// algorithm's.
	Defaults map[string]string
	// Inline says that in a query the value of the option's first field, a text with -, can stand in the place of the
	// option's name: net=conv16-relu is net=own and layers=conv16-relu.
	Inline bool
}

// Field describes one setting.
type Field struct {
	Name        string   // key in the query: short, as the papers write it
	FormerNames []string // former keys, for older links
	Label       string   // a noun phrase of at most four words
	Unit        string   // printed after the value
	Doc         string   // one or two sentences: what it is, and the effect of extreme values
	Kind        Kind

	Min, Max  float64 // accepted range, both ends included
	Low, High float64 // ends of the slider; both 0 means Min and Max
	Step      float64 // step of the slider; 0 means 1 for Int
	Log       bool    // the slider is logarithmic

	MaxCount int  // the most Numbers, 0 means 8; the most bytes of a Text
	MinCount int  // the fewest Numbers
	Whole    bool // Numbers are whole

	// FiniteOnly: it has an effect only if clients have fixed sets of samples.
	FiniteOnly bool

	Section  Section
	Default  string // canonical text
	Options  []Option
	PerLane  bool // a lane may set its own value
	Advanced bool // shown on demand

	Tune *Space // values among which to look for the best one; nil if there is none for all data
}

// Space is a range of values of a number that are tried for the best one. It is the same for all data.
type Space struct {
	Low, High float64 // both included
	Log       bool    // as likely between 0.1 and 1 as between 1 and 10
	Source    string  // where the range comes from
}

// Inline returns the field whose text can stand in the place of an option's name, and the option; nil if there is none.
func (f *Field) Inline() (*Field, *Option) {
	for i := range f.Options {
		if o := &f.Options[i]; o.Inline {
			return &o.Fields[0], o
		}
	}
	return nil, nil
}

// Range returns the ends of the slider.
func (f *Field) Range() (low, high float64) {
	if f.Low == 0 && f.High == 0 {
		return f.Min, f.Max
	}
	return f.Low, f.High
}

// Canonical returns text in the form that is stored, hashed and used in links, or an [*Error] with
// the field, the text and the allowed values.
func (f *Field) Canonical(text string) (string, error) {
	var canonical string
	var ok bool
	var hint say.Message
	switch trimmed := strings.TrimSpace(text); f.Kind {
	case Int:
		canonical, hint, ok = f.canonicalInt(trimmed)
	case Float:
		v, err := parseFloat(trimmed)
		canonical, ok = FormatFloat(v), err == nil && f.allows(v)
	case Switch:
		canonical, ok = canonicalSwitch(trimmed)
	case Choice:
		canonical, hint, ok = f.canonicalChoice(trimmed)
	case Numbers:
		canonical, hint, ok = f.canonicalNumbers(trimmed)
	case Text:
		canonical, hint, ok = f.canonicalText(trimmed)
	default:
		panic("param: field " + f.Name + " has an unknown kind")
	}
	if !ok {
		return "", &Error{Field: f.Name, Got: text, Want: f.Want(), Hint: hint}
	}
	return canonical, nil
}

// allows reports whether v is in the range of the field.
func (f *Field) allows(v float64) bool { return v >= f.Min && v <= f.Max }

func (f *Field) canonicalInt(text string) (canonical string, hint say.Message, ok bool) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if x, err := parseFloat(text); err == nil {
			hint = wholeHint(x, f)
		}
		return "", hint, false
	}
	return strconv.FormatInt(v, 10), "", f.allows(float64(v))
}

func canonicalSwitch(text string) (canonical string, ok bool) {
	switch strings.ToLower(text) {
	case "0", "false", "off", "no":
		return "0", true
	case "1", "true", "on", "yes":
		return "1", true
	}
	return "", false
}

func (f *Field) canonicalChoice(text string) (canonical string, hint say.Message, ok bool) {
	names := make([]string, len(f.Options))
	for i, o := range f.Options {
		if o.Name == text {
			return o.Name, "", true
		}
		names[i] = o.Name
	}
	for _, name := range names {
		if strings.EqualFold(name, text) {
			return name, "", true
		}
	}
	return "", DidYouMean(text, names), false
}

func (f *Field) canonicalNumbers(text string) (canonical string, hint say.Message, ok bool) {
	parts := strings.Split(text, ",")
	switch {
	case text == "" && f.MinCount == 0:
		return "", "", true
	case text == "":
		return "", say.Messagef("such as %s", f.Default), false
	case len(parts) < f.MinCount:
		return "", say.Messagef("%d are too few", len(parts)), false
	case len(parts) > f.maxNumbers():
		return "", say.Messagef("%d numbers are too many", len(parts)), false
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		v, err := parseFloat(part)
		if err != nil || !f.allows(v) || f.Whole && v != math.Trunc(v) {
			return "", say.Messagef("number %d is %s", i+1, Quote(part)), false
		}
		parts[i] = FormatFloat(v)
	}
	return strings.Join(parts, ","), "", true
}

func (f *Field) canonicalText(text string) (canonical string, hint say.Message, ok bool) {
	text = strings.ReplaceAll(strings.ToLower(text), " ", "")
	allowed := func(r rune) bool {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("_:,-*", r)
	}
	switch {
	case len(text) > f.MaxCount:
		return "", say.Messagef("it has %d bytes", len(text)), false
	case strings.ContainsFunc(text, func(r rune) bool { return !allowed(r) }):
		return "", "write _ for other characters", false
	}
	return text, "", true
}

// maxNumbers returns the most numbers of a Numbers field: by default the number of marker shapes.
func (f *Field) maxNumbers() int {
	if f.MaxCount > 0 {
		return f.MaxCount
	}
	return 8
}

// Want describes the allowed values.
func (f *Field) Want() say.Message {
	low, high := FormatFloat(f.Min), FormatFloat(f.Max)
	switch f.Kind {
	case Int:
		return say.Messagef("a whole number from %s to %s", low, high)
	case Float:
		return say.Messagef("a number from %s to %s", low, high)
	case Switch:
		return "0 or 1"
	case Choice:
		names := make([]string, len(f.Options))
		for i, o := range f.Options {
			names[i] = o.Name
		}
		return say.Messagef("one of %s", strings.Join(names, ", "))
	case Text:
		return say.Messagef("at most %d lower-case letters, digits and _ : , - *", f.MaxCount)
	}
	if f.Whole {
		return say.Messagef("whole numbers from %s to %s, separated by commas", low, high)
	}
	return say.Messagef("numbers from %s to %s, separated by commas", low, high)
}

// FormatFloat prints v with the fewest digits that identify it, without an exponent if that is
// short.
func FormatFloat(v float64) string {
	if v == 0 {
		return "0" // never -0: one value, one text
	}
	if a := math.Abs(v); a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// parseFloat accepts finite decimal numbers only: no NaN, Inf, hex or "1_000".
func parseFloat(text string) (float64, error) {
	if strings.ContainsAny(text, "xXpP_nNiI") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

func wholeHint(x float64, f *Field) say.Message {
	nearest := math.Round(x)
	if nearest == x || nearest < f.Min || nearest > f.Max {
		return ""
	}
	return say.Messagef("nearest is %s", FormatFloat(nearest))
}
