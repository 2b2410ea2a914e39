package page

import (
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// The engines of a first visit cannot read files, and so have less to load. Once there are files the page loads the
// reader, an engine that can, and replaces its engines.

// readerState says how far the page is with the reader of files.
type readerState uint8

const (
	noReader      readerState = iota
	readerLoading             // the browser loads it
	readerLoaded              // engines that start can read files
	readerInUse               // so can all engines
)

// loadReader loads the reader unless that was done.
func (f *Files) loadReader() {
	if f.reader == noReader {
		f.reader = readerLoading
		f.page.effects.Do(host.LoadReader{})
	}
}

// useReader replaces the engines by such as can read files, once the reader is loaded. They receive the pending files.
func (f *Files) useReader() {
	f.loadReader()
	if f.reader == readerLoaded {
		f.reader = readerInUse
		f.page.replaceEngines()
	}
}

// ReaderProgress: the reader of files takes longer than a moment to load; so many bytes have arrived.
type ReaderProgress struct{ Bytes int }

func (m ReaderProgress) update(s *State) {
	s.Files.readerProgress = say.Textf("Loading the reader of files: %s", FormatMegabytes(m.Bytes))
	s.effects.Redraw(host.Live)
}

// ReaderLoaded: the reader of files is loaded.
type ReaderLoaded struct{}

func (ReaderLoaded) update(s *State) {
	f := s.Files
	f.reader, f.readerProgress = readerLoaded, ""
	if len(f.pending) > 0 {
		f.useReader()
	}
	s.effects.Redraw(host.Shell)
}

// ReaderFailed: the reader of files could not be loaded. The next files load it again.
type ReaderFailed struct{}

func (ReaderFailed) update(s *State) {
	f := s.Files
	f.reader, f.readerProgress = noReader, ""
	if n := len(f.pending); n > 0 {
		last := f.pending[n-1].fileSet
		f.pending = nil
		f.refuse(say.Messagef("%s cannot be read, because the reader of files could not be loaded. "+
			"Check the connection and try again", last.names()), Action{Label: "Try again", Do: OpenFiles{Files: last}})
	}
}
