package page

import (
	"strings"

	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Column is what an engine says of a column of a table, or of several that are alike.
type Column struct {
	From, To, Key, Name string
	Kind, Span          say.Message
	Missing, Examples   string
	Role, Guess         string
	Why                 say.Message
	PossibleRole        string // another role that it could well have
}

// readColumns reads what an engine says of a table.
func readColumns(text string) (out []Column) {
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Split(line+"\t", "\t"); len(f) > 11 {
			out = append(out, Column{f[0], f[1], f[2], f[3], say.Message(f[4]), say.Message(f[5]), f[6], f[7], f[8],
				f[9], say.Message(f[10]), f[11]})
		}
	}
	return out
}

// otherClients asks whether another column is the client, "" where no other could be.
func otherClients(table []Column) say.Message {
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

// tableInUse is the table that the sheet is about: one that was refused, or the one in use.
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

// Columns are those of the files in use, or of a table that was refused, with a sentence
// about it, and whether its missing values are filled.
func (f *Files) Columns() (columns []Column, words string, filled bool) {
	t := f.tableInUse()
	text := say.Messagef("%s: %s.", t.names(), t.words)
	if ask := otherClients(t.table); ask != "" {
		text = say.JoinMessage([]say.Message{text, ask}, " ")
	}
	return t.table, say.Text(text), t.fills()
}

// ChooseRole gives a column a role, and has the engines read the table anew.
type ChooseRole struct{ Key, Role string }

func (m ChooseRole) update(s *State) {
	t := s.Files.tableInUse()
	var pairs []string
	for _, l := range t.table {
		if l.Key == m.Key {
			l.Role = m.Role
		} else if exclusiveRoles[m.Role] > 0 && exclusiveRoles[l.Role] == exclusiveRoles[m.Role] {
			continue // there can be one: the engine says what this one is now
		}
		if l.Role != l.Guess {
			pairs = append(pairs, l.Key+":"+l.Role)
		}
	}
	s.Files.reread(t, strings.Join(pairs, ","), t.fills())
}

// exclusiveRoles are the roles that one column alone can have, by what they say: what is to be
// told, who holds a sample, the group of the client.
var exclusiveRoles = map[string]int{"label": 1, "number": 1, "client": 2, "group": 3}

// GuessRoles takes all choices back.
type GuessRoles struct{}

func (GuessRoles) update(s *State) {
	t := s.Files.tableInUse()
	s.Files.reread(t, "", t.fills())
}

// ToggleFill leaves rows with missing values out, or fills them.
type ToggleFill struct{}

func (ToggleFill) update(s *State) {
	t := s.Files.tableInUse()
	cols, _, _ := strings.Cut(strings.TrimPrefix(t.roles, "cols="), "&")
	if !strings.HasPrefix(t.roles, "cols=") {
		cols = ""
	}
	s.Files.reread(t, cols, !t.fills())
}

// reread offers a table again, with other roles.
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

func (l *FileData) fills() bool { return strings.Contains(l.roles, "na=mean") }
