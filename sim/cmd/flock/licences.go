package main

import (
	"context"
	"fmt"
	"io"

	notice "flockscope/sim/licences"
)

var _ = register(command{
	name: "licences", run: licences,
	doc: "the licences of everything that flock is made of",
})

// licences prints the licences of everything that flock and the page consist of.
func licences(_ context.Context, args []string, out, _ io.Writer) error {
	args, err := operands("licences", args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return badInput(fmt.Errorf("licences takes no arguments, got %q", args[0]))
	}
	_, err = io.WriteString(out, notice.Text)
	return err
}
