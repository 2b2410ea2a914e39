package shell

import (
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// Panel has the settings of the whole run.
type Panel struct {
	App *App
}

func (c *Panel) workloadDoc() string {
	for i := range c.App.Schema.Workloads {
		if w := &c.App.Schema.Workloads[i]; w.Name == c.App.Config.Workload() {
			return w.Doc
		}
	}
	return ""
}

func (c *Panel) fields(section param.Section, advanced bool) []page.Node {
	return c.App.Settings.Controls(section, advanced)
}

// sections are the parts of the panel that have advanced settings.
func (c *Panel) sections() []param.Section {
	var out []param.Section
	for _, section := range page.Sections {
		if len(c.fields(section, true)) > 0 {
			out = append(out, section)
		}
	}
	return out
}

// fileWords says which files the data come from, or which files are needed.
func (c *Panel) fileWords() string {
	switch {
	case c.App.Files.Names() != "" && !c.App.Files.WaitsForFile():
		return say.Textf("%s: %s.", c.App.Files.Names(), c.App.Files.Words())
	case c.App.Config.FromFile():
		return "No file yet. Drop one anywhere on the page: a table with columns client, x and y and, if you know " +
			"it, group."
	}
	return "No files yet. Drop them anywhere on the page, all at once: a table (CSV, TSV, ARFF, JSON), images and labels " +
		"as MNIST has them (IDX), pictures in a folder for each class, CIFAR batches, NumPy arrays, bags of words (svmlight), LEAF."
}

// fetches reports whether there is a field for addresses of files: where the data need
// files.
func (c *Panel) fetches() bool { return c.App.Config.NeedsFile() }

func (c *Panel) advancedWords() string {
	if c.App.Advanced {
		return "− Advanced"
	}
	return "+ Advanced"
}
