package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
	"flockscope/ui/jobs"
)

// The page's own keys of a link: the shown round and the view. They are separate from the
// experiment, whose text is a stable format.

// Tabs are the names of the figures that have a tab: the map first, since it is the main figure.
var Tabs = func() []string {
	names := []string{"map"}
	for _, k := range figures.Kinds() {
		if k.Of != chart.OfMap && k.Of != chart.NoTab && k.Name != "gallery" {
			names = append(names, k.Name)
		}
	}
	return names
}()

// readPage reads the page's keys of a link. Invalid values become notices, so that a link with
// errors still opens.
func (s *State) readPage(values url.Values) {
	for _, text := range linkErrors(values, len(s.Config.Lanes())) {
		s.Notify(say.Messagef("%s.", text))
	}
	s.applyViewKeys(values)
	if n, err := strconv.Atoi(values.Get("workers")); err == nil && n >= 1 && n <= mostWorkers {
		s.Workers = n
	}
	if v := values.Get("sweep"); v != "" && !s.Jobs.ReadSweepLink(v) {
		s.Notify(say.Messagef("%s.", linkError("sweep", v, jobs.SweepLinkForm)))
	} else {
		s.SweepLinked = v != ""
	}
	s.Embed = values.Get("embed") == "1"
	s.Player.ReducedMotion = values.Get("motion") == "none"
	s.NoAutoStop = values.Get("autostop") == "0"
	s.NoPreview = values.Get("scent") == "0"
	s.Lecture.On = values.Get("lecture") == "1"
	if s.Lecture.On && s.Round == 0 {
		s.Round = s.lectureRound()
	}
}

// applyViewKeys sets the round and the view from the keys of a link; missing keys change nothing.
func (s *State) applyViewKeys(values url.Values) {
	if t, err := strconv.Atoi(values.Get("t")); err == nil {
		s.Round = max(0, min(t, s.requestedRounds()))
	}
	if n, err := strconv.Atoi(values.Get("ph")); err == nil && n >= 1 && s.Round > 0 {
		s.Phases.At = min(n, int(registry.Phases))
	}
	if n, err := strconv.Atoi(values.Get("lane")); err == nil && n >= 1 && n <= len(s.Config.Lanes()) {
		s.Lane = n - 1
	}
	if clients := parseClients(values.Get("sel")); clients != nil {
		s.SetSelection(clients)
	}
	if v := values.Get("view"); slices.Contains(Tabs, v) {
		s.Tab = v
	}
	for m := range progress.Metric(progress.Metrics) {
		if m.Key() == values.Get("curve") {
			s.Metric, s.MetricChosen = m, true
		}
	}
	if v := say.LanguageOf(values.Get("lang")); v != "" {
		s.Lang = v
	}
	if v := values.Get("theme"); slices.Contains(Themes, v) {
		s.Theme = v
	}
	if v, err := strconv.ParseFloat(values.Get("speed"), 64); err == nil && slices.Contains(Speeds, v) {
		s.Speed = v
	}
	if values.Has("zoom") {
		s.Zoom = values.Get("zoom") == "1"
	}
	if values.Has("heat") {
		s.OwnScale = values.Get("heat") == "own"
	}
	if values.Has("map") {
		s.readMapView(values.Get("map"))
	}
}

// Query returns the query of the page's address: the link and the options of the frame.
func (s *State) Query() string {
	var b strings.Builder
	b.WriteString(s.Link())
	add := func(key, value string) { b.WriteString("&" + key + "=" + value) }
	if s.Embed {
		add("embed", "1")
	}
	s.Frame.Write(add)
	if s.Frame.KeepsMarks {
		add("marks", url.QueryEscape(s.Lessons.Progress.Encode()))
	}
	return b.String()
}

// Link returns the query of a link to what is on screen: the experiment in canonical form, then the
// round, and the view if it differs from the default.
func (s *State) Link() string { return s.link(s.Theme) }

