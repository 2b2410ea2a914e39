package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/ingest"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/textfile"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "run", args: "[-data FILE | -preset FILE] QUERY", run: run,
	doc: "run an experiment; prints one JSON object per line",
})

var _ = register(command{
	name: "check", args: "QUERY", run: check,
	doc: "print the canonical query if run accepts it, or what is wrong",
})

// parseArgs reads a query and flags into a configuration. A key that nobody reads is an
// error unless -lenient is given. What was repaired or adapted, and warnings, go to errs.
// A command may have put flags of its own into fs.
func parseArgs(fs *flag.FlagSet, args []string, errs io.Writer) (experiment.Config, *workload.File, error) {
	s := catalog.Schema()
	var files paths
	fs.Var(&files, "data", "a table, or files of samples with commas between them, or the folder of MNIST's or CIFAR-10's; may be given more than once")
	preset := fs.String("preset", "", "a file that holds a query")
	lenient := fs.Bool("lenient", false, "pass over settings that do not exist, with a warning")
	given := map[string]*string{}
	for _, f := range s.Fields() {
		for _, name := range append([]string{f.Name}, f.Was...) {
			given[name] = fs.String(name, "", f.Label)
		}
	}
	given["algos"] = fs.String("algos", "", "lanes")
	var none experiment.Config
	// The query may stand before or after the flags.
	var query string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return none, nil, badInput(explainFlag(s, err))
		}
		if fs.NArg() == 0 {
			break
		}
		if query != "" {
			return none, nil, badInput(fmt.Errorf("got a second query %q; put the first in quotes, since & means something to the shell", fs.Arg(0)))
		}
		query, args = fs.Arg(0), fs.Args()[1:]
	}
	if *preset != "" {
		if query != "" {
			return none, nil, badInput(fmt.Errorf("got a query and -preset %s; flags can change a preset, a second query cannot", *preset))
		}
		text, err := readText(*preset, maxPreset)
		if err != nil {
			return none, nil, badInput(err)
		}
		query = experiment.Preset(text)
	}
	link := s.ReadLink(query)
	asked := link
	var brought *workload.File
	var notes []string // on the files, said where all else is right
	if len(files) > 0 {
		opened, err := readFiles(files)
		if err != nil {
			return none, nil, badInput(explainFile(s, err))
		}
		// What the columns are for decides what data it is.
		chosen, _ := s.ParseLink(link.WithDefault("data", "samples"))
		value := func(key string) string {
			if text := *given[key]; text != "" {
				chosen, _ = chosen.With(key, text)
			}
			return chosen.Value(key)
		}
		if brought, err = opened.With(value("cols"), value("na")); err != nil {
			return none, nil, badInput(err)
		}
		for _, note := range brought.Notes {
			notes = append(notes, note.String()+".")
		}
		kept := func(key string) bool {
			_, set := chosen.Given(key)
			return set || *given[key] != "" || key == "test" && link.Has("data")
		}
		settings := append([]string{"data=" + brought.Data()}, brought.SettingsApart()...)
		if link.Has("data") || kept("test") && value("test") == "share" {
			settings = append(settings[:1], brought.Settings()...)
		}
		advised := !link.Has("data") && !link.Has("opt") && *given["opt"] == ""
		if advised {
			settings = append(settings, brought.Advice()...)
		}
		if note := brought.Adapted(kept, advised); note != "" {
			notes = append(notes, note.String()+".")
		}
		// The file says what data it is, and what else it needs, unless the query does
		// or what it says does not go with it.
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, "=")
			with := link.WithDefault(key, value)
			_, problems := s.ParseLink(with)
			var wrong *param.Error
			if !link.Has(key) && errors.As(experiment.First(problems), &wrong) && wrong.Field == key {
				continue
			}
			link = with
		}
	}
	c, problems := s.ParseLink(link)
	if err := experiment.First(problems); err != nil {
		return none, nil, badInput(err)
	}
	if err := experiment.Strict(problems); err != nil && !*lenient {
		return none, nil, badInput(fmt.Errorf("%w; -lenient passes over what is unknown", err))
	}
	for _, p := range problems {
		switch {
		case p.Adapted != "": // that depends on the flags, too
		case p.Unread != "" && !asked.Has(p.Unread): // of the file
		case p.Unread != "" && fs.Lookup("vary") != nil: // what is varied may read it
		case p.Repair:
			fmt.Fprintln(errs, "flock:", p)
		default:
			fmt.Fprintln(errs, "flock: warning:", p)
		}
	}
	if brought != nil && c.Workload() != brought.Data() && !(c.Workload() == "samples" && brought.Set != nil) &&
		!(c.Workload() == "csv" && brought.Table != nil) {
		return none, nil, badInput(&param.Error{Field: "data", Got: c.Workload(),
			Want: say.Messagef("%s, or no data= at all", brought.Data()),
			Hint: "-data brings " + brought.Words()})
	}
	var flags [][2]string
	fs.Visit(func(f *flag.Flag) {
		if text, ok := given[f.Name]; ok {
			flags = append(flags, [2]string{f.Name, *text})
		}
	})
	c, err := c.WithAll(flags)
	if err != nil {
		return none, nil, badInput(err)
	}
	for _, note := range notes {
		fmt.Fprintln(errs, "flock: note:", note)
	}
	for _, p := range c.Adapted() {
		fmt.Fprintln(errs, "flock:", p)
	}
	return c, brought, nil
}

