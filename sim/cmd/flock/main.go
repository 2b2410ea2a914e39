// Flock runs Flockscope's experiments without a browser.
//
//	flock run [-data FILE] QUERY     run; one JSON object a line
//	flock run -preset FILE           the same, with the query from a file
//	flock sweep -vary KEY=VALUES QUERY   try one setting or two over a range
//	flock check QUERY                print the canonical query, or what is wrong
//	flock list                       algorithms and workloads
//	flock schema                     every setting, as JSON
//	flock docs FOLDER                rewrite the generated parts of Markdown files
//	flock serve                      the page, its links and their previews, from a site that was built
//
// A QUERY is what stands behind the "?" of a Flockscope link, such as
//
//	flock run 'data=linreg&dphi=20&C=12&b=10&K=3&T=200&algos=cflgp,ifca&sd=1&sm=1&sa=1'
//
// and the whole link does as well. Settings may also be flags, -dphi 20, which
// win over the query. It prints results to standard output and everything else
// to standard error, and ends with 0, with 2 for bad input, or with 1 when the
// run itself failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

// usage is what help prints.
const usage = `flock run [-data FILE] QUERY            run; one JSON object a line
flock run -preset FILE                  the same, with the query from a file
flock sweep -vary KEY=VALUES QUERY      try one setting or two over a range; -seeds N, -csv, -json
flock check QUERY                       print the canonical query, or what is wrong
flock list                              algorithms, workloads and their settings
flock schema                            every setting, as JSON
flock serve                             the page, its links and their previews, from a site that was built

A QUERY is what stands behind the "?" of a Flockscope link, such as
'data=linreg&dphi=20&C=12&algos=cflgp,ifca'. Settings may also be flags: -dphi 20.
`

// errInput marks what the caller can mend.
var errInput = errors.New("bad input")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(flock(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// flock carries out one command line and returns the exit code.
func flock(ctx context.Context, args []string, out, errs io.Writer) int {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"run": run, "sweep": sweepRuns, "check": check, "list": list, "schema": schema, "serve": serve, "docs": docs,
	}
	if len(args) > 0 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		fmt.Fprint(out, usage)
		return 0
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprintln(errs, "flock: want one of run, sweep, check, list, schema, serve, docs; for example flock run 'data=linreg&algos=cflgp,ifca'")
		return 2
	}
	err := commands[args[0]](ctx, args[1:], out, errs)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, usage)
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "flock: stopped")
		return 130
	case errors.Is(err, errInput):
		fmt.Fprintln(errs, "flock:", unwrapInput(err))
		return 2
	}
	fmt.Fprintln(errs, "flock:", err)
	return 1
}

// badInput marks err as the caller's.
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