// link does the same for a page with another theme.
func (s *State) link(theme string) string {
	var b strings.Builder
	b.WriteString(s.Config.String())
	add := func(key, value string) { b.WriteString("&" + key + "=" + value) }
	if s.Round > 0 || s.Lessons.Progress.Lesson == nil { // where a lesson begins
		add("t", itoa(s.Round))
	}
	if s.Phases.At > 0 && !s.Player.Playing {
		add("ph", itoa(s.Phases.At))
	}
	if s.Lecture.On {
		add("lecture", "1")
	}
	if s.Lane > 0 {
		add("lane", itoa(s.Lane+1))
	}
	if chosen := s.SelectedClients(); len(chosen) > 0 {
		add("sel", ClientsText(chosen))
	}
	if s.Tab != Tabs[0] {
		add("view", s.Tab)
	}
	if s.MetricChosen {
		add("curve", s.Metric.Key())
	}
	if theme != "" {
		add("theme", theme)
	}
	if s.Lang != "" {
		add("lang", s.Lang)
	}
	if s.Speed != 1 {
		add("speed", strconv.FormatFloat(s.Speed, 'f', -1, 64))
	}
	if s.Lessons.Progress.Lesson != nil {
		add("lesson", itoa(s.Lessons.Progress.Lesson.Number))
	}
	if s.Zoom {
		add("zoom", "1")
	}
	if s.OwnScale {
		add("heat", "own")
	}
	if s.Map3D {
		add("map", s.mapWord())
	}
	if s.NoAutoStop {
		add("autostop", "0")
	}
	if s.NoPreview {
		add("scent", "0")
	}
	return b.String()
}

func itoa(n int) string { return strconv.Itoa(n) }

// Themes are all themes, in the order of the theme button: the system's, dark, light, and light with
// bolder lines and larger text.
var Themes = []string{"", "dark", "light", Projector}

// Projector is the name of the theme for projectors.
const Projector = "projector"

// wordKeys are the page's own keys of a link that accept a few words.
var wordKeys = []struct {
	key   string
	words []string
}{
	{"view", Tabs},
	{"curve", metricKeys()},
	{"theme", Themes[1:]},
	{"speed", speedWords()},
	{"lesson", lessonNumbers()},
	{"zoom", onOff},
	{"heat", []string{"own", "common"}},
	{"lecture", onOff},
	{"autostop", onOff},
	{"scent", onOff},
	{"motion", []string{"none", "full"}},
}

var onOff = []string{"0", "1"}

const mostWorkers = 1024

// linkErrors returns messages about invalid values of the page's own keys. An empty value counts as
// missing.
func linkErrors(values url.Values, lanes int) (out []say.Message) {
	add := func(key string, want say.Message) { out = append(out, linkError(key, values.Get(key), want)) }
	if v := values.Get("t"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < 0 {
			add("t", "a whole number from 0")
		}
	}
	for _, c := range []struct {
		key  string
		most int
	}{{"lane", lanes}, {"workers", mostWorkers}} { // some old links have a letter for ph
		if v := values.Get(c.key); v != "" {
			if n, err := strconv.Atoi(v); err != nil || n < 1 || n > c.most {
				add(c.key, say.Messagef("a whole number from %s to %s", "1", itoa(c.most)))
			}
		}
	}
	if v := values.Get("sel"); v != "" && parseClients(v) == nil {
		add("sel", "clients such as 1,4-6")
	}
	if v := values.Get("map"); v != "" && v != flat {
		if _, ok := parseOrbit(v); !ok {
			add("map", "3d, 3d with two angles such as 3d.30.20, or flat")
		}
	}
	if v := values.Get("lang"); v != "" && say.LanguageOf(v) == "" {
		add("lang", "en or zh, or a tag such as zh-CN")
	}
	for _, c := range wordKeys {
		if v := values.Get(c.key); v != "" && !slices.Contains(c.words, v) {
			add(c.key, say.Messagef("one of %s", strings.Join(c.words, ", ")))
		}
	}
	return out
}

// linkError says that the value of a key is invalid, and what is valid.
func linkError(key, value string, want say.Message) say.Message {
	return say.Messagef("%s is not valid here: expected %s", key+"="+Truncate(value), want)
}

// metricKeys are the values of curve=.
func metricKeys() (out []string) {
	for m := range progress.Metric(progress.Metrics) {
		out = append(out, m.Key())
	}
	return out
}

// speedWords are the values of speed=.
func speedWords() (out []string) {
	for _, v := range Speeds {
		out = append(out, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return out
}

// lessonNumbers are the values of lesson=.
func lessonNumbers() (out []string) {
	for n := 1; lesson.ByNumber(n) != nil; n++ {
		out = append(out, itoa(n))
	}
	return out
}
