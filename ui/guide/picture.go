package guide

import (
	"fmt"
	"strings"

	"flockscope/sim/registry"
)

// The measures of a picture, in its own units.
const (
	clients, groups   = 6, 3
	clientX, modelX   = 40, 250
	firstY, stepY     = 34, 17
	pictureW, marksAt = 300, 14
)

// marks are the shapes of the planted groups, around the origin.
var marks = [groups]string{
	`<circle r="6"`, `<path d="M-5.5-5.5h11v11h-11z"`, `<path d="M0-7.5 7.5 0 0 7.5-7.5 0z"`,
}

// Picture draws which clients use which models of a method, as SVG: clients on the left,
// with the shape of their group and the colour of their model, and on the right what the
// server has. A line joins a client and a model that it uses, the thicker the more.
func Picture(m *registry.Meta) string {
	var lines, points strings.Builder
	y := func(i int) int { return firstY + i*stepY }
	mark := func(to *strings.Builder, shape, class string, x, y int) {
		fmt.Fprintf(to, `<g transform="translate(%d %d)">%s class="%s"/></g>`, x, y, shape, class)
	}
	line := func(class string, x, from, to, width int) {
		fmt.Fprintf(&lines, `<path class="%s" stroke-width="%d" d="M%d %dL%d %d"/>`, class, width, x, from, modelX, to)
	}
	model := func(x, y int, name, class string) {
		mark(&points, `<rect x="-9" y="-9" width="18" height="18" rx="4"`, class, x, y)
		if name != "" {
			fmt.Fprintf(&points, `<text class="name" x="%d" y="%d">%s</text>`, x, y+4, name)
		}
	}
	class := func(k int) string { return "model-" + string(rune('a'+k)) }
	middle := y(0) + (clients-1)*stepY/2
	server := "models on the server"
	for i := range clients {
		group := i * groups / clients
		own := group
		switch m.Family {
		case registry.OneModel:
			own = 0
			line(class(0), clientX, y(i), middle, 2)
		case registry.SoftClusters:
			for k := range groups {
				line(class(k), clientX, y(i), y(2*k)+stepY/2, 1+3*(1-min(1, (k-group)*(k-group))))
			}
		case registry.PersonalModels:
			if m.Counts != "" {
				line("shared", clientX+26, y(i), middle, 1)
			}
			mark(&points, `<rect x="-5.5" y="-5.5" width="11" height="11" rx="3"`, "own", clientX+26, y(i))
		default:
			line(class(group), clientX, y(i), y(2*group)+stepY/2, 2)
		}
		colour := class(own)
		if m.Family == registry.PersonalModels {
			colour = "own"
		}
		mark(&points, marks[group], colour, clientX, y(i))
	}
	switch {
	case m.Family == registry.OneModel:
		model(modelX, middle, "A", class(0))
	case m.Family != registry.PersonalModels:
		for k := range groups {
			model(modelX, y(2*k)+stepY/2, string(rune('A'+k)), class(k))
		}
	case m.Counts != "":
		server = "shared on the server"
		model(modelX, middle, "", "shared")
	default:
		server = ""
	}
	left := "clients"
	if m.Family == registry.PersonalModels {
		left = "clients and their models"
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %d %d" aria-hidden="true">%s%s<text x="8" y="%d">%s</text><text x="%d" y="%[5]d" text-anchor="end">%[8]s</text></svg>`,
		pictureW, y(clients-1)+14, lines.String(), points.String(), marksAt, left, pictureW-8, server)
}
