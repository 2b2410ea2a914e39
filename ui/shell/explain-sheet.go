package shell

import (
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/ui"
	"flockscope/ui/chart"
	"flockscope/ui/i18n"
	"flockscope/ui/words"
)

// ExplainSheet says what every setting, method and figure is, in the words of the
// schema and of the figures themselves.
type ExplainSheet struct {
	App *ui.App
}

// entry is one thing and what it is.
type entry struct{ term, text, more string }

// glossary is what the page calls things.
var glossary = []entry{
	{"Client", "A participant with private data, such as a phone or a hospital. A mark in the figures.", ""},
	{"Group", "Clients whose data have the same distribution. The simulation planted the groups; no method knows them. A shape.", ""},
	{"Cluster", "Clients that a method has grouped. They share a model, and therefore a colour.", ""},
	{"Model", "What is trained: a line, a weighted sum or a network. The server keeps one or several, called A, B, C …", ""},
	{"Round", "The server sends models, clients reply, and the server updates the models. This is repeated round by round.", ""},
	{"Lane", "One method. All lanes have the same clients, samples and start models.", ""},
	{"ARI", "The adjusted Rand index: 1 where clusters and groups agree on every pair of clients, about 0 where they agree as chance would have it, as one cluster of all clients does. Methods without clusters have none.", ""},
	{"Misplaced, wrong", "The smallest number of clients that would have to change their cluster to make the clustering right. A hollow mark.", ""},
	{"Loss, error", "The mean squared error of a model on a client's data; for networks that classify, the cross-entropy. Lower is better.", ""},
	{"Val, Test", "Two shares of right answers, as HCFL has them. Val: of the samples that clients hold back, of one kind with those they train on. Test: of test clients, who train nothing, one for each planted way of seeing and naming things, with clean samples of all classes. " +
		"Half of its samples tell a test client which model loses least, or how to weigh models where clients do; it is asked about the others. Where everybody has a model of their own it tries them all, and the mean counts.",
		"Guo, Tang, Lin: Enhancing Clustered Federated Learning, arXiv 2023, Table 1, and the code of FedRC. They come with the setting Test clients hold."},
	{"Cost", "The number of floats sent to a client and back.", ""},
	{"Probe", "The samples that decide which clients belong together, as opposed to those that train the models.", ""},
	{"Embedding", "The vector that represents a client when clients are compared. The map shows it in two dimensions.", ""},
	{"Seed", "The start of a sequence of random numbers. The same seeds give the same run, to the last bit.", ""},
}

// topics are the pages of the sheet that are no methods.
var topics = []string{"Words", string(param.Data), string(param.Models), string(param.Run), "Figures"}

func (c *ExplainSheet) topics() []string { return topics }

func (c *ExplainSheet) methods() []registry.Meta { return c.App.Schema.Algorithms }

func (c *ExplainSheet) class(topic string) string {
	if topic == c.topic() {
		return "tab on"
	}
	return "tab"
}

// topic is what is explained: the words, if nothing else was asked for.
func (c *ExplainSheet) topic() string {
	if c.App.Topic == "" {
		return topics[0]
	}
	return c.App.Topic
}

// about is the method or the workload that the topic is about; its Name is empty
// for none.
func (c *ExplainSheet) about() registry.Meta {
	for _, m := range c.App.Schema.Algorithms {
		if m.Name == c.topic() {
			return m
		}
	}
	for _, w := range c.App.Schema.Workloads {
		if c.topic() == string(param.Data) && w.Name == c.App.Config.Workload() {
			return w.Meta
		}
	}
	return registry.Meta{}
}

// paper is a citation in full.
func (c *ExplainSheet) paper() string {
	p := c.about().Paper
	text := p.Authors + ": " + p.Title + ", " + p.Venue + " " + itoa(p.Year)
	if p.Where != "" {
		text += ", " + p.Where
	}
	return text
}

// entries are what the topic has to say.
func (c *ExplainSheet) entries() []entry {
	switch c.topic() {
	case topics[0]:
		return glossary
	case "Figures":
		var out []entry
		for _, k := range chart.Kinds() {
			if k.Hint != "" {
				out = append(out, entry{k.Title, words.Capital(k.Hint) + ".", ""})
			}
		}
		return out
	case string(param.Data), string(param.Models), string(param.Run):
		var out []entry
		for _, advanced := range []bool{false, true} {
			for _, n := range c.App.Settings.Controls(param.Section(c.topic()), advanced) {
				out = append(out, explain(n.Field, c.App.Locale))
			}
		}
		return out
	}
	var out []entry
	for i := range c.about().Fields {
		out = append(out, explain(&c.about().Fields[i], c.App.Locale))
	}
	return out
}

// explain says what a setting is, and what it takes.
func explain(f *param.Field, l *i18n.Locale) entry {
	link := "In links " + f.Name + "="
	if f.Kind != param.Choice {
		return entry{f.Label, f.Doc, link + ", " + f.Want() + "."}
	}
	var options []string
	for _, o := range f.Options {
		text := l.Text(o.Title)
		if o.Doc != "" {
			text += l.Mark(": ") + strings.TrimRight(l.Text(o.Doc), ".。")
		}
		options = append(options, text)
	}
	stop := ". "
	if l != nil {
		stop = "。"
	}
	return entry{f.Label, f.Doc, words.Capital(strings.Join(options, l.Mark("; "))) + stop + l.Text(link+".")}
}
