package jobs

import (
	"slices"
	"strconv"
	"strings"
)

// SweepLink returns the value of the key sweep= of a link to the sweep on the sheet: the number of
// seeds, then for each setting its key, the first and the last value, and their number. It is "" if
// the values are not those that the sheet would choose between their ends.
func (b *Jobs) SweepLink() string {
	p := b.Sweep.Batch.Table.Plan
	parts := []string{strconv.Itoa(p.Seeds)}
	for _, x := range p.Axes {
		span := Span{x.Key, x.Values[0], x.Values[len(x.Values)-1], strconv.Itoa(len(x.Values))}
		f, ok := p.Base.Field(x.Key)
		if !ok {
			return ""
		}
		if values, err := span.values(f); err != nil || !slices.Equal(values, x.Values) {
			return ""
		}
		parts = append(parts, span.Key, span.From, span.To, span.Count)
	}
	return strings.Join(parts, ",")
}

// SweepLinkForm describes valid values of the key sweep=.
const SweepLinkForm = "a number of seeds, and for one or two settings the key, two values and their number, such as 10,dphi,0,45,10"

// ReadSweepLink fills the fields of the sheet from the value of the key sweep= and reports whether it
// is valid. A name of a setting that has no effect leaves its fields empty.
func (b *Jobs) ReadSweepLink(text string) bool {
	parts := strings.Split(text, ",")
	if n := len(parts); n != 5 && n != 9 || !isNumber(parts[0]) {
		return false
	}
	var spans [2]Span
	for i := 0; 4*i+1 < len(parts); i++ {
		p := parts[4*i+1 : 4*i+5]
		if p[0] == "" || !isNumber(p[1]) || !isNumber(p[2]) || !isNumber(p[3]) {
			return false
		}
		spans[i] = Span{p[0], p[1], p[2], p[3]}
	}
	b.Sweep.Seeds, b.Sweep.Spans = parts[0], spans
	return true
}

func isNumber(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v-v == 0
}
