package scene

// TextWidth estimates how wide s is, in CSS pixels, when set in the page's
// system font. A chart cannot measure: it draws natively, in tests and for
// previews too. The widths are those of DejaVu Sans, the widest face that
// system-ui stands for in practice, so labels placed by them fit everywhere.
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

// wide is the first byte of the first characters that fill a square: Chinese
// ones and the marks between them.
const wide = 0xE3

// Wide reports whether a character that begins with c fills a square. A line may
// end before it, as at a space.
func Wide(c byte) bool { return c >= wide && c < 0xF0 }

// advance is the width of one byte of UTF-8 in ems. A character outside ASCII
// counts once, by its first byte.
func advance(c byte) float32 {
	switch {
	case c >= 0x80 && c < 0xC0:
		return 0 // continues a character
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
