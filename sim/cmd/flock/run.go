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
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/datafiles"
	"flockscope/sim/param"
	"flockscope/sim/runfile"
	"flockscope/sim/say"
	"flockscope/sim/textfile/packed"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "run", args: "[-data FILE | -preset FILE] [-why] [-save FILE] QUERY", run: run,
	doc: "run an experiment; prints one JSON object per line; -why adds on stderr what each method has achieved, and why; -save writes a file that the page opens",
})

var _ = register(command{
	name: "check", args: "QUERY", run: check,
	doc: "print the canonical query if run accepts it, or what is wrong",
})

// arguments are the input of a command about one experiment: a query or a preset, settings as flags, and files of
// samples.
type arguments struct {
	flags   *flag.FlagSet
	schema  *experiment.Schema
	files   paths
	preset  string
	lenient bool
	given   map[string]*string // settings as flags, by name

	link      experiment.Link // the query, with additions from the files
	queryLink experiment.Link // the query only
	file      *workload.File  // nil without files
	notes     []string        // about the files; printed after everything else is accepted
}

// parseArgs reads a query and flags into a configuration. An unknown key is an error unless
// -lenient is given. Repairs, adaptations and warnings go to errs. A command may have added flags to fs.
func parseArgs(fs *flag.FlagSet, args []string, errs io.Writer) (experiment.Config, *workload.File, error) {
	a := newArguments(fs)
	query, err := a.query(args)
	if err != nil {
		return experiment.Config{}, nil, badInput(err)
	}
	a.link = a.schema.ReadLink(query)
	a.queryLink = a.link
	if len(a.files) > 0 {
		if err := a.openFiles(); err != nil {
			return experiment.Config{}, nil, badInput(err)
		}
	}
	c, err := a.config(errs)
	if err != nil {
		return experiment.Config{}, nil, badInput(err)
	}
	for _, note := range a.notes {
		fmt.Fprintln(errs, "flock: note:", note)
	}
	for _, p := range c.Adapted() {
		fmt.Fprintln(errs, "flock:", p)
	}
	return c, a.file, nil
}

// newArguments adds the flags of an experiment to those of a command.
func newArguments(fs *flag.FlagSet) *arguments {
	a := &arguments{flags: fs, schema: catalog.Schema(), given: map[string]*string{}}
	fs.Var(&a.files, "data", "a table, or files of samples with commas between them, or the folder of MNIST's or CIFAR-10's; may be given more than once")
	fs.StringVar(&a.preset, "preset", "", "a file that holds a query")
	fs.BoolVar(&a.lenient, "lenient", false, "pass over settings that do not exist, with a warning")
	for _, f := range a.schema.Fields() {
		for _, name := range append([]string{f.Name}, f.FormerNames...) {
			a.given[name] = fs.String(name, "", f.Label)
		}
	}
	a.given["algos"] = fs.String("algos", "", "lanes")
	return a
}

// query parses the flags and returns the query, which may stand before or after them, or
// that of the preset.
func (a *arguments) query(args []string) (string, error) {
	queries, err := parseInterspersed(a.flags, args)
	if err != nil {
		return "", explainFlag(a.schema, err)
	}
	queries = slices.DeleteFunc(queries, func(query string) bool { return query == "" })
	switch {
	case len(queries) > 1:
		return "", fmt.Errorf("got a second query %q; put the first in quotes, since & means something to the shell",
			queries[1])
	case a.preset == "":
		return strings.Join(queries, ""), nil
	case len(queries) > 0:
		return "", fmt.Errorf("got a query and -preset %s; flags can change a preset, a second query cannot", a.preset)
	}
	text, err := readText(a.preset, maxPreset)
	return experiment.Preset(text), err
}

