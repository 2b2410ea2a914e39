package page

import (
	"net/url"
	"path"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Files from an address: the page loads them only when the user presses Load.

// FetchStatus is the progress of loading files from addresses.
type FetchStatus struct {
	Busy  bool
	Words string // the file being loaded, and its progress
	Text  string // the addresses as typed
}

// ToggleFetch: the user loads the typed addresses, or stops loading.
type ToggleFetch struct{}

func (ToggleFetch) update(s *State) {
	f := s.Files
	if f.Fetching.Busy {
		f.StopFetching()
	} else {
		f.OpenAddress(f.Fetching.Text)
	}
}

// FetchLabel returns the label of the button beside the address box.
func (f *Files) FetchLabel() string {
	if f.Fetching.Busy {
		return "Stop"
	}
	return "Load"
}

// OpenAddress loads the files at one or more addresses, separated by spaces, and opens them
// together.
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
	f.loadReader()
	f.page.effects.Redraw(host.Shell)
}

// StopFetching cancels loading.
func (f *Files) StopFetching() {
	f.EndFetch()
	f.page.effects.Do(host.Fetch{Addresses: nil})
	f.page.effects.Redraw(host.Shell)
}

// EndFetch marks loading as finished and keeps the typed addresses.
func (f *Files) EndFetch() { f.Fetching = FetchStatus{Text: f.Fetching.Text} }

// FetchProgress: a number of bytes of a file has arrived, of Of bytes, or 0 if its size is unknown.
type FetchProgress struct {
	Address   string
	Bytes, Of int
}

func (m FetchProgress) update(s *State) {
	s.Files.Fetching.Words = say.Textf("%s: %s", FileName(m.Address), FormatMegabytes(m.Bytes))
	if m.Of > 0 {
		s.Files.Fetching.Words = say.Textf("%s: %s of %s", FileName(m.Address), FormatMegabytes(m.Bytes), FormatMegabytes(m.Of))
	}
	s.effects.Redraw(host.Live)
}

// FetchFailed: a file could not be loaded.
type FetchFailed struct{ Why say.Message }

func (m FetchFailed) update(s *State) {
	s.Files.EndFetch()
	s.Files.refuse(m.Why)
}

// UnreachableMessage, ForbiddenMessage and StatusMessage say why loading failed. A browser does not
// tell a page whether a server is down or denies access.
func UnreachableMessage(address string) say.Message {
	return say.Messagef("%s could not be reached, or does not let other pages read its files (CORS). "+
		"Download %s and drop it on the page", hostOf(address), FileName(address))
}

// ForbiddenMessage says that the site's policy forbids loading from an address.
func ForbiddenMessage(address string) say.Message {
	return say.Messagef("The policy of this site (Content-Security-Policy) keeps the page from loading anything from %s. "+
		"Download %s and drop it on the page", hostOf(address), FileName(address))
}

// StatusMessage says which HTTP status a server returned.
func StatusMessage(address string, status int) say.Message {
	if status == 404 {
		return say.Messagef("%s answered %d for %s: there is no such file", hostOf(address), status, FileName(address))
	}
	return say.Messagef("%s answered %d for %s", hostOf(address), status, FileName(address))
}

// FileName returns the last part of an address: the name of the file there.
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

// Names returns a short text with the names of the files in use, "" for none.
func (f *Files) Names() say.Message {
	if f.inUse == nil {
		return ""
	}
	return f.inUse.names()
}

// ListNames returns a short text with the names of files.
func ListNames(files []wire.NamedFile) say.Message { return fileSet(files).names() }

// TypeFileAddress: the user types into the address box.
type TypeFileAddress struct{ Text string }

func (m TypeFileAddress) update(s *State) { s.Files.Fetching.Text = m.Text }
