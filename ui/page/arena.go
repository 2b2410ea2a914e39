package page

import (
	"cmp"
	"slices"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// ArenaAddress returns the address of the arena's page, which answers which methods suit which clients.
func (e *Exporter) ArenaAddress() string {
	return e.siteAddress("arena/index.html?lang=" + cmp.Or(say.Language(), "en"))
}

// isArena reports whether files have the names that flock gives to records of the arena, perhaps with the number that a
// browser adds to a download.
func isArena(files []wire.NamedFile) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f wire.NamedFile) bool {
		name := f.Name[strings.LastIndex(f.Name, "/")+1:]
		return !strings.HasPrefix(name, "arena") ||
			!strings.HasSuffix(name, ".flock") && !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".jsonl")
	})
}

// OpenOnArena opens the last file of results that was refused on the arena's page.
type OpenOnArena struct{}

func (OpenOnArena) update(s *State) { s.openOnArena(s.Files.refusedResults) }

func (s *State) openOnArena(files []wire.NamedFile) {
	var out []host.File
	for _, f := range files {
		out = append(out, host.File{Name: f.Name, Data: f.Data})
	}
	s.effects.Do(host.OpenArena{Files: out, Address: s.Export.ArenaAddress() + "&opened=1"})
}

// ArenaFailed: the browser keeps no files for another page.
type ArenaFailed struct{}

func (ArenaFailed) update(s *State) {
	s.Notify("This browser keeps no files for another page: open the page \"Which method for your clients?\" from the help, " +
		"and drop them there.")
	s.effects.Redraw(host.Shell)
}
