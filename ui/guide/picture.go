package guide

import (
	"fmt"

	"flockscope/sim/registry"
)

// The measures of a picture.
const (
	clients, groups       = 6, 3
	clientX, ownX, modelX = 40, 66, 250
)

// shapes are those of the planted groups, around the origin.
var shapes = [groups]string{
	`<circle r="6"`, `<path d="M-5.5-5.5h11v11h-11z"`, `<path d="M0-7.5 7.5 0 0 7.5-7.5 0z"`,
}

var classes = [groups]string{"model-a", "model-b", "model-c"}

// Picture draws which clients use which models of a method, as SVG: clients on the left,
// with the shape of their group and the colour of their model, and the server's models on
// the right. A line joins a client and a model that it uses; its width is the weight.
func Picture(m *registry.Meta) string {
	models, left, right, at := 3, "clients", "models on the server", clientX
	switch {
	case m.Family == registry.OneModel:
		models = 1
	case m.Family != registry.PersonalModels:
	case m.Counts == "": // nothing is averaged
		models, left, right = 0, "clients and their models", ""
	default:
		models, left, right, at = 1, "clients and their models", "shared on the server", ownX
	}
	var lines, points string
	for i := range clients {
		group := i * groups / clients
		class := "own"
		if m.Family != registry.PersonalModels {
			class = classes[group*models/groups]
		} else {
			points += mark(`<rect x="-5.5" y="-5.5" width="11" height="11" rx="3"`, class, ownX, y(i))
		}
		points += mark(shapes[group], class, clientX, y(i))
		for k := range models {
			width := 2
			if models == groups && k != group {
				width = 0
			}
			if m.Family == registry.SoftClusters {
				width = 1 + 3*width/2
			}
			if width > 0 {
				lines += fmt.Sprintf(`<path class="%s" stroke-width="%d" d="M%d %dL%d %d"/>`, modelClass(m, k), width,
					at, y(i), modelX, modelY(k, models))
			}
		}
	}
	for k := range models {
		points += mark(`<rect x="-9" y="-9" width="18" height="18" rx="4"`, modelClass(m, k), modelX, modelY(k, models))
		if m.Family != registry.PersonalModels {
			points += fmt.Sprintf(`<text class="name" x="%d" y="%d">%c</text>`, modelX, modelY(k, models)+4, 'A'+k)
		}
	}
	return fmt.Sprintf(`<svg viewBox="0 0 300 140" aria-hidden="true">%s%s<text x="8" y="14">%s</text><text x="292" y="14" text-anchor="end">%s</text></svg>`,
		lines, points, left, right)
}

// mark draws a shape around a point.
func mark(shape, class string, x, y int) string {
	return fmt.Sprintf(`<g transform="translate(%d %d)">%s class="%s"/></g>`, x, y, shape, class)
}

// modelClass returns the CSS class of a model's colour. A model that clients with models
// of their own share has none.
func modelClass(m *registry.Meta, k int) string {
	if m.Family == registry.PersonalModels {
		return "shared"
	}
	return classes[k]
}

// y is the height of a client.
func y(client int) int { return 34 + 18*client }

// modelY is the height of the k-th of one or three models.
func modelY(k, models int) int { return 34 + 90*(2*k+1)/(2*models) }
