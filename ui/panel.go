package ui

import "flockscope/sim/param"

// Panel holds of everything that can be set for the whole run.
type Panel struct {
	App *App
}

func (c *Panel) workloads() []string {
	var out []string
	for i := range c.App.Schema.Workloads {
		out = append(out, c.App.Schema.Workloads[i].Name)
	}
	return out
}

func (c *Panel) workloadTitle(name string) string {
	for i := range c.App.Schema.Workloads {
		if w := &c.App.Schema.Workloads[i]; w.Name == name {
			return w.Title
		}
	}
	return name
}

func (c *Panel) workloadDoc() string {
	for i := range c.App.Schema.Workloads {
		if w := &c.App.Schema.Workloads[i]; w.Name == c.App.Config.Workload() {
			return w.Doc
		}
	}
	return ""
}

func (c *Panel) fields(section param.Section, advanced bool) []*param.Field {
	return c.App.Controls(section, advanced)
}

// fileWords says which file the data come from, or that one is wanted.
func (c *Panel) fileWords() string {
	switch {
	case c.App.FileName != "":
		return c.App.FileName + ": " + c.App.FileWords + "."
	default:
		return "No file yet. Drop one anywhere on the page: rows client,x,y and, if you know it, group."
	}
}

func (c *Panel) advancedWords() string {
	if c.App.Advanced {
		return "− Advanced"
	}
	return "+ Advanced"
}

// advanced are the fields of all sections that are shown on demand.
func (c *Panel) advanced() []*param.Field {
	var out []*param.Field
	for _, section := range Sections {
		out = append(out, c.fields(section, true)...)
	}
	return out
}
