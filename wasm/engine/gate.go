package engine

import (
	"context"
	"sync"
)

// gate pauses a run while the page is hidden, or its user has paused it. The zero gate is open.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
}

// set closes the gate, or opens it and wakes the waiting goroutines.
func (g *gate) set(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case shut && g.opened == nil:
		g.opened = make(chan struct{})
	case !shut && g.opened != nil:
		close(g.opened)
		g.opened = nil
	}
}

// wait returns once the gate is open or the run is cancelled.
func (g *gate) wait(ctx context.Context) {
	g.mu.Lock()
	shut := g.opened
	g.mu.Unlock()
	if shut == nil {
		return
	}
	select {
	case <-shut:
	case <-ctx.Done():
	}
}
