package say

import "strings"

// LanguageOf returns the language of the page for a BCP 47 tag, "en" or "zh", from its first part:
// en-GB, zh-CN, zh_CN and zh-Hans, in upper or lower case. It returns "" for other languages.
func LanguageOf(tag string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	if first == "en" || first == "zh" {
		return first
	}
	return ""
}
