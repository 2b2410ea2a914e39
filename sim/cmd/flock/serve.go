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

// server is the program that serves the page. It is a separate program, wasm/serve, because the simulator does not
// import the page.
const server = "flock-serve"

// serve runs the server until the server or this program is stopped. It looks for the server beside this program, then
// in the PATH; in the source tree the go command builds it.
func serve(ctx context.Context, args []string, out, errs io.Writer) error {
	command, err := serverCommand(os.Executable, exec.LookPath, inSource)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, errs
	if o, ok := out.(*output); ok {
		cmd.Stdout = o.w // passes the file itself, without a pipe
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, ctx.Err() != nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return childError{exit.ExitCode()} // the server has printed the error
	}
	return fmt.Errorf("%s: %w", filepath.Base(command[0]), err)
}

// childError is the exit code of a child process that has printed its error.
type childError struct{ code int }

func (e childError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// serverCommand returns the command that starts the server.
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