// openFiles reads the files. They determine the data and some settings, unless the query sets these or a setting is not
// possible with it.
func (a *arguments) openFiles() error {
	opened, err := datafiles.Open(a.files)
	if err != nil {
		return explainFile(a.schema, err)
	}
	// The roles of the columns determine the data.
	chosen, _ := a.schema.ParseLink(a.link.WithDefault("data", "samples"))
	value := func(key string) string {
		if text := *a.given[key]; text != "" {
			chosen, _ = chosen.With(key, text)
		}
		return chosen.Value(key)
	}
	if a.file, err = opened.With(value("cols"), value("na")); err != nil {
		return err
	}
	for _, note := range a.file.Notes {
		a.notes = append(a.notes, note.String()+".")
	}
	kept := func(key string) bool {
		_, set := chosen.Given(key)
		return set || *a.given[key] != "" || key == "test" && a.link.Has("data")
	}
	settings := append([]string{"data=" + a.file.Data()}, a.file.SettingsApart()...)
	if a.link.Has("data") || kept("test") && value("test") == "share" {
		settings = append(settings[:1], a.file.Settings()...)
	}
	advised := !a.link.Has("data") && !a.link.Has("opt") && *a.given["opt"] == ""
	if advised {
		settings = append(settings, a.file.Advice()...)
	}
	if note := a.file.Adapted(kept, advised); note != "" {
		a.notes = append(a.notes, note.String()+".")
	}
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		with := a.link.WithDefault(key, value)
		_, problems := a.schema.ParseLink(with)
		var wrong *param.Error
		if !a.link.Has(key) && errors.As(experiment.First(problems), &wrong) && wrong.Field == key {
			continue
		}
		a.link = with
	}
	return nil
}

// config returns the configuration of the link and the flags.
func (a *arguments) config(errs io.Writer) (experiment.Config, error) {
	c, problems := a.schema.ParseLink(a.link)
	if err := experiment.First(problems); err != nil {
		return c, err
	}
	if err := experiment.Strict(problems); err != nil && !a.lenient {
		return c, fmt.Errorf("%w; -lenient passes over what is unknown", err)
	}
	for _, p := range problems {
		switch {
		case p.Adapted != "", p.Unread != "": // flags can change both
		case p.Repair:
			fmt.Fprintln(errs, "flock:", p)
		default:
			fmt.Fprintln(errs, "flock: warning:", p)
		}
	}
	if f := a.file; f != nil && c.Workload() != f.Data() && !(c.Workload() == "samples" && f.Set != nil) &&
		!(c.Workload() == "csv" && f.Table != nil) {
		return c, &param.Error{Field: "data", Got: c.Workload(), Want: say.Messagef("%s, or no data= at all", f.Data()),
			Hint: "-data brings " + f.Words()}
	}
	var settings [][2]string
	given := a.queryLink
	a.flags.Visit(func(f *flag.Flag) {
		if text, ok := a.given[f.Name]; ok {
			settings = append(settings, [2]string{f.Name, *text})
			given = given.WithDefault(f.Name, *text)
		}
	})
	c, err := c.WithAll(settings)
	if err == nil && a.flags.Lookup("vary") == nil { // runs with other values may read what this one does not
		for _, p := range c.Unread(given) {
			fmt.Fprintln(errs, "flock: warning:", p)
		}
	}
	return c, err
}

// explainFile adds to the error about a file that does not exist how to run data with that name, if there are any.
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

