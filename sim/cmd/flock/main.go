// Command flock runs Flockscope's experiments without a browser.
//
//	flock run 'data=linreg&dphi=20&C=12&b=10&K=3&T=200&algos=cflgp,ifca&sd=1&sm=1&sa=1'
//
// flock help lists the commands and the exit codes. A command registers itself in the file of
// its name; it parses flags, calls the simulator or the laboratory (sim/lab), and prints.
//
//	main.go     dispatch, exit codes, standard output
//	run.go      the query, flags and files of one experiment; run and check
//	lines.go    a run as lines of JSON
//	sweep.go    the flags of a sweep, shared by arena and reproduce
//	results.go  results and merge
//	docs*.go    the generated parts of Markdown files
//	signals*.go interrupts
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
)

// Exit codes. The text of [usage] explains them.
const (
	exitOK      = 0
	exitFailed  = 1
	exitInput   = 2
	exitStopped = 130
)

// A command is a subcommand of flock. Its file registers it, and nothing else refers to it.
type command struct {
	name string
	args string // arguments, for the help
	doc  string // one line
	run  func(ctx context.Context, args []string, out, errs io.Writer) error
}

var commands []command

// register adds a command. It returns true so that a package variable can call it.
func register(c command) bool {
	commands = append(commands, c)
	slices.SortFunc(commands, func(a, b command) int { return strings.Compare(a.name, b.name) })
	return true
}

// find returns the command called name.
func find(name string) (command, bool) {
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		return command{}, false
	}
	return commands[i], true
}

// commandNames returns the names of all commands, with commas between them.
func commandNames() string {
	names := make([]string, len(commands))
	for i, c := range commands {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// usage returns what help prints.
func usage() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(w, "%s\t%s\n", strings.TrimSpace("flock "+c.name+" "+c.args), c.doc)
	}
	w.Flush()
	text.WriteString(`
A QUERY is what stands behind the "?" of a Flockscope link, such as
'data=linreg&dphi=20&C=12&algos=cflgp,ifca'; the whole link also works. Settings
may also be flags, such as -dphi 20; a flag replaces what the query says. A setting
that does not exist is an error; with -lenient it is passed over, with a warning.
What mail programs and chats did to a link is repaired, and one line says what.

Results go to standard output, everything else to standard error. Exit codes:
  0    success, also when the reader of a pipe, such as head, wants no more
  1    failure, for example because the disk is full
  2    bad input: a command line, query or file that cannot be used
  130  stopped by an interrupt, SIGTERM or SIGHUP; what was finished is printed
`)
	return text.String()
}

// errInput marks errors that the caller can correct.
var errInput = errors.New("bad input")

func main() {
	ctx, stop := withSignals(context.Background())
	code := flock(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// flock runs one command line and returns the exit code.
func flock(ctx context.Context, args []string, stdout, errs io.Writer) int {
	out := &output{w: stdout}
	err := dispatch(ctx, args, out, errs)
	var help *helpError
	switch {
	case errors.As(err, &help):
		help.write(out)
		err = nil
	case errors.Is(err, flag.ErrHelp):
		_, err = io.WriteString(out, usage())
	}
	if out.err != nil {
		err = out.err
	}
	var child childError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.As(err, &child):
		return child.code
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "flock: stopped")
		return exitStopped
	case errors.Is(err, errInput):
		fmt.Fprintln(errs, "flock:", unwrapInput(err))
		return exitInput
	}
	fmt.Fprintln(errs, "flock:", err)
	return exitFailed
}

// dispatch finds the command and runs it.
func dispatch(ctx context.Context, args []string, out, errs io.Writer) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	switch name {
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	case "-version", "--version":
		name = "version"
	}
	c, ok := find(name)
	if !ok {
		return badInput(fmt.Errorf("expected one of %s; for example flock run 'data=linreg&algos=cflgp,ifca'",
			commandNames()))
	}
	return c.run(ctx, args[1:], out, errs)
}

// output is standard output. It keeps the first error of writing to it, so that commands need not check each write.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// badInput marks err as an error that the caller can correct.
func badInput(err error) error { return &inputError{err} }

type inputError struct{ err error }

func (e *inputError) Error() string        { return e.err.Error() }
func (e *inputError) Is(target error) bool { return target == errInput }
func (e *inputError) Unwrap() error        { return e.err }

func unwrapInput(err error) error {
	var in *inputError
	if errors.As(err, &in) {
		return in.err
	}
	return err
}
