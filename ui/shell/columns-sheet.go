package shell

import (
	"slices"

	"flockscope/sim/say"
	"flockscope/ui/page"
)

// ColumnsSheet shows the columns of the user's table and their roles.
type ColumnsSheet struct {
	App *App
}

// columnRoles are all roles: their names in cols= and on the page.
var columnRoles = []struct{ name, title string }{
	{"feature", "Feature"},
	{"label", "Label"},
	{"number", "Target"},
	{"client", "Client"},
	{"group", "Group"},
	{"ignore", "Ignored"},
}

func columnTitle(l page.Column) string {
	switch {
	case l.Name == "column "+l.From:
		return say.Textf("column %s", l.From) // the file has none
	case l.From == l.To:
		return l.From + " · " + l.Name
	}
	return l.From + "–" + l.To + " · " + l.Name
}

// missingClass hides a 0 where there is little room.
func missingClass(l page.Column) string {
	if l.Missing == "0" {
		return "none"
	}
	return ""
}

func (c *ColumnsSheet) lines() []page.Column {
	columns, _, _ := c.App.Files.Columns()
	return columns
}

func (c *ColumnsSheet) words() string {
	_, words, _ := c.App.Files.Columns()
	return words
}

func (c *ColumnsSheet) fills() bool {
	_, _, filled := c.App.Files.Columns()
	return filled
}

func (c *ColumnsSheet) changed() bool {
	return slices.ContainsFunc(c.lines(), func(l page.Column) bool { return l.Role != l.Guess })
}
