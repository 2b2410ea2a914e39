//go:build !js

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/datafiles"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "sweep", args: "-vary KEY=VALUES [-o FILE] QUERY", run: sweepRuns,
	doc: "vary settings over ranges with many seeds; resumable with -o, divisible with -shard, -emit and -nats",
})

// sweepFlags are the flags of a sweep, in addition to those of an experiment.
type sweepFlags struct {
	vary                   []string
	plan, seeds, floats    string
	workers                string
	out                    string
	retry                  bool
	shard, shards          string
	emit, image            string
	csv, json, jsonl, time bool
	servers                cluster.Servers
	listen                 string
	replicas, redeliver    string
	skip                   bool // accept damaged records
}

func (s *sweepFlags) add(fs *flag.FlagSet) {
	fs.Func("vary", "a setting and its values: dphi=5,10,20 or dphi=5:40:5 or b=5:640:*2 or algos=cflgp,ifca; any number of times", func(text string) error {
		s.vary = append(s.vary, text)
		return nil
	})
	fs.StringVar(&s.plan, "plan", "",
		"a file that holds a whole plan, - for standard input; in place of -vary, -seeds, -floats and a query")
	fs.StringVar(&s.seeds, "seeds", "10", "runs of every combination of values")
	fs.StringVar(&s.floats, "floats", "0",
		"budget: take scores after so many floats sent and received per client; 0 for the last round")
	s.addDestination(fs)
	s.addFormat(fs)
}

// addDestination adds the flags for where a sweep runs and where its results go.
func (s *sweepFlags) addDestination(fs *flag.FlagSet) {
	fs.StringVar(&s.workers, "workers", "",
		"runs at a time, by way of a NATS server inside this program; the result does not depend on it")
	fs.StringVar(&s.out, "o", "", "the file of results; the same command continues it")
	fs.BoolVar(&s.retry, "retry", false, "compute cells again that failed before")
	fs.StringVar(&s.shard, "shard", "", "i/n: compute the i-th of n parts, from 0, into a file of its own")
	fs.StringVar(&s.shards, "shards", "", "how many parts: with -emit, and with JOB_COMPLETION_INDEX")
	fs.StringVar(&s.emit, "emit", "", "print a job for a cluster instead: slurm, kubernetes or container")
	fs.StringVar(&s.image, "image", "flockscope/flock:latest", "the container image, with -emit kubernetes")
	addDamaged(fs, &s.skip)
	addServers(fs, &s.servers)
	fs.StringVar(&s.listen, "listen", "",
		"with -workers: an address at which other workers may join, such as 127.0.0.1:4222 or NAME:PASSWORD@0.0.0.0:4222; "+
			"beyond this computer a password is made where none is given")
	fs.StringVar(&s.replicas, "replicas", "1",
		"with -nats: on how many servers of a cluster each message is kept; 1, 3 or 5")
	fs.StringVar(&s.redeliver, "redeliver", "30s",
		"with -nats: after how long a cell goes to another worker when its own has fallen silent")
}

func (s *sweepFlags) addFormat(fs *flag.FlagSet) {
	fs.BoolVar(&s.csv, "csv", false, "print every run as CSV")
	fs.BoolVar(&s.json, "json", false, "print means and every run as JSON")
	fs.BoolVar(&s.jsonl, "jsonl", false, "print every record as one JSON object per line")
	fs.BoolVar(&s.time, "timing", false, "with -jsonl: also how long each cell took, and by which program")
}