// explainFlag adds a suggestion to the error about an unknown flag: a setting with a similar name.
func explainFlag(s *experiment.Schema, err error) error {
	_, name, ok := strings.Cut(err.Error(), "flag provided but not defined: -")
	if !ok {
		return err
	}
	if hint := s.Hint(name); hint != "" {
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

// parse parses flags. With -h it returns a [helpError].
func parse(fs *flag.FlagSet, args []string) error {
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return &helpError{fs}
	}
	return err
}

// helpError says that the user asked for help on a command.
type helpError struct{ flags *flag.FlagSet }

func (h *helpError) Error() string { return flag.ErrHelp.Error() }

// write writes what the command does, and its flags, without those of settings.
func (h *helpError) write(out io.Writer) {
	c, _ := find(h.flags.Name())
	fmt.Fprintf(out, "%s\n%s\n", strings.TrimSpace("flock "+c.name+" "+c.args), c.doc)
	settings := map[string]bool{"algos": true}
	takesSettings := h.flags.Lookup("dphi") != nil // other commands have flags of these names, such as -data
	for _, f := range catalog.Schema().Fields() {
		for _, name := range append([]string{f.Name}, f.FormerNames...) {
			settings[name] = true
		}
	}
	own := flag.NewFlagSet(c.name, flag.ContinueOnError)
	own.SetOutput(out)
	h.flags.VisitAll(func(f *flag.Flag) {
		if !takesSettings || !settings[f.Name] {
			own.Var(f.Value, f.Name, f.Usage)
		}
	})
	own.PrintDefaults()
	if takesSettings {
		fmt.Fprintln(out, "Settings may be flags, too, such as -dphi 20; flock schema lists them. flock help explains queries.")
	}
}

// parseInterspersed parses flags before, between and after operands, and returns the operands.
func parseInterspersed(fs *flag.FlagSet, args []string) (operands []string, err error) {
	for len(args) > 0 {
		if err := parse(fs, args); err != nil {
			return nil, err
		}
		if args = fs.Args(); len(args) > 0 {
			operands, args = append(operands, args[0]), args[1:]
		}
	}
	return operands, nil
}

// operands returns the arguments of a command whose only flag is -h.
func operands(name string, args []string) ([]string, error) {
	fs := newFlags(name)
	if err := parse(fs, args); err != nil {
		return nil, badInput(err)
	}
	return fs.Args(), nil
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("run")
	why := fs.Bool("why", false, "say what each method has achieved, and why")
	save := fs.String("save", "", "the file to write the run to; dropped on the page, it shows the run without computing it")
	c, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	var saving *os.File
	if *save != "" {
		if saving, err = newFile(*save, "-save"); err != nil {
			return err
		}
		defer saving.Close()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := &jsonLines{w: bufio.NewWriter(out), errs: errs, stop: stop, config: c, file: file}
	var sink engine.Sink = lines
	if *why {
		sink = &reasons{jsonLines: lines}
	}
	var saved engine.Recorder
	if saving != nil {
		sink = both{sink, &saved}
	}
	err = engine.Run(ctx, c, file, sink)
	if saving != nil {
		if err == nil && lines.err == nil {
			_, lines.err = saving.Write(runfile.Write(saved.Run))
		}
		if err != nil || lines.err != nil {
			os.Remove(*save)
		}
	}
	if flushed := lines.w.Flush(); lines.err == nil {
		lines.err = flushed
	}
	switch {
	case lines.err != nil:
		return lines.err
	case err != nil && !errors.Is(err, context.Canceled): // the engine rejects a run that is not possible
		return badInput(err)
	}
	return err
}

// both is two sinks as one.
type both [2]engine.Sink

func (b both) Begin(h *trace.Header) {
	for _, s := range b {
		s.Begin(h)
	}
}

func (b both) Frame(lane int, f *trace.Frame) {
	for _, s := range b {
		s.Frame(lane, f)
	}
}

func (b both) Round(t int) {
	for _, s := range b {
		s.Round(t)
	}
}

func (b both) End(lane int, sum *trace.Summary) {
	for _, s := range b {
		s.End(lane, sum)
	}
}

// maxPreset is the size of the largest preset file, in bytes. Its query may have
// 16384 characters; the rest is comments.
const maxPreset = 1 << 20

// readText returns the text of a file, or of standard input if the name is "-", as UTF-8 and decompressed if it is
// gzip: at most `most` bytes.
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
	text, err := packed.Read(data, most)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

// paths are the files of -data.
type paths []string

func (p *paths) String() string { return strings.Join(*p, ",") }

// Set adds the file with this name if there is one, or else several files, separated by commas.
func (p *paths) Set(text string) error {
	if _, err := os.Stat(text); err == nil {
		*p = append(*p, text)
	} else {
		*p = append(*p, strings.Split(text, ",")...)
	}
	return nil
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
