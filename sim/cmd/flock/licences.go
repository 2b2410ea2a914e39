package main

import (
	"context"
	"fmt"
	"io"

	notice "flockscope/sim/licences"
)

// licences prints the licences of all that flock and the page are made of.
func licences(_ context.Context, args []string, out, _ io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: flock licences takes no arguments, found %q", errInput, args[0])
	}
	_, err := io.WriteString(out, notice.Text)
	return err
}