// sweepRuns computes the cells of a plan and prints the results of the lanes: a table of means ± standard deviations,
// or every run. After an interrupt it prints the results so far.
func sweepRuns(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("sweep")
	var flags sweepFlags
	flags.add(fs)
	base, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	if flags.emit == "container" { // the image is the same for all plans
		return flags.printJob(out, &plan.Plan{Base: base}, cluster.NewLog(errs))
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	p, err := flags.makePlan(fs, given, base, file)
	if err != nil {
		return inputUnlessDamaged(err)
	}
	if err := checkPlayable(p, file); err != nil {
		return badInput(err)
	}
	warnUnread(errs, p, file)
	log := cluster.NewLog(errs)
	return flags.play(ctx, p, file, out, log, func(w io.Writer, t *results.Table) error {
		if p.Cells() > cluster.MaxUnkept && !flags.csv && !flags.json && !flags.jsonl {
			logWhere(log, flags.out)
			return nil
		}
		return flags.print(w, t)
	})
}

// warnUnread warns of settings that the user set and that no point of a plan reads.
func warnUnread(errs io.Writer, p *plan.Plan, file *workload.File) {
	fromFile := map[string]bool{}
	if file != nil {
		for _, setting := range append(file.Settings(), file.Advice()...) {
			key, _, _ := strings.Cut(setting, "=")
			fromFile[key] = true
		}
	}
	for _, f := range catalog.Schema().Fields() {
		if _, given := p.Base.Given(f.Name); given && !fromFile[f.Name] && !p.Reads(f.Name) {
			fmt.Fprintf(errs, "flock: warning: %s has no effect with these lanes and data\n", f.Name)
		}
	}
}

// logWhere logs where the results are, if they are not printed.
func logWhere(log *cluster.Log, name string) {
	log.Printf("the results are in %s; flock results prints them", name)
}

// print prints a table in the format of the flags.
func (s *sweepFlags) print(w io.Writer, t *results.Table) error {
	switch {
	case s.jsonl:
		return t.WriteLines(w, s.time)
	case s.json:
		return t.WriteJSON(w)
	case s.csv:
		return t.WriteCSV(w)
	}
	return t.WriteText(w)
}

// play computes the cells of a plan, or of a part of it, and prints a table of them.
func (s *sweepFlags) play(ctx context.Context, p *plan.Plan, file *workload.File, out io.Writer, log *cluster.Log,
	print func(w io.Writer, t *results.Table) error) error {
	if s.emit != "" {
		return s.printJob(out, p, log)
	}
	o, err := s.options(log)
	if err != nil {
		return badInput(err)
	}
	sweep, err := cluster.New(p, file, *o)
	if err != nil {
		return inputIf(err)
	}
	defer sweep.Close()
	stopped := sweep.Run(ctx)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	if stopped != nil {
		sweep.LogStopped()
	}
	if o.Part.Count > 1 {
		logWhere(log, sweep.Out())
		return errors.Join(stopped, sweep.Failures())
	}
	buffer := bufio.NewWriterSize(out, 1<<16)
	t := &results.Table{Plan: p, Records: sweep.Store(), Engine: version.Engine}
	if err := errors.Join(print(buffer, t), buffer.Flush()); err != nil {
		return err
	}
	sweep.LogUnfit()
	if stopped != nil {
		return stopped
	}
	return sweep.Failures()
}

// makePlan makes the plan of the flags, of -plan, or of the file of results.
func (s *sweepFlags) makePlan(fs *flag.FlagSet, given map[string]bool, base experiment.Config,
	file *workload.File) (*plan.Plan, error) {
	hash, err := datafiles.Hash(*fs.Lookup("data").Value.(*paths))
	if err != nil {
		return nil, err
	}
	plain := len(s.vary) == 0 && !given["seeds"] && !given["floats"] &&
		(file != nil || base.Explicit(true) == catalog.Schema().Default().Explicit(true))
	var text string
	switch {
	case s.plan != "":
		if !plain {
			return nil, fmt.Errorf("got -plan %s and also a query, -vary, -seeds or -floats; the plan has these lines already, so change it there", s.plan)
		}
		if text, err = readText(s.plan, maxPlan); err != nil {
			return nil, err
		}
	case plain && s.out != "":
		if text, err = cluster.StoredPlan(s.out); err != nil {
			return nil, err
		}
	}
	if text != "" {
		draft, err := plan.ParseDraft(text)
		if err != nil {
			return nil, fmt.Errorf("the plan: %w", err)
		}
		if draft.Data != hash && draft.Data != "" {
			return nil, errors.New("the plan is about files of samples: give the same ones with -data")
		}
		draft.Data = hash
		return draft.Plan(catalog.Schema().Parse)
	}
	if len(s.vary) == 0 {
		return nil, errors.New("say what to vary, such as -vary dphi=5:40:5")
	}
	draft := &plan.Draft{Vary: s.vary, Data: hash}
	if draft.Seeds, err = wholeFlag("-seeds", s.seeds, plan.MostValues); err != nil {
		return nil, err
	}
	if draft.Floats, err = plan.ParseFloats(s.floats); err != nil {
		return nil, err
	}
	return draft.Around(base)
}

// maxPlan bounds the text of a plan, in bytes.
const maxPlan = 64 << 20

// checkPlayable returns an error if the engine rejects the first points of a plan: then the base is wrong, not a combination
// of values.
func checkPlayable(p *plan.Plan, file *workload.File) (first error) {
	const some = 200
	for point := range min(p.Points(), some) {
		c, err := p.Point(point)
		if err == nil {
			err = catalog.Check(c, file)
		}
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// options reads the flags for where a sweep runs and where its results go.
func (s *sweepFlags) options(log *cluster.Log) (o *cluster.Options, err error) {
	o = &cluster.Options{Out: s.out, Retry: s.retry, Log: log, Damaged: &cluster.Damaged{Skip: s.skip, Log: log},
		Workers: min(runtime.NumCPU(), cluster.MaxWorkers)}
	parts := 0
	if s.shards != "" {
		if parts, err = wholeFlag("-shards", s.shards, cluster.MaxParts); err != nil {
			return nil, err
		}
	}
	if o.Part, err = cluster.PartOf(s.shard, parts, os.Getenv); err != nil {
		return nil, err
	}
	if s.workers != "" {
		if o.Workers, err = wholeFlag("-workers", s.workers, cluster.MaxWorkers); err != nil {
			return nil, err
		}
	}
	switch {
	case s.servers.URLs == "" && s.workers == "" && s.listen != "":
		return nil, errors.New("-listen needs -workers: without it there is no server that others could join")
	case s.servers.URLs == "" && s.workers == "":
		return o, nil
	case s.servers.URLs != "":
		if s.workers != "" {
			return nil, errors.New("with -nats others compute: start them with flock work -nats URL, and leave -workers away here")
		}
		o.Workers = 1 // at least one: the number of other workers is unknown
	}
	o.Queue, err = s.queue(o.Workers)
	return o, err
}

// queue reads the flags of a sweep whose cells are distributed by NATS servers.
func (s *sweepFlags) queue(workers int) (*cluster.Queue, error) {
	if s.shard != "" {
		return nil, errors.New("-shard divides what workers of NATS share anyway; leave one of the two away")
	}
	q := &cluster.Queue{Servers: s.servers}
	if s.servers.URLs == "" {
		q.Workers = workers
	}
	var err error
	if s.listen != "" {
		listen, err := cluster.ParseListen(s.listen)
		if err != nil {
			return nil, err
		}
		q.Listen = &listen
	}
	if q.Replicas, err = wholeFlag("-replicas", s.replicas, 5); err != nil {
		return nil, err
	}
	if q.Redeliver, err = time.ParseDuration(s.redeliver); err != nil || q.Redeliver < time.Second {
		return nil, fmt.Errorf("-redeliver: got %q, want a time of at least 1s, such as 30s or 5m", s.redeliver)
	}
	return q, nil
}

// printJob prints a job for a cluster.
func (s *sweepFlags) printJob(out io.Writer, p *plan.Plan, log *cluster.Log) error {
	job := cluster.Job{Kind: s.emit, Parts: 16, Out: cmp.Or(s.out, "results.flock"), Image: s.image}
	if s.shards != "" {
		var err error
		if job.Parts, err = wholeFlag("-shards", s.shards, cluster.MaxParts); err != nil {
			return badInput(err)
		}
	}
	return inputIf(job.Write(out, p, log))
}

// addServers adds the flags for connecting to NATS. Their names, and those of the environment variables, are the same
// as those of the nats command.
func addServers(fs *flag.FlagSet, n *cluster.Servers) {
	fs.StringVar(&n.URLs, "nats", "", "share the work by the NATS servers at these addresses, with commas between them")
	fs.StringVar(&n.Creds, "creds", os.Getenv("NATS_CREDS"), "with -nats: a file of credentials")
	fs.StringVar(&n.CA, "tlsca", os.Getenv("NATS_CA"), "with -nats: a file of authorities to trust")
	fs.StringVar(&n.Cert, "tlscert", os.Getenv("NATS_CERT"), "with -nats: a certificate of this client")
	fs.StringVar(&n.Key, "tlskey", os.Getenv("NATS_KEY"), "with -nats: the key of the certificate")
}

// addDamaged adds the flag for damaged files of results.
func addDamaged(fs *flag.FlagSet, skip *bool) {
	fs.Func("damaged", "stop or skip: results that cannot be read make the exit code 1, and a damaged file is not "+
		"written to; skip goes on without them, and a sweep computes them again (default stop)", func(text string) error {
		if *skip = text == "skip"; !*skip && text != "stop" {
			return &param.Error{Field: "-damaged", Got: text, Want: "stop or skip"}
		}
		return nil
	})
}

// inputIf marks an error as the user's if it concerns the input: a wrong name, or a file of another sweep, but not
// damage or errors of a disk.
func inputIf(err error) error {
	for _, kind := range []error{cluster.ErrInput, results.ErrTaken, results.ErrVersion, results.ErrForeign} {
		if errors.Is(err, kind) {
			return badInput(err)
		}
	}
	return err
}

// inputUnlessDamaged marks an error as the user's, unless a file is damaged.
func inputUnlessDamaged(err error) error {
	if errors.Is(err, results.ErrDamaged) {
		return err
	}
	return badInput(err)
}

// wholeFlag reads the value of a flag: a whole number from 1 to most.
func wholeFlag(flag, text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, &param.Error{Field: flag, Got: text, Want: say.Messagef("a whole number from 1 to %d", most)}
	}
	return n, nil
}
