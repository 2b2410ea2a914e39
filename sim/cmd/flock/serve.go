package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

// server is the program that serves the page. It is a program of its own,
// wasm/serve: the simulation runs without a page and imports none.
const server = "flock-serve"

// serve runs the server until one of the two is told to stop: the one beside
// this program, or in the PATH, or, within the source tree, the one that the go
// command builds.
func serve(ctx context.Context, args []string, out, errs io.Writer) error {
	command, err := serverCommand(os.Executable, exec.LookPath, inSource)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", filepath.Base(command[0]), err)
	}
	return nil
}

// serverCommand finds out what to run.
func serverCommand(self func() (string, error), look func(string) (string, error), inSource func(golang string) bool) ([]string, error) {
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
	return nil, badInput(errors.New("there is no " + server + " beside flock or in the PATH; make serve builds both"))
}

// inSource reports whether this is a directory of Flockscope's source.
func inSource(golang string) bool {
	return exec.Command(golang, "list", "flockscope/wasm/serve").Run() == nil
}
