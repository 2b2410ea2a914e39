package main

import (
	"context"
	"os"
	"os/signal"
)

// withSignals returns a context that is done when the process receives a signal to stop.
func withSignals(parent context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(parent, os.Interrupt)
}
