package ui

import "strings"

// ColumnsSheet shows the columns of the user's table, and what each of them is for.
type ColumnsSheet struct {
	App *App
}

// column is what an engine says of a column of a table, or of several that are alike.
type column struct {
	from, to, key, name, kind, span, missing, examples, role, guess, why string
}

// readColumns reads what an engine says of a table.
func readColumns(text string) (out []column) {
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Split(line, "\t"); len(f) == 11 {
			out = append(out, column{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10]})
		}
	}
	return out
}

// columnRoles are all roles, as cols= and as people call them.
var columnRoles = []struct{ name, title string }{
	{"feature", "Feature"}, {"label", "Label"}, {"number", "Number to predict"}, {"client", "Client"}, {"group",
		"Group"}, {"ignore", "Left out"},
}

func (l column) title() string {
	if l.name == "column "+l.from {
		return l.name // the file has none
	}
	if l.from == l.to {
		return l.from + " · " + l.name
	}
	return l.from + "–" + l.to + " · " + l.name
}

// tableInUse is the table that the sheet is about: one that was refused, or the one in use.
func (a *App) tableInUse() *brought {
	if a.Unfit != nil {
		return a.Unfit
	}
	if a.own != nil && a.own.table != nil {
		return a.own
	}
	return &brought{}
}

// HasColumns reports whether the files in use are a table.
func (a *App) HasColumns() bool { return a.Config.NeedsFile() && a.tableInUse().table != nil }

func (c *ColumnsSheet) lines() []column { return c.App.tableInUse().table }

func (c *ColumnsSheet) words() string {
	t := c.App.tableInUse()
	words, _ := strings.CutPrefix(t.words, t.names()+": ")
	return t.names() + ": " + words + "."
}

func (c *ColumnsSheet) changed() bool {
	for _, l := range c.lines() {
		if l.role != l.guess {
			return true
		}
	}
	return false
}

func (c *ColumnsSheet) fills() bool { return strings.Contains(c.App.tableInUse().roles, "na=mean") }

// ChooseRole gives a column a role, and has the engines read the table anew.
func (a *App) ChooseRole(key, role string) {
	t := a.tableInUse()
	var pairs []string
	for _, l := range t.table {
		if l.key == key {
			l.role = role
		} else if single[role] > 0 && single[l.role] == single[role] {
			continue // there can be one: the engine says what this one is now
		}
		if l.role != l.guess {
			pairs = append(pairs, l.key+":"+l.role)
		}
	}
	a.reread(t, strings.Join(pairs, ","), strings.Contains(t.roles, "na=mean"))
}

// single are the roles that one column alone can have, by what they say: what is to be
// told, who holds a sample, the group of the client.
var single = map[string]int{"label": 1, "number": 1, "client": 2, "group": 3}

// GuessRoles takes all choices back.
func (a *App) GuessRoles() {
	a.reread(a.tableInUse(), "", strings.Contains(a.tableInUse().roles, "na=mean"))
}

// ToggleFill leaves rows with missing values out, or fills them.
func (a *App) ToggleFill() {
	t := a.tableInUse()
	cols, _, _ := strings.Cut(strings.TrimPrefix(t.roles, "cols="), "&")
	if !strings.HasPrefix(t.roles, "cols=") {
		cols = ""
	}
	a.reread(t, cols, !strings.Contains(t.roles, "na=mean"))
}

// reread offers a table again, with other roles.
func (a *App) reread(t *brought, cols string, fill bool) {
	if len(t.offer) == 0 {
		return
	}
	na := "drop"
	if fill {
		na = "mean"
	}
	a.unsay(a.refused)
	a.hand(waiter{offer: t.offer, roles: rolesQuery(cols, na)})
	a.OnChange(Shell)
}
