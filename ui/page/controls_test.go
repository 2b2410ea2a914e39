package page

import (
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/param"
)

// outline formats a list of settings as the panel shows it.
func outline(nodes []Node) string {
	var lines []string
	for _, n := range nodes {
		line := strings.Repeat("-", n.Depth) + n.Field.Name
		if n.Of != "" {
			line += fmt.Sprintf("(%s)", n.Of)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}

func TestNesting(t *testing.T) {
	field := func(name string, options ...param.Option) *param.Field {
		return &param.Field{Name: name, Kind: param.Choice, Options: options}
	}
	leaf := param.Field{Name: "leaf"}
	twig := param.Field{Name: "twig", Kind: param.Choice,
		Options: []param.Option{{Name: "x", Fields: []param.Field{leaf}}}}
	tree := field("tree", param.Option{Name: "a", Fields: []param.Field{twig, {Name: "both"}}}, param.Option{Name: "b"})
	bush := field("bush", param.Option{Name: "a", Fields: []param.Field{{Name: "both"}}})
	value := func(name string) string { return map[string]string{"tree": "a", "twig": "x", "bush": "a"}[name] }
	got := Nest([]*param.Field{tree, &twig, &leaf, {Name: "both"}, bush, {Name: "both"}, {Name: "stone"}}, value)
	if want := "tree -twig --leaf -both bush stone"; outline(got) != want {
		t.Errorf("nest = %q, want %q", outline(got), want)
	}
}
