package shell

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/catalog"
	"flockscope/sim/english"
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/rng"
	"flockscope/sim/sweep"
	"flockscope/ui"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/sweeps"
	"flockscope/ui/export"
	"flockscope/ui/i18n"
	"flockscope/ui/lessons"
	"flockscope/ui/scene"
	"flockscope/ui/vdom"
)

// A reader notes what it reads that is not Chinese.
type reader struct {
	*i18n.Locale
	same   map[string]bool   // names, which stay as they are
	papers []string          // titles, which do so too
	left   map[string]string // by text, where it stands
}

func newReader(t *testing.T, schema *experiment.Schema) *reader {
	_, l := chinese(t)
	r := &reader{l, map[string]bool{}, nil, map[string]string{}}
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
	slot     = regexp.MustCompile(`\{\w*\}|\[\w+:\w+\]|\[\w+\]`)
)

// read notes a text that is English in Chinese: one without a Chinese letter that
// is more than names, or one with two English words side by side. Citations and
// what a link has are no English.
func (r *reader) read(where string, texts ...string) {
	for _, text := range texts {
		got := slot.ReplaceAllString(r.Text(strings.TrimSpace(text)), "")
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
		part, _ = i18n.NumbersOut(part)
		if part = strings.Trim(part, " #%"); !names.MatchString(part) && !r.same[part] {
			return false
		}
	}
	return true
}

