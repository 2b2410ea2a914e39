package say

import "strings"

// LanguageOf returns the language of the page that a BCP 47 tag asks for, "en" or "zh", by
// its first part: en-GB, zh-CN, zh_CN and zh-Hans, in any case. It returns "" for others.
func LanguageOf(tag string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	if first == "en" || first == "zh" {
		return first
	}
	return ""
}
