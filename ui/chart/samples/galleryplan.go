package samples

import (
	"flockscope/sim/trace"
	"flockscope/ui/chart/layout"
)

// How the gallery uses its room.

// galleryGrid is a layout: rows of so many pictures, in so many columns.
type galleryGrid struct {
	columns, each int     // each: pictures of a client, 0 for its mark alone
	tile          float32 // width and height of a picture
	head          float32 // room for the mark before them
	radius        float32 // of the mark
	gap, groupGap float32 // between rows, and more between groups
	named         bool    // groups have their names above them
}

const headingHeight = 17 // of a group's name

// imageCount is 1 where there are pictures: a mark alone takes no room behind itself.
func (s *galleryGrid) imageCount() float32 { return float32(min(s.each, 1)) }

// The sizes of pictures: larger than want they say no more, below least nothing.
const (
	wantTile  = 32
	leastTile = 10
)

// plan returns the layout that shows most: large pictures, several of each
// client, names of groups. All clients have a place in it.
func (g *Gallery) plan(p *trace.Gallery, plot layout.Area) galleryGrid {
	most := 0
	if p.Holds() {
		most = p.Each
	}
	best, worth := galleryGrid{}, float32(-1)
	for each := 0; each <= most; each++ {
		for _, named := range [...]bool{true, false} {
			s := g.largestTiles(plot, each, named && len(g.from) > 1)
			value := min(s.tile, wantTile) * (2.2 - 1.2/float32(max(each, 1)))
			switch {
			case each == 0:
				value = 0.01 * s.tile // any picture is better
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

// largestTiles returns the layout with the largest tiles for so many pictures of each.
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
		// Marks alone stand close together: a group is then one row.
		if s.tile > best.tile || each == 0 && s.tile == best.tile {
			best = s
		}
		if columns > 1 && wide < best.tile && each > 0 {
			break // it only gets narrower
		}
	}
	return best
}