// see reads the page: what stands on it, is heard or is shown on pointing.
func (r *reader) see(t *testing.T, where string, a *ui.App) {
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
				r.read(where, i18n.Plain.Replace(part))
			}
		}
		for _, attr := range n.Attr {
			if vdom.Spoken[attr.Key] {
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
	a, _ := ready(t, "")
	r := newReader(t, a.Schema)
	for _, m := range a.Schema.Algorithms {
		r.read(m.Title, m.Doc, m.By, m.Sends)
		for _, s := range m.Steps {
			r.read(m.Title, s.Says, s.Sends, s.Code)
		}
	}
	for _, s := range a.Schema.Steps {
		r.read("a step", s.Says, s.Sends, s.Code)
	}
	for i := range a.Schema.Workloads {
		r.read("a workload", a.Schema.Workloads[i].Title, a.Schema.Workloads[i].Doc)
	}
	for _, f := range a.Schema.Fields() {
		r.read("the setting "+f.Name, f.Label, f.Doc)
		for _, o := range f.Options {
			r.read("the option "+o.Name, o.Title, o.Doc)
		}
	}
	for _, l := range lesson.All() {
		r.read(l.Title, l.Title, l.Scene, l.Question, l.See, l.Keep, l.Notes)
		r.read(l.Title, l.Options...)
		r.read(l.Title, l.Table.Head...)
		for _, s := range l.Steps {
			r.read(l.Title, s.Do, s.Then)
		}
	}
	for _, s := range lessons.Stops {
		r.read("the tour", s.Title, s.Text, s.Try)
	}
	for _, k := range figures.Kinds() {
		r.read("the figure "+k.Name, k.Title, k.Hint)
	}
	for _, s := range export.Snippets {
		r.read("the builder", s.Title, s.Doc)
	}
}

// A walk through the page meets no English sentence, on any sheet and in any
// lesson.
func TestChineseWalk(t *testing.T) {
	for _, query := range []string{"algos=cflgp,ifca&t=14", "algos=local,fedavg,clove,fedem&data=mix1d&t=3&sel=2",
		"data=csv", "data=digits&algos=hcflplus,icfl,kfed&t=5"} {
		a, p := open(t, query)
		if strings.Contains(query, "t=") {
			p.Finish()
		}
		r := newReader(t, a.Schema)
		a.Locale = r.Locale
		see := func(where string) { r.see(t, query+", "+where, a) }
		see("the page")
		a.Advanced, a.Tuning = true, 0
		see("all settings")
		for _, s := range ui.Sheets {
			if s.Name != "teacher" {
				a.OpenSheet(s.Name)
				see("the sheet " + s.Name)
			}
		}
		for _, k := range figures.Kinds() {
			if k.Of == chart.Apart || k.Name == "gallery" || k.Name == "data" && a.Pictures() {
				continue // they have none, or one of names that come with the data
			}
			for lane := range a.Config.Lanes() {
				a.OpenTable(k.Name, lane)
				see("the numbers of the figure " + k.Name)
			}
		}
		for _, topic := range topics {
			a.Explain(topic)
			see(topic)
		}
		for i := range a.Config.Lanes() {
			a.Explain(a.Algorithm(i).Name)
			see(a.Title(i))
		}
		a.CloseSheet()
		for _, k := range figures.Kinds() {
			a.ShowTab(k.Name)
			see("the figure " + k.Name)
			a.OpenSheet("table")
			see("the table of " + k.Name)
			a.CloseSheet()
		}
		a.Lessons.StartTour()
		for i := range lessons.Stops {
			a.Lessons.TourTo(i)
			see("the tour")
		}
		a.Lessons.EndTour()
	}
}

// Nor do the moments that come and go: a client in focus, a pinned run, a
// round from inside, a run under way, a refused value, no network.
func TestChineseMoments(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=3&T=20")
	r := newReader(t, a.Schema)
	a.Locale = r.Locale
	a.Select(3)
	r.see(t, "a client", a)
	a.Choose([]int{1, 2, 7})
	r.see(t, "several clients", a)
	a.Select(3)
	for range 6 {
		a.Key(".", false)
		if len(p.Questions) > 0 {
			r.see(t, "a phase on its way", a)
			p.Answer()
		}
		r.see(t, "a phase", a)
	}
	a.Key("g", false)
	r.see(t, "a pinned run", a)
	a.Settings.Set("dphi", "900", true)
	r.see(t, "a refused value", a)
	a.Settings.Set("dphi", "25", true)
	r.see(t, "a run under way", a)
	p.Finish()
	a.Player.Play(0)
	r.see(t, "playing", a)
	a.Runs.Fail("The engine stopped: no answer. Reload the page to start again.")
	a.OpenSheet("embed")
	a.Export.Builder.Live = true
	r.see(t, "a preview", a)
	a.OpenSheet("take")
	a.Export.ByHand = "x"
	r.see(t, "a copy by hand", a)
}

// Sentences that vary in their middle come out whole.
func TestChineseSentences(t *testing.T) {
	_, l := chinese(t)
	tests := []struct{ english, chinese string }{
		{"12 of 60 computed · 7 of 64 clients · 4.0 rounds/s · 12 s left", "已算 12 轮，共 60 轮 · 已完成 7 个，共 64 个客户端 · 每秒 4.0 轮 · 还需 12 秒"},
		{"1 of 60 computed · 0.5 rounds a minute · 1.5 h left", "已算 1 轮，共 60 轮 · 每分钟 0.5 轮 · 还需 1.5 小时"},
		{"computing 5%", "正在计算 5%"},
		{"stopped before the first round", "在第一轮之前停止"},
		{`K: got "4", want at most C = 3 (more models than clients). C=3 is ignored.`, `K：得到 "4"，需要 最多 C = 3（模型比客户端多）。已忽略 C=3。`},
		{`K: got "20", want at most C = 5 (more models than clients). The default is used instead.`, `K：得到 "20"，需要 最多 C = 5（模型比客户端多）。改用默认值。`},
		{"Client 2, 0°, sees noise 3 and trains on 7 samples and calls its pictures dog and owl.", "客户端 2，0°，看到的是 noise 3，用 7 个样本训练，把图片称为 dog and owl。"},
		{"2 of 16 clients are in the wrong place. No client has model C or D. The models were right 73% of the time when last evaluated.",
			"放错 2 个，共 16 个客户端。没有客户端得到模型 C 或 D。上次试用时，模型有 73% 的时候正确。"},
		{"No client has model D. The models are right 9% of the time.", "没有客户端得到模型 D。模型有 9% 的时候正确。"},
		{"CFL-GP: model B since round 3, right 73%", "CFL-GP：模型 B，自第 3 轮起，正确率 73%"},
		{"CFL-GP: model B since round 3, right 73% in round 5 with model C", "CFL-GP：模型 B，自第 3 轮起，正确率 73%（第 5 轮，用模型 C）"},
		{"Client 3, model A: 55% right", "客户端 3，模型 A：55% 正确"},
		{"Client 3: 55% right", "客户端 3：55% 正确"},
		{"Answers, evaluated after round 5, CFL-GP: client 2's model A is right in 13% of the samples held back; least right is client 7 with 5%.",
			"回答，第 5 轮后试用，CFL-GP：客户端 2 的模型 A 在留出的样本上答对 13%；最差的是客户端 7，为 5%。"},
		{"Accuracy over 60 rounds; at round 5, last evaluated after round 4: CFL 11% and FedEM 12%.",
			"60 轮的准确率；第 5 轮，上次试用在第 4 轮后：CFL 11% 和 FedEM 12%。"},
		{"Map, round 14, CFL-GP: 4 hexagons together as model A; 1 hourglass and 3 right-hand triangles as B; none misplaced.",
			"地图，第 14 轮，CFL-GP：4 个六边形一起为模型 A；1 个沙漏形和3 个朝右三角形为 B；没有放错的。"},
		{"Map, round 3, FedEM: No map: FedEM weighs models for each client, see Weights. 16 clients in 4 models.",
			"地图，第 3 轮，FedEM：没有图：FedEM 为每个客户端给各模型加权，见“权重”。16 个客户端，4 个模型。"},
		{"All 4 clients heard so far are in the right place.", "目前听到的 4 个客户端全部到位。"},
	}
	for _, tt := range tests {
		if got := l.Text(tt.english); got != tt.chinese {
			t.Errorf("%q is %q, want %q", tt.english, got, tt.chinese)
		}
	}
}

// Every shape that a group can have is counted in Chinese.
func TestChineseShapes(t *testing.T) {
	_, l := chinese(t)
	for s := range scene.Shape(scene.Shapes) {
		for _, n := range []int{1, 4} {
			for _, text := range []string{"%s together as model A", "%s as B", "1 circle and %s as C"} {
				text = fmt.Sprintf(text, english.Count(n, s.String()))
				if got := l.Text(text); sentence.MatchString(got) || strings.Contains(got, s.String()) {
					t.Errorf("%q is %q in Chinese", text, got)
				}
			}
		}
	}
}

// Nor does a lesson, from its question to its sheet on paper.
func TestChineseLessons(t *testing.T) {
	for _, l := range lesson.All() {
		a, p := ready(t, "")
		r := newReader(t, a.Schema)
		a.Locale = r.Locale
		a.Lessons.Begin(l)
		p.Finish()
		r.see(t, l.Title, a)
		a.Lessons.Answer((l.Right + 1) % len(l.Options))
		r.see(t, l.Title, a)
		a.Player.Seek(a.Config.Values(-1).Int("T"))
		a.Player.Playing = false
		a.Lessons.Paused()
		a.Lessons.Course.Mark(l.Number).Done = [2]bool{true, true}
		r.see(t, l.Title, a)
		a.OpenSheet("teacher")
		r.see(t, l.Title, a)
	}
}

// Nor does a figure write English, in whatever run.
func TestChineseLettering(t *testing.T) {
	for _, query := range []string{"algos=cflgp,ifca&t=3&T=30", "algos=local,fedavg,clove,fedem&data=mix1d&t=3",
		"algos=cflgp&t=0", "data=digits&algos=hcflplus,fedavg&t=5", "algos=ifca&K=2&t=5", "algos=ifca&K=3&t=5", "data=digits&algos=cflgp&split=classes&shift=corruptions&noise=pair&t=5&sel=3"} {
		a, p := open(t, query)
		p.Finish()
		r := newReader(t, a.Schema)
		a.Locale = r.Locale
		for _, name := range a.Run.Header.Scenery.Gallery.Classes {
			r.same[name] = true // they are the fixture's own
		}
		painter := ui.NewPainter(a)
		for round := range 2 {
			a.Player.Seek(round * 5)
			for _, k := range figures.Kinds() {
				if k.Of == chart.Apart {
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
		a, p := open(t, query)
		p.Finish()
		r := newReader(t, a.Schema)
		a.Locale = r.Locale
		for _, id := range a.Config.Lanes() {
			r.same[id.ID()] = true
		}
		for _, picture := range a.Export.Pictures() {
			facts := a.Export.Paper(picture)
			where := "the picture " + picture.Title + " of " + query
			r.read(where, facts["title"].(string), facts["hint"].(string), "Round 3 of 30", "30 rounds", "misplaced",
				"model A", "Result 1234-ABCD",
				"Mean of up to 3 seeds", "with one standard deviation", picture.Title+", round 3")
			for _, setting := range facts["settings"].([]any) {
				r.read(where, strings.Split(setting.(string), "\t")...)
			}
			if figure := ui.NewPainter(a).Figure(picture.Kind, picture.Lane); figure != nil {
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
	r := newReader(t, schema)
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
				for _, name := range built.Scenery(new(rng.Stream), 1).Gallery.Groups {
					if said++; word.MatchString(name) && r.Text(name) == name {
						r.left[name] = query
					}
					r.read(query, name)
				}
			}
		}
	}
	if said < 100 {
		t.Errorf("only %d groups have anything in common", said)
	}
}

// The foot of a frame and the number of runs of a sweep are Chinese, too.
func TestChineseFoot(t *testing.T) {
	a, p := open(t, "t=14")
	p.Finish()
	r := newReader(t, a.Schema)
	foot := EmbedFoot{App: a}
	if got := r.Locale.Text(foot.who()); got != "CFL-GP: " {
		t.Errorf("the lane of the foot is %q", got)
	}
	for _, text := range []string{foot.line(), "Open full size", "in", "100 runs of 2 lanes", "1 run of 1 lane"} {
		if said := r.Locale.Text(text); said == text {
			t.Errorf("%q is English", text)
		} else {
			r.read("a frame", said)
		}
	}
}
