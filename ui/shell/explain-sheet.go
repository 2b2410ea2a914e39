package shell

import (
	"html"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/chart/figures"
	"flockscope/ui/guide"
)

// ExplainSheet explains every setting, method and figure, with the texts of the schema
// and of the guide.
type ExplainSheet struct {
	App *App
}

// topics are the pages of the sheet other than methods.
var topics = []string{"Words", string(param.Data), string(param.Models), string(param.Run), allFigures}

const allFigures = "Figures"

func (c *ExplainSheet) class(topic string) string {
	if topic == c.topic() {
		return "tab on"
	}
	return "tab"
}

// topic is the topic shown, by default the terms.
func (c *ExplainSheet) topic() string {
	if c.App.Topic == "" {
		return topics[0]
	}
	return c.App.Topic
}

// about is the method or the workload that the topic is about, nil for none.
func (c *ExplainSheet) about() *registry.Meta {
	for i := range c.App.Schema.Algorithms {
		if m := &c.App.Schema.Algorithms[i]; m.Name == c.topic() {
			return m
		}
	}
	for i := range c.App.Schema.Workloads {
		w := &c.App.Schema.Workloads[i]
		if c.topic() == string(param.Data) && w.Name == c.App.Config.Workload() {
			return &w.Meta
		}
	}
	return nil
}

// add appends pieces to HTML, alternately markup and text, which it escapes.
func add(b *strings.Builder, pieces ...string) {
	for i, piece := range pieces {
		if i%2 == 1 {
			piece = html.EscapeString(piece)
		}
		b.WriteString(piece)
	}
}

// explained returns the text of the topic, as HTML, since it has no controls.
func (c *ExplainSheet) explained() vugu.HTML {
	var b strings.Builder
	parts := func(of string) {
		c.App.Guide.Texts.Each(of, func(heading, text string) {
			add(&b, "<p><b>", heading, "</b> ", text, "</p>")
		})
	}
	if m := c.about(); m != nil {
		add(&b, "<h3>", m.Title, "</h3><p>", m.Doc, "</p>")
		if m.By != "" {
			add(&b, "<figure><div class=picture>"+
				c.App.Guide.Texts["picture "+m.Name]+"</div><figcaption><p><b>A client sends</b> ", m.Sends,
				"</p><p><b>Clients are compared by</b> ", m.By, "</p></figcaption></figure>")
		}
		parts(m.Name)
		add(&b, `<p class=hint><a target=_blank rel=noopener href="`, m.Paper.URL, `">`, paper(&m.Paper), "</a></p>")
	}
	switch c.topic() {
	case topics[0]:
		parts("words")
	case allFigures:
		for _, k := range figures.Kinds() {
			title := k.Title
			if k.Name == "gallery" {
				title = "Data as pictures" // "Data" is that of lines: a run has only one of them
			}
			add(&b, `<h3 data-kind="`, k.Name, `">`, title, "</h3>")
			parts("figure " + k.Name)
		}
	}
	if fields := c.fields(); len(fields) > 0 {
		b.WriteString("<table class=meanings><thead><tr><th scope=col>Setting</th><th scope=col>Meaning</th><th scope=col>In links</th></tr></thead><tbody>")
		for _, f := range fields {
			add(&b, "<tr><th scope=row>", f.Label, "</th><td>", f.Doc, "</td><td><code>", f.Name, "=</code> <span>",
				allowedValues(f), "</span></td></tr>")
		}
		b.WriteString("</tbody></table>")
		for _, f := range fields {
			if f.Name == "corrupt" {
				c.addSeverities(&b, f)
			}
		}
	}
	return vugu.HTML(b.String())
}

// addSeverities adds pictures of the chosen corruption, or of all if several are chosen: clean, and at severities 1 to 5.
func (c *ExplainSheet) addSeverities(b *strings.Builder, f *param.Field) {
	colour := c.App.Run == nil || c.App.Run.Header.DataPreview.Gallery.Channels == 3
	site := strings.TrimSuffix(c.App.Export.Licences, "licences.txt")
	all, chosen := guide.Corruptions(f), c.App.Settings.Value(f.Name)
	add(b, "<table class=severities><caption>", say.Textf("%s: clean, then severities 1 to 5", say.Message(f.Label)), "</caption>")
	for i, o := range all {
		if o.Name == chosen || guide.Several(chosen) {
			add(b, "<tr><th scope=row>", say.Text(o.Title), `</th><td><svg viewBox="0 `, itoa(i), ` 6 1" role=img aria-label="`, say.Text(o.Title),
				`"><image width=6 height=`, itoa(len(all)), ` preserveAspectRatio=none href="`, site+guide.CorruptionSheet(colour), `"/></svg></td></tr>`)
		}
	}
	b.WriteString("</table>")
}

// paper returns a full citation.
func paper(p *registry.Citation) string {
	text := p.Authors + ": " + p.Title + ", " + p.Venue + " " + itoa(p.Year)
	if p.Where != "" {
		text += ", " + p.Where
	}
	return text
}

// loading describes the state of texts that are loaded from a file.
func (c *ExplainSheet) loading() string {
	switch g := &c.App.Guide; {
	case g.Texts != nil || slices.Contains(topics[1:4], c.topic()):
		return ""
	case g.Failed:
		return "The explanations could not be loaded. Check the connection, then choose the topic again."
	}
	return "Loading the explanations …"
}

// fields are the settings of the method or of the part of the panel that the topic is about.
func (c *ExplainSheet) fields() (out []*param.Field) {
	if slices.Contains(topics[1:4], c.topic()) {
		for _, advanced := range []bool{false, true} {
			for _, n := range c.App.Settings.Controls(param.Section(c.topic()), advanced) {
				out = append(out, n.Field)
			}
		}
	} else if m := c.about(); m != nil {
		for i := range m.Fields {
			out = append(out, &m.Fields[i])
		}
	}
	return out
}

// allowedValues describes the values of a setting.
func allowedValues(f *param.Field) string {
	if f.Kind != param.Choice {
		return say.Text(f.Want())
	}
	var options []string
	for _, o := range f.Options {
		text := say.Text(o.Title)
		if o.Doc != "" {
			text = say.Textf("%s: %s", text, strings.TrimRight(say.Text(o.Doc), ".。"))
		}
		options = append(options, o.Name+" ("+text+")")
	}
	return say.Join(options, "; ")
}
