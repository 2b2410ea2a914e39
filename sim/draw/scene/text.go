package scene

// TextWidth estimates the width of s in the page's system font, in CSS pixels. Charts are drawn
// without a browser, too, so they cannot measure. The widths are those of DejaVu Sans, the widest
// common system-ui font, so that labels fit with all of them.
func TextWidth[T string | []byte](s T, size float32, bold bool) float32 {
	em := float32(0)
	for i := 0; i < len(s); i++ {
		em += advance(s[i])
	}
	if bold {
		em *= 1.1
	}
	return em * size
}

// wide is the first byte of the first full-width characters: Chinese ones and their punctuation.
const wide = 0xE3

// Wide reports whether a character that begins with c is full-width. A line may break before it.
func Wide(c byte) bool { return c >= wide && c < 0xF0 }

// advance returns the width of one byte of UTF-8 in ems. A character outside ASCII counts once,
// by its first byte.
func advance(c byte) float32 {
	switch {
	case c >= 0x80 && c < 0xC0:
		return 0 // continuation byte: no width
	case c >= wide && c < 0xF0:
		return 1
	case c >= '0' && c <= '9':
		return 0.636
	case c == ' ' || c == '.' || c == ',' || c == ';':
		return 0.32
	case c == 'i' || c == 'l' || c == 'j' || c == 'I' || c == '\'' || c == ':' || c == '|':
		return 0.3
	case c == 'f' || c == 't' || c == 'r' || c == '(' || c == ')' || c == '-' || c == '/':
		return 0.4
	case c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%' || c == '@':
		return 0.97
	case c >= 'A' && c <= 'Z':
		return 0.7
	case c >= 0x80:
		return 0.8
	}
	return 0.61
}
