//go:build unix || windows

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// withSignals returns a context that is done when the process receives a signal to stop. A
// second signal then ends the process at once. Without SIGPIPE a write to a pipe
// without a reader fails with EPIPE, which [flock] expects.
func withSignals(parent context.Context) (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	stopping := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		stopping = append(stopping, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(parent, stopping...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
