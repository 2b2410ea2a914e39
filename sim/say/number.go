package say

import (
	"math"
	"strconv"
	"strings"
)

// Number formats a number for people: all digits of its integer part, with spaces between
// thousands, and of its fraction as many as make four digits in all. Nonzero numbers below 1e-6 and
// numbers from 1e15 on have an exponent: 1 000 081, 0.3, 0.00001, 1e300.
func Number(v float64) string { return Figures(v, 4) }

// Figures is [Number] with another number of digits.
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
	if size < math.Pow10(digits-1) { // digits remain for a fraction
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction != "" {
		return spaced(whole) + "." + fraction
	}
	return spaced(whole)
}

// Whole is [Number] for an integer, with all digits.
func Whole(n int) string { return spaced(strconv.Itoa(n)) }

// Amount returns a number with a noun in English, for the command: "1 record", "0 records", "14 100
// records". The page uses [Count].
func Amount(n int, noun string) string { return Whole(n) + " " + Plural(n, noun) }

// Either returns the word for a singular or a plural: Either(n, "is", "are").
func Either(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// spaced inserts spaces between the thousands of an integer.
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
