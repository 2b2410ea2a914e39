package files

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Files from an address: loaded only when the person asks for it.

// Fetching is how far the loading of files from addresses is.
type Fetching struct {
	Busy  bool
	Words string // what is loaded, and how much of it is there
	Text  string // the addresses as typed
}

// FetchNow loads what is typed into the box, or gives up what is loading.
func (f *Files) FetchNow() {
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
			f.Decline(address + " is not the address of a file; expected one that begins with https://")
			return
		}
	}
	if len(addresses) == 0 {
		return
	}
	f.Fetching = Fetching{true, "Asking " + hostOf(addresses[0]) + " …", text}
	f.page.Host().Fetch(addresses)
	f.page.Host().Change(host.Shell)
}

// StopFetching gives up what is being loaded.
func (f *Files) StopFetching() {
	f.EndFetch()
	f.page.Host().Fetch(nil)
	f.page.Host().Change(host.Shell)
}

// EndFetch notes that nothing is loaded any more. The addresses stay in their box.
func (f *Files) EndFetch() { f.Fetching = Fetching{Text: f.Fetching.Text} }

// Fetched tells how much of a file is there; of is 0 where nobody knows its size.
func (f *Files) Fetched(address string, bytes, of int) {
	f.Fetching.Words = FileName(address) + ": " + Megabytes(bytes)
	if of > 0 {
		f.Fetching.Words += " of " + Megabytes(of)
	}
	f.page.Host().Change(host.Live)
}

// FetchFailed says why a file could not be loaded.
func (f *Files) FetchFailed(why string) {
	f.EndFetch()
	f.Decline(why)
}

// The reasons, in words. A browser does not tell a page whether a server is
// silent or only unwilling.
func Unreachable(address string) string {
	return hostOf(address) + " could not be reached, or does not let other pages read its files (CORS). Download " +
		FileName(address) + " and drop it on the page."
}

func Forbidden(address string) string {
	return "The policy of this site (Content-Security-Policy) keeps the page from loading anything from " +
		hostOf(address) + ". Download " + FileName(address) + " and drop it on the page."
}

func Answered(address string, status int) string {
	words := hostOf(address) + " answered " + strconv.Itoa(status) + " for " + FileName(address)
	if status == 404 {
		return words + ": there is no such file."
	}
	return words + "."
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
func (f *Files) Names() string {
	if f.inUse == nil {
		return ""
	}
	return f.inUse.names()
}

// NamesOf says in a few words which files these are.
func NamesOf(files []wire.Named) string { return offer(files).names() }
