package page

// Short cuts a text from a link for a sentence about it.
func Short(text string) string {
	if letters := []rune(text); len(letters) > 40 {
		return string(letters[:40]) + "…"
	}
	return text
}