// explainFile says of a file that does not exist, and has the name of data that do, how to
// run these.
func explainFile(s *experiment.Schema, err error) error {
	var missing *fs.PathError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, refused := s.Default().With("data", missing.Path)
	var wrong *param.Error
	switch {
	case refused == nil:
		return fmt.Errorf("%w; -data takes files, and the query takes data=%s", err, missing.Path)
	case errors.As(refused, &wrong) && wrong.Hint != "":
		return fmt.Errorf("%w (%s)", err, wrong.Hint)
	}
	return err
}

// explainFlag says of a flag that does not exist which setting may be meant.
func explainFlag(s *experiment.Schema, err error) error {
	_, name, ok := strings.Cut(err.Error(), "flag provided but not defined: -")
	if !ok {
		return err
	}
	if hint := s.Meant(name); hint != "" {
		return fmt.Errorf("unknown flag -%s (%s)", param.Plain(name), hint)
	}
	return fmt.Errorf("unknown flag -%s", param.Plain(name))
}

// newFlags returns the empty set of a command's flags.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// operands returns the arguments of a command that has no flags, but for -h.
func operands(name string, args []string) ([]string, error) {
	fs := newFlags(name)
	if err := fs.Parse(args); err != nil {
		return nil, badInput(err)
	}
	return fs.Args(), nil
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	c, file, err := parseArgs(newFlags("run"), args, errs)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := &jsonLines{w: bufio.NewWriter(out), errs: errs, stop: stop, config: c, file: file}
	err = engine.Run(ctx, c, file, lines)
	if flushed := lines.w.Flush(); lines.err == nil {
		lines.err = flushed
	}
	switch {
	case lines.err != nil:
		return lines.err
	case err != nil && !errors.Is(err, context.Canceled): // the engine refuses what cannot be run
		return badInput(err)
	}
	return err
}

// maxPreset is the size of the largest preset file, in bytes. Its query may have
// 16384 characters; the rest is comments.
const maxPreset = 1 << 20

// readText returns the text in a file, or on standard input where the name is "-", as
// UTF-8, out of its gzip wrapping if it has one: at most most bytes.
func readText(name string, most int) (string, error) {
	from := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err != nil {
		return "", err
	}
	text, err := textfile.Read(data, most)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

// paths are the files of -data.
type paths []string

func (p *paths) String() string { return strings.Join(*p, ",") }

// Set adds a file, or several with commas between them: a comma may be part of a
// name.
func (p *paths) Set(text string) error {
	if _, err := os.Stat(text); err == nil {
		*p = append(*p, text)
	} else {
		*p = append(*p, strings.Split(text, ",")...)
	}
	return nil
}

func init() { ingest.ReadPickles() }

// readFiles reads files that belong together, or a folder of them.
func readFiles(paths []string) (*workload.File, error) {
	paths, err := expand(paths)
	if err != nil {
		return nil, err
	}
	var files []ingest.File
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, ingest.MaxFileBytes+1))
		f.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, ingest.File{Name: path, Data: data})
	}
	return workload.OpenFiles(files)
}

// check prints the canonical query of what run would accept.
func check(_ context.Context, args []string, out, errs io.Writer) error {
	c, file, err := parseArgs(newFlags("check"), args, errs)
	if err != nil {
		return err
	}
	if err := catalog.Check(c, file); err != nil {
		return badInput(err)
	}
	_, err = fmt.Fprintln(out, c)
	return err
}
