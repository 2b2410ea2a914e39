package say_test

import (
	"os"
	"regexp"
	"strings"
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

// The scripts that speak before the page does read tags in the same way.
func TestLanguageOfScripts(t *testing.T) {
	pattern := regexp.MustCompile(`tag\?\.match\(/(.*?)/i\)\?\.\[1\]`)
	for _, name := range []string{"boot.js", "first.js"} {
		script, err := os.ReadFile("../../assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := pattern.FindSubmatch(script)
		if found == nil {
			t.Fatalf("%s reads no tag", name)
		}
		read := regexp.MustCompile("(?i)" + string(found[1]))
		for _, tag := range []string{"", "en", "zh", "ZH", "en-GB", "zh-CN", "zh_CN", "zh-Hans-CN", "zh_Hant", "zhx", "eng", "e", "z", "de",
			"de-zh", "zh1", "zh.UTF-8", "zh CN", "-zh", "en-", "zh_", "zho"} {
			got := ""
			if m := read.FindStringSubmatch(tag); m != nil {
				got = strings.ToLower(m[1])
			}
			if want := say.LanguageOf(tag); got != want {
				t.Errorf("%s takes %q for %q, the page for %q", name, tag, got, want)
			}
		}
	}
}
