package shell

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/lesson"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/files"
	"flockscope/ui/page"
)

// A reader notes what it reads that is not Chinese.
type reader struct {
	same   map[string]bool   // names, which stay as they are
	papers []string          // titles, which do so too
	left   map[string]string // by text, where it stands
}

// newReader has the page speak Chinese from now on.
func newReader(t *testing.T) *reader {
	chinese(t)
	schema := catalog.Schema()
	r := &reader{map[string]bool{}, nil, map[string]string{}}
	for _, name := range []string{"HTML", "Quarto", "Reveal.js", "MyST", "Moodle", "Canvas", "NMI", "SGD"} {
		r.same[name] = true
	}
	for _, m := range schema.Algorithms {
		r.same[m.Title] = true
		r.papers = append(r.papers, m.Paper.Title)
	}
	for i := range schema.Workloads {
		r.papers = append(r.papers, schema.Workloads[i].Paper.Title)
	}
	for _, l := range lesson.All() {
		r.papers = append(r.papers, l.Paper.Title)
	}
	t.Cleanup(func() {
		for text, where := range r.left {
			t.Errorf("%s says in English: %q; give it a line in assets/zh.txt, with a tab and the Chinese after it",
				where, text)
		}
	})
	return r
}

var (
	word     = regexp.MustCompile(`[A-Za-z]{3,}`)
	sentence = regexp.MustCompile(`[a-z]{2,} [a-z]{2,}`)
	digits   = regexp.MustCompile(`[0-9][0-9.,]*`)
	slot     = regexp.MustCompile(`\{\w*\}|\[[\w.]+(:\w+)?\]`)
)

// read notes a text that is English in Chinese: one without a Chinese letter that
// is more than names, or one with two English words side by side. Citations and
// what a link has are no English.
func (r *reader) read(where string, texts ...string) {
	for _, text := range texts {
		got := slot.ReplaceAllString(say.Text(strings.TrimSpace(text)), "")
		if strings.Contains(got, "=") || slices.ContainsFunc(r.papers, func(title string) bool {
			return strings.Contains(got, title)
		}) {
			continue
		}
		chinese := strings.ContainsFunc(got, func(r rune) bool { return r >= 0x4E00 && r < 0xA000 })
		if word.MatchString(got) && !chinese && !r.named(got) || sentence.MatchString(got) {
			r.left[text] = where
		}
	}
}

// named reports whether a text is nothing but names.
func (r *reader) named(text string) bool {
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",，;；:：、·", c) }) {
		part = digits.ReplaceAllString(part, "#")
		if part = strings.Trim(part, " #%"); !names.MatchString(part) && !r.same[part] {
			return false
		}
	}
	return true
}

// see reads the page: what stands on it, is heard or is shown on pointing.
func (r *reader) see(t *testing.T, where string, a *App) {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range a.Config.Lanes() {
		r.same[lane.Label] = true
	}
	root := &Root{App: a}
	results := env.RunBuild(root)
	each(results, root, func(n *vugu.VGNode) {
		switch {
		case n.Type == vugu.TextNode:
			r.read(where, n.Data)
		case n.InnerHTML != nil && !strings.Contains(*n.InnerHTML, "<math"):
			for _, part := range tag.Split(*n.InnerHTML, -1) {
				r.read(where, html.UnescapeString(part))
			}
		}
		for _, attr := range n.Attr {
			if TranslatedAttributes[attr.Key] {
				r.read(where, attr.Val)
			}
		}
	})
}

