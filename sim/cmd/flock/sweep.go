//go:build !js

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
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

// maxWorkers is the most runs that a sweep plays at a time: each takes memory.
const maxWorkers = 256

// mostUnkept is how many cells a sweep has at most without a file of results, and how
// many `flock sweep` prints a table of unless it is asked for.
const mostUnkept = 20000

// sweepFlags are what a sweep is told beside the query.
type sweepFlags struct {
	vary                   []string
	plan, seeds, floats    string
	workers                string
	out                    string
	retry                  bool
	shard, shards          string
	emit, image            string
	csv, json, jsonl, time bool
	nats                   natsFlags
	listen                 string
	replicas, redeliver    string
	damage                 damage
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
	s.addPlaces(fs)
	s.addFormat(fs)
}

// addPlaces adds the flags that say where a sweep runs and where its results go.
func (s *sweepFlags) addPlaces(fs *flag.FlagSet) {
	fs.StringVar(&s.workers, "workers", "",
		"runs at a time, by way of a NATS server inside this program; the result does not depend on it")
	fs.StringVar(&s.out, "o", "", "the file of results; the same command continues it")
	fs.BoolVar(&s.retry, "retry", false, "compute cells again that failed before")
	fs.StringVar(&s.shard, "shard", "", "i/n: compute the i-th of n parts, from 0, into a file of its own")
	fs.StringVar(&s.shards, "shards", "", "how many parts: with -emit, and with JOB_COMPLETION_INDEX")
	fs.StringVar(&s.emit, "emit", "", "print a job for a cluster instead: slurm, kubernetes or container")
	fs.StringVar(&s.image, "image", "flockscope/flock:latest", "the container image, with -emit kubernetes")
	s.damage.add(fs)
	s.nats.add(fs)
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

// sweepRuns computes the cells of a plan and prints how the lanes ended: a table of
// means ± standard deviations, or every run. An interrupt prints what is there.
func sweepRuns(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("sweep")
	var flags sweepFlags
	flags.add(fs)
	base, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	if flags.emit == "container" { // it is the same for all plans
		return flags.printJob(out, errs, &plan.Plan{Base: base})
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	p, err := flags.makePlan(fs, given, base, file)
	if err != nil {
		return inputUnlessDamaged(err)
	}
	if err := playable(p, file); err != nil {
		return badInput(err)
	}
	sayUnread(errs, p, file)
	return flags.play(ctx, p, file, out, errs, func(w io.Writer, t *table) error {
		if p.Cells() > mostUnkept && !flags.csv && !flags.json && !flags.jsonl {
			return sayWhere(errs, flags.out)
		}
		return t.print(w, &flags)
	})
}

// sayUnread warns of settings that were given, not by the files, and that no point of a
// plan reads.
func sayUnread(errs io.Writer, p *plan.Plan, file *workload.File) {
	brought := map[string]bool{}
	if file != nil {
		for _, setting := range append(file.Settings(), file.Advice()...) {
			key, _, _ := strings.Cut(setting, "=")
			brought[key] = true
		}
	}
	for _, f := range catalog.Schema().Fields() {
		if _, given := p.Base.Given(f.Name); given && !brought[f.Name] && !p.Reads(f.Name) {
			fmt.Fprintf(errs, "flock: warning: %s has no effect with these lanes and data\n", f.Name)
		}
	}
}

// sayWhere says where results are that nothing prints.
func sayWhere(errs io.Writer, name string) error {
	_, err := fmt.Fprintf(errs, "flock: the results are in %s; flock results prints them\n", name)
	return err
}

// play computes the cells of a plan, or of a part of it, and has a table of them printed.
func (s *sweepFlags) play(ctx context.Context, p *plan.Plan, file *workload.File, out, errs io.Writer,
	print func(w io.Writer, t *table) error) error {
	if s.emit != "" {
		return s.printJob(out, errs, p)
	}
	errs = &lockedWriter{w: errs}
	w := &sweeper{plan: p, file: file, retry: s.retry, errs: errs, build: version.Text("flock"), of: 1}
	if err := s.place(w); err != nil {
		return badInput(err)
	}
	if w.of > 1 {
		fmt.Fprintf(errs, "flock: part %d of %d (from 0), %s\n", w.shard, w.of, w.from)
	}
	if cells := w.cells(); s.out == "" && (cells > mostUnkept || w.of > 1) {
		return badInput(fmt.Errorf("the sweep has %s; above %s, and in parts, it needs a file of results: add -o FILE",
			say.Amount(cells, "cell"), say.Whole(mostUnkept)))
	}
	w.store = &results.Memory{}
	if s.out != "" {
		name := shardName(s.out, w.shard, w.of)
		f, err := w.open(name, &s.damage)
		if err != nil {
			return inputUnlessIO(err)
		}
		defer f.Close()
		w.store = f
	}
	stopped := w.compute(ctx)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	if stopped != nil {
		w.sayStopped(s.out)
	}
	if w.of > 1 {
		return errors.Join(sayWhere(errs, shardName(s.out, w.shard, w.of)), stopped, w.failures())
	}
	buffer := bufio.NewWriterSize(out, 1<<16)
	t := &table{plan: p, store: w.store, cell: p.At}
	if err := errors.Join(print(buffer, t), buffer.Flush()); err != nil {
		return err
	}
	w.sayUnfit()
	if stopped != nil {
		return stopped
	}
	return w.failures()
}

// makePlan makes the plan of the flags, of -plan, or of the file of results.
func (s *sweepFlags) makePlan(fs *flag.FlagSet, given map[string]bool, base experiment.Config,
	file *workload.File) (*plan.Plan, error) {
	hash, err := datafiles.Hash(*fs.Lookup("data").Value.(*paths))
	if err != nil {
		return nil, err
	}
	plain := len(s.vary) == 0 && !given["seeds"] && !given["floats"] &&
		(file != nil || base.Spelled(true) == catalog.Schema().Default().Spelled(true))
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
		if text, err = storedPlan(s.out); err != nil {
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
		return draft.Plan(parseQuery)
	}
	if len(s.vary) == 0 {
		return nil, errors.New("say what to vary, such as -vary dphi=5:40:5")
	}
	draft := &plan.Draft{Vary: s.vary, Data: hash}
	if draft.Seeds, err = whole("-seeds", s.seeds, plan.MostValues); err != nil {
		return nil, err
	}
	if draft.Floats, err = plan.ParseFloats(s.floats); err != nil {
		return nil, err
	}
	return draft.Around(base)
}

// maxPlan bounds the text of a plan, in bytes.
const maxPlan = 64 << 20

// storedPlan returns the plan of a file of results, "" where there is no such file.
func storedPlan(name string) (string, error) {
	text, _, err := results.ReadPlan(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil || text != "" {
		return text, err
	}
	f, err := results.OpenToRead(name, checkRecord) // there is none, or it is damaged
	if err != nil {
		return "", err
	}
	if d := f.Damage(); d != nil && d.Lost() {
		err = d
	}
	return "", errors.Join(err, f.Close())
}

// playable returns an error if the engine refuses the first points of a plan: then the
// base is wrong, not a combination of values.
func playable(p *plan.Plan, file *workload.File) (first error) {
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

// place says where a sweep runs, and which part of it.
func (s *sweepFlags) place(to *sweeper) (err error) {
	shards := 0
	if s.shards != "" {
		if shards, err = whole("-shards", s.shards, maxShards); err != nil {
			return err
		}
	}
	if to.shard, to.of, to.from, err = shardOf(s.shard, shards, os.Getenv); err != nil {
		return err
	}
	to.workers = min(runtime.NumCPU(), maxWorkers)
	if s.workers != "" {
		if to.workers, err = whole("-workers", s.workers, maxWorkers); err != nil {
			return err
		}
	}
	if s.nats.url == "" && s.workers == "" {
		if s.listen != "" {
			return errors.New("-listen needs -workers: without it there is no server that others could join")
		}
		to.place = local{to.workers}
		return nil
	}
	if s.nats.url != "" {
		to.workers = 1 // at least: how many there are elsewhere nobody knows
	}
	to.place, err = s.cluster(to.workers)
	return err
}

const maxShards = 100_000

// shardOf reads which part of a sweep to compute: from -shard, or from the environment
// of a job of Slurm or Kubernetes.
func shardOf(text string, shards int, env func(string) string) (shard, of int, from string, err error) {
	if text != "" {
		i, n, ok := strings.Cut(text, "/")
		shard, err1 := strconv.Atoi(i)
		of, err2 := strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || shard < 0 || of < 1 || of > maxShards || shard >= of {
			return 0, 0, "", &param.Error{Field: "-shard", Got: text, Want: "i/n with i from 0 to n−1, such as 0/16"}
		}
		return shard, of, "from -shard", nil
	}
	if id := env("SLURM_ARRAY_TASK_ID"); id != "" {
		numbers := map[string]int{}
		for name, fallback := range map[string]string{"ID": id, "COUNT": "", "MIN": "0", "STEP": "1"} {
			text := env("SLURM_ARRAY_TASK_" + name)
			if text == "" {
				text = fallback
			}
			if numbers[name], err = strconv.Atoi(text); err != nil {
				return 0, 0, "", fmt.Errorf("SLURM_ARRAY_TASK_%s is %q; give -shard i/n", name, text)
			}
		}
		shard, of = (numbers["ID"]-numbers["MIN"])/max(numbers["STEP"], 1), numbers["COUNT"]
		if last, err := strconv.Atoi(env("SLURM_ARRAY_TASK_MAX")); err == nil &&
			(last-numbers["MIN"])/max(numbers["STEP"], 1)+1 != of ||
			shard < 0 || shard >= of {
			return 0, 0, "", errors.New("the array of this Slurm job has gaps, so its tasks cannot be counted; give -shard i/n")
		}
		return shard, of, "from SLURM_ARRAY_TASK_ID", nil
	}
	if id := env("JOB_COMPLETION_INDEX"); id != "" {
		shard, err := strconv.Atoi(id)
		if err != nil || shards == 0 || shard < 0 || shard >= shards {
			return 0, 0, "", fmt.Errorf("JOB_COMPLETION_INDEX is %q; -shards must say of how many, such as -shards 16", id)
		}
		return shard, shards, "from JOB_COMPLETION_INDEX", nil
	}
	return 0, 1, "", nil
}

// shardName returns the file of a part: results-03-of-16.flock.
func shardName(name string, shard, of int) string {
	if of == 1 || name == "" {
		return name
	}
	ext := filepath.Ext(name)
	return fmt.Sprintf("%s-%0*d-of-%d%s", strings.TrimSuffix(name, ext), len(strconv.Itoa(of-1)), shard, of, ext)
}

// inputUnlessIO marks an error of opening a file as the caller's, unless the disk or its
// rights are to blame.
func inputUnlessIO(err error) error {
	if errors.Is(err, results.ErrTaken) || errors.Is(err, results.ErrVersion) || errors.Is(err, results.ErrForeign) {
		return badInput(err)
	}
	return err
}

// whole reads the value of a flag: a whole number from 1 to most.
func whole(flag, text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, &param.Error{Field: flag, Got: text, Want: say.Messagef("a whole number from 1 to %d", most)}
	}
	return n, nil
}

// parseQuery reads a query.
func parseQuery(query string) (experiment.Config, []experiment.Problem) {
	return catalog.Schema().Parse(query)
}
