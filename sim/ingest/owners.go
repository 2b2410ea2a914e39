package ingest

import (
	"slices"
	"strings"

	"flockscope/sim/say"
)

// Columns that name clients but are not in clientNames.

// Names of data holders; of places, which are more often features; and of things that have an identifier but hold no
// rows.
const (
	ownerNames = " partition cid clinic bank party client user subject participant site hospital device node worker " +
		"writer person silo institution institute center centre shop store station domain owner holder household patient " +
		"customer account tenant organization organisation org company agency branch school university lab ward provider " +
		"factory shard phone sensor machine vehicle driver operator agent peer author speaker annotator uid pid sid "
	placeNames = " region area zone district county province country city town department market location source cohort " +
		"batch plant farm building room "
	// These may be properties, such as the first or second owner of a car.
	propertyNames = " owner holder household account phone driver customer company machine vehicle "
	thingNames    = " row sample record image img text document doc type kind color colour gender sex fold split category code "
)

// among reports whether a list has a word between spaces.
func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// evidence reports whether the values of a column may be clients: few values with many rows each,
// and values in blocks of consecutive rows.
func (c *Column) evidence(rows int) (few, blocks bool) {
	n := rows - c.Missing
	if c.Type != Whole && c.Type != Category && c.Type != Texts || c.Distinct < 2 {
		return false, false
	}
	return c.Distinct <= maxClasses && n >= 4*c.Distinct, n >= 4*c.runs
}

// stem is a name without the ending of an identifier, and whether it had one.
func (c *Column) stem() (stem string, id bool) {
	if n := len(c.Name) - 2; n > 0 && c.Name[n-1]-'a' < 26 && c.Name[n] == 'I' && c.Name[n+1]|0x20 == 'd' {
		return slug(c.Name[:n]), true // as in clinicId
	}
	stem = c.slug
	for _, end := range [...]string{"_id", "_no", "_nr", "_num", "_number", "_index", "_idx", "_name", "_code", "id"} {
		if short, ok := strings.CutSuffix(stem, end); ok && short != "" {
			return short, end == "_id"
		}
	}
	return stem, false
}

// owner ranks how much a column looks like the clients: 0 not at all, 1 an identifier, 2 a place, 3 a data holder.
// likely reports whether to use it.
func (t *Table) owner(j int) (rank int, likely bool) {
	c := &t.Columns[j]
	few, blocks := c.evidence(t.Rows)
	stem, id := c.stem()
	named := func(list string) bool {
		return among(list, c.slug) || among(list, stem) || among(list, strings.TrimSuffix(c.slug, "s"))
	}
	switch {
	case !few && !blocks || j == t.testColumn || c.rank(ignoreNames) >= 0 || among(partNames, c.slug):
		return 0, false
	case among(propertyNames, c.slug):
		return 2, blocks
	case named(ownerNames):
		return 3, true
	case named(placeNames):
		return 2, blocks
	case id && !slices.Contains(targetNames, stem) && !among(thingNames, stem):
		return 1, blocks || t.Rows >= 10*c.Distinct
	}
	return 0, false
}

// likelyOwner returns the column with the highest rank, if it is at least low, or −1. On ties, columns with blocks of
// rows come first.
func (t *Table) likelyOwner(low int, may func(j int) bool) int {
	best, most := -1, 0
	for j := range t.Columns {
		rank, likely := t.owner(j)
		if _, blocks := t.Columns[j].evidence(t.Rows); blocks {
			rank = 2*rank + 1
		} else {
			rank *= 2
		}
		if likely && rank >= 2*low && rank > most && may(j) {
			best, most = j, rank
		}
	}
	return best
}

// maybeClient reports whether a feature could be the client, if the user has chosen no roles.
func (t *Table) maybeClient(roles []Chosen, j int) bool {
	rank, _ := t.owner(j)
	return rank > 0 && roles[j].Role == Feature && roles[j].Why != byChoice &&
		!slices.Contains(roles, Chosen{Client, byChoice})
}

const (
	byChoice  say.Message = "chosen"
	byName    say.Message = "by its name"
	inBlocks  say.Message = "by its name; its rows are consecutive"
	fewValues say.Message = "by its name; few values, with many rows each"
)
