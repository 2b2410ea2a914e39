package main

import (
	"context"
	"fmt"
	"io"

	"flockscope/sim/trace"
	"flockscope/sim/version"
)

var _ = register(command{
	name: "version", run: printVersion,
	doc: "the version of this program; --version does the same",
})

// printVersion prints the program's version and the version of the engine.
func printVersion(_ context.Context, args []string, out, _ io.Writer) error {
	args, err := operands("version", args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return badInput(fmt.Errorf("version takes no arguments, got %q", args[0]))
	}
	_, err = fmt.Fprintf(out, "%s\nformat of recorded runs: %d\n", version.Text("flock"), trace.Version)
	return err
}
