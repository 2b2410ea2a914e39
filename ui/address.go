package ui

import (
	"net/url"
	"path"
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
func (a *App) FetchNow() {
	if a.Fetching.Busy {
		a.StopFetching()
	} else {
		a.OpenAddress(a.Fetching.Text)
	}
}

// FetchWords is what the button beside the box says.
func (f *userFiles) FetchWords() string {
	if f.Fetching.Busy {
		return "Stop"
	}
	return "Load"
}

// OpenAddress loads the files that stand at one or more addresses, with spaces
// between them, and opens them together.
func (a *App) OpenAddress(text string) {
	addresses := strings.Fields(text)
	for _, address := range addresses {
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			a.decline(address + " is no address of a file; expected one that begins with https://")
			return
		}
	}
	if len(addresses) == 0 {
		return
	}
	a.Fetching = Fetching{true, "Asking " + hostOf(addresses[0]) + " …", text}
	a.Host.Fetch(addresses)
	a.Host.Change(host.Shell)
}

// StopFetching gives up what is being loaded.
func (a *App) StopFetching() {
	a.Fetching = Fetching{Text: a.Fetching.Text}
	a.Host.Fetch(nil)
	a.Host.Change(host.Shell)
}

// Fetched tells how much of a file is there; of is 0 where nobody knows its size.
func (a *App) Fetched(address string, bytes, of int) {
	a.Fetching.Words = AddressName(address) + ": " + Megabytes(bytes)
	if of > 0 {
		a.Fetching.Words += " of " + Megabytes(of)
	}
	a.Host.Change(host.Live)
}

// FetchFailed says why a file could not be loaded.
func (a *App) FetchFailed(why string) {
	a.Fetching = Fetching{Text: a.Fetching.Text}
	a.decline(why)
}

// The reasons, in words. A browser does not tell a page whether a server is
// silent or only unwilling.
func AddressUnreachable(address string) string {
	return hostOf(address) + " could not be reached, or does not let other pages read its files (CORS). Download " + AddressName(address) + " and drop it on the page."
}

func AddressForbidden(address string) string {
	return "The policy of this site (Content-Security-Policy) keeps the page from loading anything from " + hostOf(address) + ". Download " + AddressName(address) + " and drop it on the page."
}

func AddressAnswered(address string, status int) string {
	words := hostOf(address) + " answered " + itoa(status) + " for " + AddressName(address)
	if status == 404 {
		return words + ": there is no such file."
	}
	return words + "."
}

// AddressName is the last part of an address: the name of the file there.
func AddressName(address string) string {
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

// OwnFileNames says in a few words which files are in use, "" while there are none.
func (f *userFiles) OwnFileNames() string {
	if f.own == nil {
		return ""
	}
	return f.own.names()
}

// FileNames says in a few words which files these are.
func FileNames(files []wire.Named) string { return offer(files).names() }
