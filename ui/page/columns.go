package page

import (
	"strings"

	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Column describes a column of a table, or several similar ones, as an engine reports it.
type Column struct {
	From, To, Key, Name string
	Kind, Span          say.Message
	Missing, Examples   string
	Role, Guess         string
	Why                 say.Message
	PossibleRole        string // a plausible alternative role
}

// readColumns parses an engine's description of a table.
func readColumns(text string) (out []Column) {
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Split(line+"\t", "\t"); len(f) > 11 {
			out = append(out, Column{f[0], f[1], f[2], f[3], say.Message(f[4]), say.Message(f[5]), f[6], f[7], f[8],
				f[9], say.Message(f[10]), f[11]})
		}
	}
	return out
}

// clientColumnQuestion asks whether another column identifies the client, "" if none can.
func clientColumnQuestion(table []Column) say.Message {
	var names []string
	for _, c := range table {
		if c.PossibleRole == "client" {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return ""
	}
	return say.Messagef("The client of a row could also be %s.", say.ListMessage(names))
}

// tableInUse returns the table that the sheet shows: a refused one, or the one in use.
func (f *Files) tableInUse() *FileData {
	if f.refusedTable != nil {
		return f.refusedTable
	}
	if f.inUse != nil && f.inUse.table != nil {
		return f.inUse
	}
	return &FileData{}
}

// HasColumns reports whether the files in use are a table.
func (f *Files) HasColumns() bool { return f.page.Config.NeedsFile() && f.tableInUse().table != nil }

// Columns returns the columns of the table that the sheet shows, a sentence about it, and whether
// its missing values are filled.
func (f *Files) Columns() (columns []Column, words string, filled bool) {
	t := f.tableInUse()
	text := say.Messagef("%s: %s.", t.names(), t.words)
	if ask := clientColumnQuestion(t.table); ask != "" {
		text = say.JoinMessage([]say.Message{text, ask}, " ")
	}
	return t.table, say.Text(text), t.fillsMissing()
}

// ChooseRole: the user assigns a role to a column, and the engines read the table again.
type ChooseRole struct{ Key, Role string }

func (m ChooseRole) update(s *State) {
	t := s.Files.tableInUse()
	var pairs []string
	for _, l := range t.table {
		if l.Key == m.Key {
			l.Role = m.Role
		} else if exclusiveRoles[m.Role] > 0 && exclusiveRoles[l.Role] == exclusiveRoles[m.Role] {
			continue // only one column has this role: the engine assigns the other one
		}
		if l.Role != l.Guess {
			pairs = append(pairs, l.Key+":"+l.Role)
		}
	}
	s.Files.reread(t, strings.Join(pairs, ","), t.fillsMissing())
}

// exclusiveRoles are the roles that only one column can have, with a number for each meaning: the
// target, the client, the client's group.
var exclusiveRoles = map[string]int{"label": 1, "number": 1, "client": 2, "group": 3}

// ResetRoles: the user resets all roles.
type ResetRoles struct{}

func (ResetRoles) update(s *State) {
	t := s.Files.tableInUse()
	s.Files.reread(t, "", t.fillsMissing())
}

// ToggleFill: the user fills missing values, or drops rows that have them.
type ToggleFill struct{}

func (ToggleFill) update(s *State) {
	t := s.Files.tableInUse()
	cols, _, _ := strings.Cut(strings.TrimPrefix(t.roles, "cols="), "&")
	if !strings.HasPrefix(t.roles, "cols=") {
		cols = ""
	}
	s.Files.reread(t, cols, !t.fillsMissing())
}

// reread sends a table to the engines again with other roles.
func (f *Files) reread(t *FileData, cols string, fill bool) {
	if len(t.fileSet) == 0 {
		return
	}
	na := "drop"
	if fill {
		na = "mean"
	}
	f.page.Withdraw(f.refusal)
	f.sendToEngines(pendingFiles{fileSet: t.fileSet, roles: rolesQuery(cols, na)})
	f.page.effects.Redraw(host.Shell)
}

func (l *FileData) fillsMissing() bool { return strings.Contains(l.roles, "na=mean") }
