//go:build !js

package cluster

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// Log prints messages, one per line, and may be used by several goroutines. A nil Log discards them.
type Log struct {
	mu sync.Mutex
	w  io.Writer
}

// NewLog returns a log that writes to w.
func NewLog(w io.Writer) *Log { return &Log{w: w} }

// Printf prints a message on a line of its own.
func (l *Log) Printf(format string, args ...any) {
	l.print(fmt.Sprintf("flock: "+format+"\n", args...))
}

func (l *Log) print(text string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	io.WriteString(l.w, text)
}

// isTerminal reports whether the log is written to a terminal.
func (l *Log) isTerminal() bool {
	if l == nil {
		return false
	}
	f, ok := l.w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// limitedLog prints only the first messages of a kind that can occur thousands of times.
type limitedLog struct{ n atomic.Int64 }

func (l *limitedLog) printf(log *Log, format string, args ...any) {
	const most = 20
	switch n := l.n.Add(1); {
	case n <= most:
		log.Printf(format, args...)
	case n == most+1:
		log.Printf("there are more such messages; they are handled alike and not listed")
	}
}