// each calls f with every node of what a component has built, but for what is
// copied as it is.
func each(results *vugu.BuildResults, component any, f func(n *vugu.VGNode)) {
	var walk func(n *vugu.VGNode)
	walk = func(n *vugu.VGNode) {
		if n.Component != nil {
			each(results, n.Component, f)
			return
		}
		copied := slices.ContainsFunc(n.Attr, func(a vugu.VGAttribute) bool {
			return a.Key == "class" && strings.Contains(a.Val, "code")
		})
		if copied || n.Data == "pre" || n.Data == "code" || n.Data == "textarea" || n.Data == "math" {
			return
		}
		f(n)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	for _, n := range results.ResultFor(component).Out {
		walk(n)
	}
}

// What settings, methods, lessons and the tour have to say is there in Chinese.
func TestChineseTexts(t *testing.T) {
	r := newReader(t)
	a, _ := ready(t, "")
	for _, m := range a.Schema.Finished().Algorithms {
		r.read(m.Title, m.Doc, m.By, m.Sends)
		for _, s := range m.Steps {
			r.read(m.Title, s.Says, s.Sends, s.Code)
		}
	}
	for _, m := range append(a.Schema.Finished().Algorithms, registry.Meta{Title: "a phase", Phases: a.Schema.Phases}) {
		for _, p := range m.Phases {
			r.read(m.Title, append(strings.Split(p.Client, "|"), p.Says, p.Sends)...)
		}
	}
	for _, s := range a.Schema.Steps {
		r.read("a step", s.Says, s.Sends, s.Code)
	}
	for i := range a.Schema.Workloads {
		r.read("a workload", a.Schema.Workloads[i].Title, a.Schema.Workloads[i].Doc)
	}
	for _, f := range a.Schema.Finished().Fields() {
		r.read("the setting "+f.Name, f.Label, f.Doc)
		for _, o := range f.Options {
			r.read("the option "+o.Name, o.Title, o.Doc)
		}
	}
	for _, l := range lesson.All() {
		r.read(l.Title, l.Title, l.Setup, l.Question, l.Explanation, l.Takeaway, l.Notes)
		r.read(l.Title, l.Options...)
		r.read(l.Title, l.Table.Head...)
		for _, s := range l.Steps {
			r.read(l.Title, s.Task, s.Result)
		}
	}
	for _, s := range page.TourStops {
		r.read("the tour", s.Title, s.Text, s.Try)
	}
	for _, k := range figures.Kinds() {
		r.read("the figure "+k.Name, k.Title, k.Hint)
	}
	for _, s := range files.Snippets {
		r.read("the builder", s.Title, s.Doc)
	}
}

// A walk through the page meets no English sentence, on any sheet and in any
// lesson.
func TestChineseWalk(t *testing.T) {
	for _, query := range []string{"algos=cflgp,ifca&t=14", "algos=local,fedavg,clove,fedem&data=mix1d&t=3&sel=2",
		"data=csv", "data=digits&algos=hcflplus,icfl,kfed&t=5"} {
		r := newReader(t)
		a, p := open(t, query)
		if strings.Contains(query, "t=") {
			p.Finish()
		}
		see := func(where string) { r.see(t, query+", "+where, a) }
		see("the page")
		a.Advanced, a.SettingsLane = true, 0
		see("all settings")
		for _, s := range page.Sheets {
			if s.Name != "teacher" {
				a.Do(page.OpenSheet{Name: s.Name})
				see("the sheet " + s.Name)
			}
		}
		for _, k := range figures.Kinds() {
			if k.Of == chart.NoTab || k.Name == "gallery" || k.Name == "data" && a.Pictures() {
				continue // they have none, or one of names that come with the data
			}
			for lane := range a.Config.Lanes() {
				a.Do(page.OpenTable{Kind: k.Name, Lane: lane})
				see("the numbers of the figure " + k.Name)
			}
		}
		for _, topic := range topics {
			a.Do(page.OpenTopic{Topic: topic})
			see(topic)
		}
		for i := range a.Config.Lanes() {
			a.Do(page.OpenTopic{Topic: a.Algorithm(i).Name})
			see(a.Title(i))
		}
		a.Do(page.CloseSheet{})
		for _, k := range figures.Kinds() {
			a.Do(page.ShowTab{Tab: k.Name})
			see("the figure " + k.Name)
			a.Do(page.OpenSheet{Name: "table"})
			see("the table of " + k.Name)
			a.Do(page.CloseSheet{})
		}
		a.Do(page.StartTour{})
		for i := range page.TourStops {
			a.Do(page.GoToTourStop{Stop: i})
			see("the tour")
		}
		a.Do(page.EndTour{})
	}
}

// Nor do the moments that come and go: a client in focus, a pinned run, a
// round from inside, a run under way, a refused value, no network.
func TestChineseMoments(t *testing.T) {
	r := newReader(t)
	a, p := ready(t, "algos=cflgp,ifca&t=3&T=20")
	a.Do(page.SelectClient{Client: 3})
	r.see(t, "a client", a)
	a.Do(page.SelectClients{Clients: []int{1, 2, 7}})
	r.see(t, "several clients", a)
	a.Do(page.SelectClient{Client: 3})
	for range 6 {
		a.Do(page.PressKey{Key: ".", Shift: false})
		if len(p.Questions) > 0 {
			r.see(t, "a phase on its way", a)
			p.Answer()
		}
		r.see(t, "a phase", a)
	}
	a.Do(page.PressKey{Key: "g", Shift: false})
	r.see(t, "a pinned run", a)
	a.Do(page.ChangeSetting{Key: "dphi", Text: "900", Done: true})
	r.see(t, "a refused value", a)
	a.Do(page.ChangeSetting{Key: "dphi", Text: "25", Done: true})
	r.see(t, "a run under way", a)
	p.Finish()
	a.Do(page.TogglePlay{})
	r.see(t, "playing", a)
	a.Do(page.EngineLost{Why: say.Messagef("The engine stopped: %s. Reload the page to start again.", say.Message("no answer"))})
	a.Do(page.OpenSheet{Name: "embed"})
	a.Export.Builder.Live = true
	r.see(t, "a preview", a)
	a.Do(page.OpenSheet{Name: "take"})
	a.Export.CopyText = "x"
	r.see(t, "a copy by hand", a)
}

// Every shape that a group can have is counted in Chinese.
func TestChineseShapes(t *testing.T) {
	chinese(t)
	for s := range scene.Shape(scene.Shapes) {
		for _, n := range []int{1, 4} {
			if got := say.Count(n, s.String()); strings.Contains(got, s.String()) {
				t.Errorf("%d of %s is %q in Chinese", n, s, got)
			}
		}
	}
}

// Nor does a lesson, from its question to its sheet on paper.
func TestChineseLessons(t *testing.T) {
	for _, l := range lesson.All() {
		r := newReader(t)
		a, p := ready(t, "")
		a.Do(page.BeginLesson{Number: l.Number})
		p.Finish()
		r.see(t, l.Title, a)
		a.Do(page.AnswerQuestion{Option: (l.Right + 1) % len(l.Options)})
		r.see(t, l.Title, a)
		a.Do(page.Seek{Round: a.Config.Values(-1).Int("T")})
		a.Player.Playing = false
		a.Lessons.HandlePause()
		a.Lessons.Progress.Mark(l.Number).Done = [2]bool{true, true}
		r.see(t, l.Title, a)
		a.Do(page.OpenSheet{Name: "teacher"})
		r.see(t, l.Title, a)
	}
}

// Nor does a figure write English, in whatever run.
func TestChineseLettering(t *testing.T) {
	for _, query := range []string{"algos=cflgp,ifca&t=3&T=30", "algos=local,fedavg,clove,fedem&data=mix1d&t=3",
		"algos=cflgp&t=0", "data=digits&algos=hcflplus,fedavg&t=5", "algos=ifca&K=2&t=5", "algos=ifca&K=3&t=5", "data=digits&algos=cflgp&split=classes&shift=corruptions&noise=pair&t=5&sel=3"} {
		r := newReader(t)
		a, p := open(t, query)
		p.Finish()
		for _, name := range a.Run.Header.DataPreview.Gallery.Classes {
			r.same[name] = true // they are the fixture's own
		}
		painter := page.NewPainter(a.State)
		for round := range 2 {
			a.Do(page.Seek{Round: round * 5})
			for _, k := range figures.Kinds() {
				if k.Of == chart.NoTab {
					continue
				}
				for lane := range a.Config.Lanes() {
					for _, box := range []chart.Box{{W: 640, H: 480}, {W: 388, H: 150}} {
						var page strings.Builder
						var hits chart.Hits
						painter.Draw(k.Name, lane, box, &hits)
						if err := scene.SVG(&page, painter.List(), scene.Light, box.W, box.H, "", ""); err != nil {
							t.Fatal(err)
						}
						for _, m := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(page.String(), -1) {
							r.read("the figure "+k.Name+" of "+query, html.UnescapeString(m[1]))
						}
					}
				}
			}
		}
	}
}

// Nor does a picture that is taken away: its title, caption, legend and axes.
func TestChinesePictures(t *testing.T) {
	for _, query := range []string{"algos=cflgp,ifca,fedem&t=3&T=30&dphi=8&ifca.K=4&sd=2",
		"data=digits&algos=hcflplus,fedavg&t=5", "data=digits&algos=cflgp&split=classes&shift=corruptions&t=5"} {
		r := newReader(t)
		a, p := open(t, query)
		p.Finish()
		for _, id := range a.Config.Lanes() {
			r.same[id.ID()] = true
		}
		for _, picture := range a.Export.Pictures() {
			facts := a.Export.Paper(picture)
			where := "the picture " + picture.Title + " of " + query
			r.read(where, "misplaced", say.Textf("model %s", "A"))
			for _, fact := range []string{"title", "heading", "caption"} {
				r.read(where, strings.FieldsFunc(facts[fact].(string), func(c rune) bool {
					return strings.ContainsRune("。；：，", c)
				})...)
			}
			groups, _ := facts["groups"].([]any)
			for _, name := range groups {
				r.read(where, name.(string))
			}
			if figure := page.NewPainter(a.State).Figure(picture.Kind, picture.Lane); figure != nil {
				v := a.View(picture.Lane)
				across, up := chart.AxisTitles(figure, &v)
				r.read(where, across, up)
				for m := range progress.Metrics {
					_, up = chart.AxisTitles(&progress.Curves{Metric: progress.Metric(m)}, &v)
					r.read(where, up)
				}
				for m := range sweep.Measures {
					_, up = chart.AxisTitles(&sweeps.Curves{View: sweeps.View{Measure: sweep.Measure(m)}}, &v)
					r.read(where, up)
				}
			}
		}
	}
}

// What groups have in common is said in Chinese, whatever plants them.
func TestChineseGroups(t *testing.T) {
	schema := catalog.Schema()
	r := newReader(t)
	said := 0
	for _, data := range []string{"digits", "garments", "both"} {
		for _, f := range schema.Fields() {
			if !slices.Contains([]string{"split", "shift", "concept"}, f.Name) {
				continue
			}
			for _, o := range f.Options {
				query := "data=" + data + "&n=600&C=20&" + f.Name + "=" + o.Name
				c, problems := schema.Parse(query)
				built, _, err := catalog.Build(c, nil)
				if len(problems) > 0 || err != nil {
					continue // garments know no writers
				}
				for _, name := range built.DataPreview(new(rng.Stream), 1).Gallery.Groups {
					if said++; word.MatchString(name.String()) && say.Text(name) == name.String() {
						r.left[name.String()] = query
					}
					r.read(query, say.Text(name))
				}
			}
		}
	}
	if said < 100 {
		t.Errorf("only %d groups have anything in common", said)
	}
}

// Texts with words and numbers that vary are Chinese, and so are notices from before the
// page spoke it: a link is read while the table is on its way.
func TestChineseSentences(t *testing.T) {
	a, p := open(t, "algos=cflgp,ifca&T=60&dphi=900&nonsense=1&lanes=9")
	newReader(t)
	p.Time = 1000
	p.Rounds(p.Last(), -1, 2)
	p.Time = 3000
	p.Rounds(p.Last(), 2, 12)
	_, progress := a.Runs.ProgressWords()
	p.Finish()
	a.Do(page.Seek{Round: 14})
	a.Do(page.ChangeSetting{Key: "K", Text: "20", Done: true})
	a.Files.OpenAddress("host.org/x.csv")
	said := func(n int) string { return say.Text(a.Notices[n].Text) }
	picture, _ := a.Export.Picture("map", 1)
	sweep, foot := SweepSheet{App: a}, EmbedFoot{App: a}
	a.Do(page.OpenSweep{})
	a.Do(page.EditSweepField{Field: "0.count", Text: "3"})
	for _, tt := range []struct{ got, want string }{
		{progress, "已算 12 轮，共 60 轮 · 每秒 6.0 轮 · 还需 8 秒"},
		{said(0), `dphi：得到 "900"，需要 0 到 80 的数。改用默认值。`},
		{said(1), "此链接有这里没有人读取的设置：nonsense。运行时不使用它们。"},
		{said(2), "lanes=9 在这里没有意义：应为 1 到 4。"},
		{said(3), "host.org/x.csv 不是文件地址；应以 https:// 开头。什么也没有改变。"},
		{a.Settings.Reason("K"), "需要：最多 C = 12（模型比客户端多）。"},
		{sweep.count(), "30 次运行，2 种方法"},
		{foot.who() + foot.line(), "CFL-GP：12 个都对，从第 3 轮起。服务器只比较这一轮的梯度。"},
		{a.Export.Paper(picture)["caption"].(string),
			"IFCA 的地图：近：相似 · 空心带竖线：放错 · 云：一个模型的客户端的分布 · 细线：最近几轮 · 虚线：模型之间的边界。第 14 轮，共 60 轮。数据：线性回归；数据种子：1；模型种子：1；算法种子：1。结果 FFAB-0F9D。"},
		{a.Player.RoundWords(), "第 14 轮，共 60 轮"},
		{a.DataHint(), "点：样本；黑色：客户端 1。虚线：真实直线。实线：CFL-GP 的模型。拖动圆环。"},
	} {
		if tt.got != tt.want {
			t.Errorf("it says %q, want %q", tt.got, tt.want)
		}
	}
}

// The foot of a frame is Chinese, too.
func TestChineseFoot(t *testing.T) {
	r := newReader(t)
	a, p := open(t, "t=14")
	p.Finish()
	foot := EmbedFoot{App: a}
	if got := foot.who(); got != "CFL-GP：" {
		t.Errorf("the lane of the foot is %q", got)
	}
	r.read("a frame", foot.line(), "Open full size")
}
