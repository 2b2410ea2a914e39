package page

import (
	"net/url"
	"path"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Files from an address: loaded only when the person asks for it.

// FetchStatus is how far the loading of files from addresses is.
type FetchStatus struct {
	Busy  bool
	Words string // what is loaded, and how much of it is there
	Text  string // the addresses as typed
}

// FetchNow loads what is typed into the box, or gives up what is loading.
type FetchNow struct{}

func (FetchNow) update(s *State) {
	f := s.Files
	if f.Fetching.Busy {
		f.StopFetching()
	} else {
		f.OpenAddress(f.Fetching.Text)
	}
}

// FetchWords is what the button beside the box says.
func (f *Files) FetchWords() string {
	if f.Fetching.Busy {
		return "Stop"
	}
	return "Load"
}

// OpenAddress loads the files that stand at one or more addresses, with spaces
// between them, and opens them together.
func (f *Files) OpenAddress(text string) {
	addresses := strings.Fields(text)
	for _, address := range addresses {
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			f.refuse(say.Messagef("%s is not the address of a file; expected one that begins with https://", address))
			return
		}
	}
	if len(addresses) == 0 {
		return
	}
	f.Fetching = FetchStatus{true, say.Textf("Requesting %s …", hostOf(addresses[0])), text}
	f.page.effects.Do(host.Fetch{Addresses: addresses})
	f.page.effects.Redraw(host.Shell)
}

// StopFetching gives up what is being loaded.
func (f *Files) StopFetching() {
	f.EndFetch()
	f.page.effects.Do(host.Fetch{Addresses: nil})
	f.page.effects.Redraw(host.Shell)
}

// EndFetch notes that nothing is loaded any more. The addresses stay in their box.
func (f *Files) EndFetch() { f.Fetching = FetchStatus{Text: f.Fetching.Text} }

// Fetched tells how much of a file is there; of is 0 where nobody knows its size.
type Fetched struct {
	Address   string
	Bytes, Of int
}

func (m Fetched) update(s *State) {
	s.Files.Fetching.Words = say.Textf("%s: %s", FileName(m.Address), Megabytes(m.Bytes))
	if m.Of > 0 {
		s.Files.Fetching.Words = say.Textf("%s: %s of %s", FileName(m.Address), Megabytes(m.Bytes), Megabytes(m.Of))
	}
	s.effects.Redraw(host.Live)
}

// FetchFailed says why a file could not be loaded.
type FetchFailed struct{ Why say.Message }

func (m FetchFailed) update(s *State) {
	s.Files.EndFetch()
	s.Files.refuse(m.Why)
}

// The reasons, in words. A browser does not tell a page whether a server is
// silent or only unwilling.
func UnreachableMessage(address string) say.Message {
	return say.Messagef("%s could not be reached, or does not let other pages read its files (CORS). "+
		"Download %s and drop it on the page", hostOf(address), FileName(address))
}

func Forbidden(address string) say.Message {
	return say.Messagef("The policy of this site (Content-Security-Policy) keeps the page from loading anything from %s. "+
		"Download %s and drop it on the page", hostOf(address), FileName(address))
}

func Answered(address string, status int) say.Message {
	if status == 404 {
		return say.Messagef("%s answered %d for %s: there is no such file", hostOf(address), status, FileName(address))
	}
	return say.Messagef("%s answered %d for %s", hostOf(address), status, FileName(address))
}

// FileName is the last part of an address: the name of the file there.
func FileName(address string) string {
	if u, err := url.Parse(address); err == nil {
		if name := path.Base(u.Path); name != "." && name != "/" {
			return name
		}
	}
	return address
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// Names says in a few words which files are in use, "" while there are none.
func (f *Files) Names() say.Message {
	if f.inUse == nil {
		return ""
	}
	return f.inUse.names()
}

// NamesOf says in a few words which files these are.
func NamesOf(files []wire.NamedFile) say.Message { return fileSet(files).names() }

// TypeFileAddress keeps the addresses that are typed.
type TypeFileAddress struct{ Text string }

func (m TypeFileAddress) update(s *State) { s.Files.Fetching.Text = m.Text }
