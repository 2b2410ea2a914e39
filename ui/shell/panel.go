package shell

import (
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/ui"
	"flockscope/ui/settings"
)

// Panel holds of everything that can be set for the whole run.
type Panel struct {
	App *ui.App
}

// shelves are the workloads by what they are about.
func (c *Panel) shelves() []shelf {
	out := []shelf{{Title: "Lines"}, {Title: "Pictures, texts, channels"}, {Title: "Files of your own"}}
	for i := range c.App.Schema.Workloads {
		w := &c.App.Schema.Workloads[i]
		n := 0
		switch {
		case w.NeedFile:
			n = 2
		case slices.ContainsFunc(w.Fields, func(f param.Field) bool { return f.Name == "net" }):
			n = 1
		}
		out[n].Workloads = append(out[n].Workloads, w.Meta)
	}
	return out
}

// shelf is workloads of one kind.
type shelf struct {
	Title     string
	Workloads []registry.Meta
}

func (c *Panel) workloadDoc() string {
	for i := range c.App.Schema.Workloads {
		if w := &c.App.Schema.Workloads[i]; w.Name == c.App.Config.Workload() {
			return w.Doc
		}
	}
	return ""
}

func (c *Panel) fields(section param.Section, advanced bool) []settings.Node {
	return c.App.Settings.Controls(section, advanced)
}

// sections are the parts of the panel that hold settings on demand.
func (c *Panel) sections() []param.Section {
	var out []param.Section
	for _, section := range settings.Sections {
		if len(c.fields(section, true)) > 0 {
			out = append(out, section)
		}
	}
	return out
}

// fileWords says which files the data come from, or which are wanted.
func (c *Panel) fileWords() string {
	switch {
	case c.App.Files.Names() != "" && !c.App.Files.WaitsForFile():
		return c.App.Files.Names() + ": " + c.App.Files.Words() + "."
	case c.App.Config.FromFile():
		return "No file yet. Drop one anywhere on the page: a table with columns client, x and y and, if you know " +
			"it, group."
	}
	return "No files yet. Drop them anywhere on the page, all at once: a table (CSV, TSV, ARFF), images and labels " +
		"as MNIST has them (IDX), CIFAR batches, NumPy arrays, bags of words (svmlight), LEAF."
}

// fetches reports whether files can be asked for by their address: where they
// are wanted.
func (c *Panel) fetches() bool { return c.App.Config.NeedsFile() }

func (c *Panel) advancedWords() string {
	if c.App.Advanced {
		return "− Advanced"
	}
	return "+ Advanced"
}
