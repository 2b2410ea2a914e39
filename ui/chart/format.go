package chart

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"flockscope/sim/draw/scene"
)

// letters are the names of the first models; those beyond the palette are numbers.
var letters = func() (out [64]string) {
	for k := range out {
		if out[k] = strconv.Itoa(k + 1); k < scene.Clusters {
			out[k] = string(rune('A' + k))
		}
	}
	return
}()

// Letter names the model in place k: A to L, then 13, 14 and so on.
func Letter(k int) string {
	if k >= 0 && k < len(letters) {
		return letters[k]
	}
	return strconv.Itoa(k + 1)
}

// Client returns the number of a client as the page shows it, from 1.
func Client(i int) string { return strconv.Itoa(i + 1) }

// Number writes v with two or three significant digits and the sign U+2212 for minus: 748 k, 1.70 M.
func Number(v float64) string { return string(AppendNumber(nil, v)) }

// AppendNumber appends what Number returns.
func AppendNumber(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(dst, "–"...)
	}
	if v < 0 {
		dst, v = append(dst, "−"...), -v
	}
	switch {
	case math.IsInf(v, 0):
		return append(dst, "∞"...)
	case v >= 999.5e6, v < 0.5e-5 && v > 0:
		return appendPower(dst, v)
	case v >= 999.5e3:
		return append(appendDecimals(dst, v/1e6), " M"...)
	case v >= 9999.5:
		return append(appendDecimals(dst, v/1e3), " k"...)
	}
	return appendDecimals(dst, v)
}

// appendPower appends a very large or small number with two digits and a power of ten:
// 3.2·10⁶ or 3.2·10⁻⁶.
func appendPower(dst []byte, v float64) []byte {
	text := strconv.FormatFloat(v, 'e', 1, 64)
	digits, power, _ := strings.Cut(text, "e")
	if digits = strings.TrimSuffix(digits, ".0"); digits != "1" {
		dst = append(append(dst, digits...), "·"...)
	}
	dst = append(dst, "10"...)
	if power[0] == '-' {
		dst = append(dst, "⁻"...)
	}
	for _, digit := range strings.TrimPrefix(power[1:], "0") {
		dst = utf8.AppendRune(dst, []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[digit-'0'])
	}
	return dst
}

func appendDecimals(dst []byte, v float64) []byte {
	n := 6
	switch {
	case v == math.Trunc(v) || v >= 99.95:
		n = 0
	case v >= 9.995:
		n = 1
	case v >= 0.9995:
		n = 2
	case v >= 0.00995:
		n = 3
	case v >= 0.000995:
		n = 4
	}
	return strconv.AppendFloat(dst, v, 'f', n, 64)
}

// AppendTick appends a number without trailing zeros: 0.2.
func AppendTick(dst []byte, v float64) []byte {
	from := len(dst)
	dst = AppendNumber(dst, v)
	if bytes.IndexByte(dst[from:], '.') >= 0 && dst[len(dst)-1] == '0' {
		dst = bytes.TrimRight(dst, "0")
		dst = bytes.TrimSuffix(dst, []byte{'.'})
	}
	return dst
}

// Fixed writes v with n decimals and the sign U+2212 for minus, for columns of scores.
func Fixed(v float64, n int) string { return string(AppendFixed(nil, v, n)) }

// AppendFixed appends what Fixed returns.
func AppendFixed(dst []byte, v float64, n int) []byte {
	if math.IsNaN(v) {
		return append(dst, "–"...)
	}
	if v < 0 && v > -0.5*math.Pow10(-n) {
		v = 0 // never −0.00
	}
	if v < 0 {
		dst, v = append(dst, "−"...), -v
	}
	return strconv.AppendFloat(dst, v, 'f', n, 64)
}

// DecimalsFor returns the number of decimals for a column of numbers, so that the smallest one
// shows two digits.
func DecimalsFor(least float64) int {
	n := 2
	for n < 6 && least < 0.0995 {
		least *= 10
		n++
	}
	return n
}

// Percent writes a share: 0.874 is "87%". Only 1 is "100%". Halves are rounded up, also if
// rounding errors of float32 have made them slightly smaller.
func Percent(share float64) string { return string(AppendPercent(nil, share)) }

// AppendPercent appends what Percent returns.
func AppendPercent(dst []byte, share float64) []byte {
	if math.IsNaN(share) {
		return append(dst, "–"...)
	}
	const trace = 1e-5
	p := int64(100*share + 0.5 + trace)
	if p == 100 && share < 1 {
		p = 99
	}
	return append(strconv.AppendInt(dst, p, 10), '%')
}
