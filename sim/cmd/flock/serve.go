package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

var _ = register(command{
	name: "serve", args: "[FLAGS]", run: serve,
	doc: "serve the built site with its links and previews; -h lists the flags",
})

// server is the program that serves the page. It is a program of its own,
// wasm/serve: the simulation runs without a page and imports none.
const server = "flock-serve"

// serve runs the server until one of the two is stopped: the one beside
// this program, or in the PATH, or, within the source tree, the one that the go
// command builds.
func serve(ctx context.Context, args []string, out, errs io.Writer) error {
	command, err := serverCommand(os.Executable, exec.LookPath, inSource)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, errs
	if o, ok := out.(*output); ok {
		cmd.Stdout = o.w // hands a file over as it is, without a pipe
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, ctx.Err() != nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return childError{exit.ExitCode()} // the server has said why
	}
	return fmt.Errorf("%s: %w", filepath.Base(command[0]), err)
}

// childError is the exit code of a program that has printed what went wrong.
type childError struct{ code int }

func (e childError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// serverCommand finds out what to run.
func serverCommand(self func() (string, error), look func(string) (string, error),
	inSource func(golang string) bool) ([]string, error) {
	if path, err := self(); err == nil {
		if path, err = look(filepath.Join(filepath.Dir(path), server)); err == nil {
			return []string{path}, nil
		}
	}
	if path, err := look(server); err == nil {
		return []string{path}, nil
	}
	if golang, err := look("go"); err == nil && inSource(golang) {
		return []string{golang, "run", "flockscope/wasm/serve"}, nil
	}
	return nil, errors.New("there is no " + server + " beside flock or in the PATH; make serve builds both")
}

// inSource reports whether this is a directory of Flockscope's source.
func inSource(golang string) bool {
	return exec.Command(golang, "list", "flockscope/wasm/serve").Run() == nil
}
