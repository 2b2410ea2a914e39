package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
	"flockscope/sim/say"
	"flockscope/ui/chart/progress"
)

// choices are the page's own keys of a link that choose among a few words.
var choices = []struct {
	key   string
	words []string
}{
	{"view", Tabs},
	{"curve", metricKeys()},
	{"theme", Themes[1:]},
	{"speed", speedWords()},
	{"lesson", lessonNumbers()},
}

// linkDoubts says which of the page's own keys have values that make no sense. An
// empty value is as none.
func linkDoubts(values url.Values) (out []say.Message) {
	doubt := func(key string, want say.Message) { out = append(out, linkDoubt(key, values.Get(key), want)) }
	if v := values.Get("t"); v != "" {
		if _, err := strconv.Atoi(v); err != nil {
			doubt("t", "a whole number")
		}
	}
	if v := values.Get("sel"); v != "" && parseClients(v) == nil {
		doubt("sel", "clients such as 1,4-6")
	}
	if v := values.Get("map"); v != "" && v != flat {
		if _, ok := orbitOf(v); !ok {
			doubt("map", "3d, 3d with two angles such as 3d.30.20, or flat")
		}
	}
	if v := values.Get("lang"); v != "" && say.LanguageOf(v) == "" {
		doubt("lang", "en or zh, or a tag such as zh-CN")
	}
	for _, c := range choices {
		if v := values.Get(c.key); v != "" && !slices.Contains(c.words, v) {
			doubt(c.key, say.Messagef("one of %s", strings.Join(c.words, ", ")))
		}
	}
	return out
}

// linkDoubt says that the value of a key makes no sense, and what does.
func linkDoubt(key, value string, want say.Message) say.Message {
	return say.Messagef("%s is not valid here: expected %s", key+"="+Short(value), want)
}

// metricKeys are what curve= can say.
func metricKeys() (out []string) {
	for m := range progress.Metric(progress.Metrics) {
		out = append(out, m.Key())
	}
	return out
}

// speedWords are what speed= can say.
func speedWords() (out []string) {
	for _, v := range Speeds {
		out = append(out, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return out
}

// lessonNumbers are what lesson= can say.
func lessonNumbers() (out []string) {
	for n := 1; lesson.ByNumber(n) != nil; n++ {
		out = append(out, itoa(n))
	}
	return out
}
