package say_test

import (
	"testing"

	"flockscope/sim/say"
)

func TestLanguageOf(t *testing.T) {
	for tag, want := range map[string]string{"en": "en", "EN": "en", "en-GB": "en", "en_us": "en", "zh": "zh",
		"zh-CN": "zh", "zh_CN": "zh", "zh-Hans": "zh", "zh-Hans-CN": "zh", "ZH-tw": "zh",
		"": "", "de": "", "english": "", "zhx": "", "-zh": "", "e": ""} {
		if got := say.LanguageOf(tag); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", tag, got, want)
		}
	}
}
