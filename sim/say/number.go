package say

import (
	"math"
	"strconv"
	"strings"
)

// Number writes a number for people: its whole part in full, with spaces between
// thousands, and of its fraction as much as makes four digits in all. Only what is not
// zero and below 1e-6, or 1e15 and above, has an exponent: 1 000 081, 0.3, 0.00001,
// 1e300.
func Number(v float64) string { return Figures(v, 4) }

// Figures is [Number] with so many digits in all.
func Figures(v float64, digits int) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case !(size >= 1e-6 && size < 1e15): // also NaN and ±Inf
		text := strconv.FormatFloat(v, 'g', digits, 64)
		return strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(text)
	}
	text := strconv.FormatFloat(v, 'f', 0, 64)
	if size < math.Pow10(digits-1) { // there is room for a fraction
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction != "" {
		return spaced(whole) + "." + fraction
	}
	return spaced(whole)
}

// Whole is [Number] for a whole number, of which no digit is lost.
func Whole(n int) string { return spaced(strconv.Itoa(n)) }

// Amount is a number of things in English, as the command says it: "1 record", "0 records",
// "14 100 records". See [Count] for what the page says.
func Amount(n int, noun string) string { return Whole(n) + " " + Plural(n, noun) }

// Either returns the word that goes with a number of things: Either(n, "is", "are").
func Either(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// spaced puts spaces between the thousands of a whole number.
func spaced(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + " " + digits[at:]
	}
	return sign + digits
}
