package main

import (
	"context"
	"io"
)

var _ = register(command{
	name: "class", args: "[FLAGS]", run: holdClass,
	doc: "open a class whose phones are the clients of a run; -h lists the flags",
})

// holdClass runs the server with a class.
func holdClass(ctx context.Context, args []string, out, errs io.Writer) error {
	return serve(ctx, append([]string{"-class"}, args...), out, errs)
}
