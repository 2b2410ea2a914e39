package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
)

// The page's own keys of a link: which moment is looked at, and how. They are
// kept apart from the experiment, whose text is the contract.

// Tabs are the names of the figures that have one: the map first, since it is
// what one comes for.
var Tabs = func() []string {
	names := []string{"map"}
	for _, k := range figures.Kinds() {
		if k.Of != chart.OfMap && k.Of != chart.Apart && k.Name != "gallery" {
			names = append(names, k.Name)
		}
	}
	return names
}()

// readPage takes the page's keys of a link. What makes no sense is passed over
// and said: a link from elsewhere should open.
func (a *State) readPage(values url.Values) {
	for _, text := range linkDoubts(values) {
		a.Notify(say.Messagef("%s.", text))
	}
	a.look(values)
	if n, err := strconv.Atoi(values.Get("workers")); err == nil && n >= 1 {
		a.Workers = n
	}
	a.Embed = values.Get("embed") == "1"
	a.Player.Still = values.Get("motion") == "none"
	a.NoAutoStop = values.Get("autostop") == "0"
	a.NoPreview = values.Get("scent") == "0"
}

// look goes to the moment and the view that the keys of a link name; those that
// it does not name stay.
func (a *State) look(values url.Values) {
	if t, err := strconv.Atoi(values.Get("t")); err == nil {
		a.Round = max(0, min(t, a.length()))
	}
	if n, err := strconv.Atoi(values.Get("ph")); err == nil && n >= 1 && a.Round > 0 {
		a.Phases.At = min(n, Last)
	}
	if n, err := strconv.Atoi(values.Get("lane")); err == nil && n >= 1 && n <= len(a.Config.Lanes()) {
		a.Lane = n - 1
	}
	if clients := parseClients(values.Get("sel")); clients != nil {
		a.Keep(clients)
	}
	if v := values.Get("view"); slices.Contains(Tabs, v) {
		a.Tab = v
	}
	for m := range progress.Metric(progress.Metrics) {
		if m.Key() == values.Get("curve") {
			a.Metric, a.Picked = m, true
		}
	}
	if v := say.LanguageOf(values.Get("lang")); v != "" {
		a.Lang = v
	}
	if v := values.Get("theme"); slices.Contains(Themes, v) {
		a.Theme = v
	}
	if v, err := strconv.ParseFloat(values.Get("speed"), 64); err == nil && slices.Contains(Speeds, v) {
		a.Speed = v
	}
	if values.Has("zoom") {
		a.Zoom = values.Get("zoom") == "1"
	}
	if values.Has("heat") {
		a.OwnScale = values.Get("heat") == "own"
	}
	if values.Has("map") {
		a.readMapView(values.Get("map"))
	}
}

// Query is the text behind the "?" of the page's address: the link, and how the
// page is embedded.
func (a *State) Query() string {
	var b strings.Builder
	b.WriteString(a.Link())
	put := func(key, value string) { b.WriteString("&" + key + "=" + value) }
	if a.Embed {
		put("embed", "1")
	}
	a.Frame.Write(put)
	return b.String()
}

// Link is the text behind the "?" of a link to what is on screen: the experiment
// in canonical form, then the moment and the view where they are not the usual
// ones.
func (a *State) Link() string { return a.link(a.Theme) }

// link is the same for a page with another theme.
func (a *State) link(theme string) string {
	var b strings.Builder
	b.WriteString(a.Config.String())
	put := func(key, value string) { b.WriteString("&" + key + "=" + value) }
	if a.Round > 0 {
		put("t", itoa(a.Round))
	}
	if a.Phases.At > 0 && !a.Player.Playing {
		put("ph", itoa(a.Phases.At))
	}
	if a.Lane > 0 {
		put("lane", itoa(a.Lane+1))
	}
	if chosen := a.Chosen(); len(chosen) > 0 {
		put("sel", ClientsText(chosen))
	}
	if a.Tab != Tabs[0] {
		put("view", a.Tab)
	}
	if a.Picked {
		put("curve", a.Metric.Key())
	}
	if theme != "" {
		put("theme", theme)
	}
	if a.Lang != "" {
		put("lang", a.Lang)
	}
	if a.Speed != 1 {
		put("speed", strconv.FormatFloat(a.Speed, 'f', -1, 64))
	}
	if a.Lessons.Course.At != nil {
		put("lesson", itoa(a.Lessons.Course.At.Number))
	}
	if a.Zoom {
		put("zoom", "1")
	}
	if a.OwnScale {
		put("heat", "own")
	}
	if a.Map3D {
		put("map", a.mapWord())
	}
	if a.NoAutoStop {
		put("autostop", "0")
	}
	if a.NoPreview {
		put("scent", "0")
	}
	return b.String()
}

func itoa(n int) string { return strconv.Itoa(n) }

// Themes are all there are, in the order in which the button goes round: as
// the system says, dark, light, and light with bolder lines and everything larger.
var Themes = []string{"", "dark", "light", Projector}

const Projector = "projector"

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
