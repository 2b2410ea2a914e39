package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// String returns the plan as a text that [ParseDraft] reads:
//
//	query data=linreg&C=12&algos=cflgp,ifca
//	vary dphi=5,10,20
//	seeds 10
//	floats 100000
//	file 3f…
//
// The last two lines exist if there is a budget, or a file. Equal plans have equal texts.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "query %s\n", p.Query())
	for _, x := range p.Axes {
		fmt.Fprintf(&b, "vary %s\n", x)
	}
	fmt.Fprintf(&b, "seeds %d\n", p.Seeds)
	if p.Floats > 0 {
		fmt.Fprintf(&b, "floats %s\n", param.FormatFloat(p.Floats))
	}
	if p.Data != "" {
		fmt.Fprintf(&b, "file %s\n", p.Data)
	}
	return b.String()
}

// Query returns the base as a query. If any setting varies, the query keeps all explicit settings, because a point may
// have other defaults than the base. If words vary, it also keeps settings that the base does not read, because a point
// may read them.
func (p *Plan) Query() string {
	if len(p.Axes) == 0 {
		return p.Base.String()
	}
	return p.Base.Explicit(slices.ContainsFunc(p.Axes, func(x Axis) bool { return x.words(p.Base) }))
}

// Draft is a plan as written, before its settings are checked.
type Draft struct {
	Query  string
	Vary   []string // as [ParseAxes] reads them
	Seeds  int
	Floats float64
	Data   string
}

// ParseDraft reads the text of a plan. Empty lines and lines that begin with # are ignored. Without a line "seeds"
// there is one seed.
func ParseDraft(text string) (*Draft, error) {
	d := &Draft{Seeds: 1}
	err := Lines(text, func(word, rest string) (err error) {
		switch word {
		case "query":
			d.Query = rest
		case "vary":
			d.Vary = append(d.Vary, rest)
		case "seeds":
			d.Seeds, err = ParseSeeds(rest)
		case "floats":
			d.Floats, err = ParseFloats(rest)
		case "file":
			d.Data = rest
		default:
			err = say.Errorf("got %s, want a line that begins with query, vary, seeds, floats or file",
				param.Quote(strings.TrimSpace(word+" "+rest)))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Lines calls f with the first word of each line and the rest of the line. It ignores empty lines and lines that begin
// with #. If f fails, the error names the line, from 1.
func Lines(text string, f func(word, rest string) error) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := f(word, strings.TrimSpace(rest)); err != nil {
			return say.Errorf("line %d: %s", n, err)
		}
	}
	return nil
}

// ParseSeeds reads a number of seeds.
func ParseSeeds(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MostValues {
		return 0, &param.Error{Field: "seeds", Got: text, Want: say.Messagef("a whole number from %s to %s", "1", strconv.Itoa(MostValues))}
	}
	return n, nil
}

// ParseFloats reads a budget.
func ParseFloats(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e18) {
		return 0, &param.Error{Field: "floats", Got: text,
			Want: "a number of floats per client, at least 0; 0 means no limit"}
	}
	return v, nil
}

// Plan makes a plan from a draft.
func (d *Draft) Plan(parse func(query string) (experiment.Config, []experiment.Problem)) (*Plan, error) {
	base, problems := parse(d.Query)
	if err := experiment.Strict(problems); err != nil {
		return nil, err
	}
	return d.Around(base)
}

// Around makes a plan from a draft whose query has been parsed.
func (d *Draft) Around(base experiment.Config) (*Plan, error) {
	axes, err := ParseAxes(base, d.Vary)
	if err != nil {
		return nil, err
	}
	return New(base, axes, d.Seeds, d.Floats, d.Data)
}
