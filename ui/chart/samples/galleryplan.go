package samples

import (
	"flockscope/sim/trace"
	"flockscope/ui/chart/layout"
)

// How the gallery arranges its rows.

// galleryGrid is a layout: columns of rows of images.
type galleryGrid struct {
	columns, each int     // each: images of a client, 0 for its mark alone
	tile          float32 // width and height of an image
	head          float32 // width of the mark before them
	radius        float32 // of the mark
	gap, groupGap float32 // between rows, and in addition between groups
	named         bool    // groups have names above them
}

const headingHeight = 17 // of a group's name

// imageFactor returns 1 if there are images, else 0.
func (s *galleryGrid) imageFactor() float32 { return float32(min(s.each, 1)) }

// The sizes of images: above wantTile they show no more, below leastTile nothing.
const (
	wantTile  = 32
	leastTile = 10
)

// plan returns the layout with the best score for large images, several of each client, and names
// of groups. It contains all clients.
func (g *Gallery) plan(p *trace.Gallery, plot layout.Area) galleryGrid {
	most := 0
	if p.HasImages() {
		most = p.Each
	}
	best, worth := galleryGrid{}, float32(-1)
	for each := 0; each <= most; each++ {
		for _, named := range [...]bool{true, false} {
			s := g.largestTiles(plot, each, named && len(g.from) > 1)
			value := min(s.tile, wantTile) * (2.2 - 1.2/float32(max(each, 1)))
			switch {
			case each == 0:
				value = 0.01 * s.tile // any image is better
			case s.tile < leastTile:
				value = -1
			}
			if s.named {
				value *= 1.5
			}
			if value > worth {
				best, worth = s, value
			}
		}
	}
	return best
}

// largestTiles returns the layout with the largest images, for each of them per client.
func (g *Gallery) largestTiles(plot layout.Area, each int, named bool) galleryGrid {
	best := galleryGrid{columns: 1, each: each, named: named}
	for columns := 1; columns <= len(g.clients); columns++ {
		s := galleryGrid{columns: columns, each: each, named: named, gap: 2, groupGap: 4}
		rows, groups := 0, 0
		for from, to := range g.groups {
			rows += (to - from + columns - 1) / columns
			groups++
		}
		rest := plot.Y1 - plot.Y0 - s.groupGap*float32(groups-1)
		if named {
			rest -= headingHeight * float32(groups)
		}
		tall := rest/float32(rows) - s.gap
		wide := (plot.X1 - plot.X0) / float32(columns)
		if each > 0 {
			s.radius = min(max(min(tall, wide)*0.22, 2), 5)
			s.head = 2*s.radius + 5
			wide = (wide - s.head - 5) / float32(each)
		}
		s.tile = layout.Floor(min(tall, wide, 2*wantTile))
		if each == 0 {
			s.tile = max(min(s.tile, 16), 1)
			s.radius = max(min(s.tile/2-1, 6), 0.5)
			s.head = s.tile
		}
		// Marks alone are close together: prefer more columns.
		if s.tile > best.tile || each == 0 && s.tile == best.tile {
			best = s
		}
		if columns > 1 && wide < best.tile && each > 0 {
			break // more columns are only narrower
		}
	}
	return best
}
