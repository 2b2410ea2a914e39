package verdict

import (
	"math"
	"strconv"

	"flockscope/sim/say"
)

// groupNames are the planted groups by the shapes of their clients on the page, see package scene.
var groupNames = [...]say.Message{"circles", "squares", "diamonds", "triangles", "upside-down triangles", "pluses", "stars",
	"hexagons", "crosses", "hourglasses", "right-hand triangles", "left-hand triangles", "bows", "bars", "pillars", "sparks"}

// GroupName names a group by the shape of its clients: circles, squares, diamonds …
func GroupName(g int) string {
	if g < len(groupNames) {
		return say.Text(groupNames[g])
	}
	return say.Textf("clients of group %d", g+1)
}

// groupList names several groups, or says how many there are.
func groupList(groups []int) string {
	if len(groups) > 4 {
		return say.Textf("%d groups", len(groups))
	}
	var names []string
	for _, g := range groups {
		names = append(names, GroupName(g))
	}
	return say.List(names)
}

var words = [...]say.Message{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
	"twelve"}

// word writes a small number in letters.
func word(n int) string {
	if n < len(words) {
		return say.Text(words[n])
	}
	return strconv.Itoa(n)
}

// Word is word at the beginning of a sentence.
func Word(n int) string { return capital(word(n)) }

// number writes a loss with three decimals, or three figures.
func number(v float64) string {
	if v == 0 || math.Abs(v) >= 0.01 && math.Abs(v) < 10 {
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return say.Figures(v, 3)
}

// percent writes a share.
func percent(v float64) string { return strconv.Itoa(int(math.Round(v*100))) + "%" }

// sentences joins sentences, without empty ones.
func sentences(all ...string) string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return say.Join(some, " ")
}
