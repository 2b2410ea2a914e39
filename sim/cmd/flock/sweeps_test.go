//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/results"
)

// says runs flock and returns what it prints and says; the exit code must be code.
func says(t *testing.T, code int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if got := flock(context.Background(), args, &o, &e); got != code {
		t.Fatalf("flock %q ends with %d, want %d: %s", args, got, code, &e)
	}
	return o.String(), e.String()
}

// exported returns the records of a file, one per line.
func exported(t *testing.T, name string) string {
	t.Helper()
	out, _ := says(t, 0, "results", "-jsonl", name)
	return out
}

// sweepOf is a sweep of some short runs.
func sweepOf(more ...string) []string {
	return append([]string{"sweep", "T=4&C=6&algos=ifca", "-vary", "dphi=5:40:5", "-vary", "K=2,3", "-seeds", "4"},
		more...)
}

// quiet is the result of one run of a sweep that nothing disturbs.
func quiet(t *testing.T, args []string) string {
	t.Helper()
	out, _ := says(t, 0, append(slices.Clip(args), "-jsonl")...)
	return out
}

// A file of results gives the same records as none, is not computed twice, grows with
// the plan, and goes on without being told what.
func TestSweepFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	want := quiet(t, sweepOf())
	if lines := strings.Count(want, "\n"); lines != 64 {
		t.Fatalf("got %d records, want 64", lines)
	}
	if out, _ := says(t, 0, sweepOf("-o", name, "-jsonl")...); out != want || exported(t, name) != want {
		t.Errorf("with a file the records are others")
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if out, errs := says(t, 0, "sweep", "-o", name, "-jsonl"); out != want ||
		!strings.Contains(errs, "holds 64 results") {
		t.Errorf("continued, it says %q", errs)
	}
	if after, _ := os.ReadFile(name); !bytes.Equal(after, before) {
		t.Error("a sweep that was complete is written to")
	}
	more, _ := says(t, 0, append(sweepOf("-o", name, "-jsonl"), "-seeds", "5")...)
	if lines := strings.Count(more, "\n"); lines != 80 {
		t.Errorf("with another seed there are %d records, want 80", lines)
	}
	timed, _ := says(t, 0, "results", "-jsonl", "-timing", name)
	if !strings.Contains(timed, `"seconds":`) || strings.Contains(more, `"seconds":`) {
		t.Error("the wall time is in the records if and only if -timing asks for it")
	}
	table, _ := says(t, 0, "results", name)
	if same, _ := says(t, 0, append(sweepOf(), "-seeds", "5")...); table != same {
		t.Errorf("flock results prints\n%s, flock sweep\n%s", table, same)
	}
	if text, _ := says(t, 0, "results", "-plan", name); !strings.Contains(text, "vary K=2,3\nseeds 5\n") {
		t.Errorf("the plan is %q", text)
	}
}

// A setting that the base's lanes do not read belongs to those that do: in the records, in
// the table of the file, when the file is continued, and in jobs for clusters. CFL reads no
// K, and the default is 3.
func TestSweepKeepsSettings(t *testing.T) {
	name := filepath.Join(t.TempDir(), "t.flock")
	args := []string{"sweep", "-vary", "algos=cfl,ifca", "-seeds", "2", "data=linreg&K=5&T=5&C=12&algos=cfl"}
	want := quiet(t, args)
	if strings.Count(want, "&K=5&algos=ifca") != 2 || strings.Count(want, "\n") != 4 {
		t.Fatalf("the records are\n%s", want)
	}
	if _, errs := says(t, 0, append(args, "-o", name, "-alpha", "0.3")...); strings.Contains(errs, "K has no effect") ||
		!strings.Contains(errs, "alpha has no effect") {
		t.Errorf("of settings that nobody reads it says %q", errs)
	}
	if exported(t, name) != want {
		t.Errorf("the file holds\n%s", exported(t, name))
	}
	if out, _ := says(t, 0, "results", name); !regexp.MustCompile(`(?m)^ifca +ifca +2 +0\.`).MatchString(out) {
		t.Errorf("flock results prints\n%s", out)
	}
	if out, errs := says(t, 0, "sweep", "-o", name, "-jsonl"); out != want || !strings.Contains(errs, "holds 4 results") {
		t.Errorf("continued, it says %q and prints\n%s", errs, out)
	}
	if out, _ := says(t, 0, "sweep", "-json", "-o", name); !strings.Contains(out, "&K=5&") {
		t.Errorf("as JSON it is\n%s", out)
	}
	// A file that has lost a setting, as those of older programs may.
	f, err := results.Open(name, cluster.CheckRecord)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.SetPlan(strings.Replace(f.Plan(), "K=5&", "", 1)), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, errs := says(t, 0, "results", name); !strings.Contains(errs, "2 records are of no cell of the plan") {
		t.Errorf("of a file whose plan has lost a setting flock results says %q", errs)
	}
	for _, emit := range []string{"slurm", "kubernetes"} {
		job, _ := says(t, 0, append(args, "-emit", emit)...)
		text := regexp.MustCompile(`(?m)^ *((?:query|vary|seeds|floats) .*)$`).FindAllStringSubmatch(job, -1)
		var lines []string
		for _, line := range text {
			lines = append(lines, line[1])
		}
		path := files(t, map[string]string{"plan": strings.Join(lines, "\n")})["plan"]
		if got := quiet(t, []string{"sweep", "-plan", path}); got != want {
			t.Errorf("the job for %s computes\n%s\nwant\n%s", emit, got, want)
		}
	}
}

// A plan is a file, too.
func TestPlanFile(t *testing.T) {
	path := files(t, map[string]string{"plan": "# a comparison\nquery T=4&C=6&algos=ifca\nvary dphi=5:40:5\nvary K=2,3\nseeds 4\n"})["plan"]
	if out, _ := says(t, 0, "sweep", "-plan", path, "-jsonl"); out != quiet(t, sweepOf()) {
		t.Error("a plan in a file gives other records than flags")
	}
	for _, more := range [][]string{{"-vary", "K=2"}, {"-seeds", "3"}, {"-floats", "1"}, {"T=5"}} {
		if _, errs := says(t, exitInput, append([]string{"sweep", "-plan", path}, more...)...); !strings.Contains(errs,
			"change it there") {
			t.Errorf("-plan with %q: %q", more, errs)
		}
	}
}

// Words are varied as numbers are: lanes, whole lanes with settings, data, choices.
func TestSweepWords(t *testing.T) {
	out, _ := says(t, 0, "sweep", "T=3&C=6", "-seeds", "2", "-vary", "algos=ifca,local", "-vary", "data=linreg,mixreg")
	if !regexp.MustCompile(`(?s)^algos  data    lane   n .*\nifca   linreg  ifca   2 .*\nlocal  mixreg  local  2 `).MatchString(out) {
		t.Errorf("got\n%s", out)
	}
	out, _ = says(t, 0, "sweep", "T=3&C=6", "-seeds", "2", "-csv", "-vary", "algos=ifca,cflgp;ifca:two&ifca:two.K=2")
	if !strings.Contains(out, "\n\"ifca,cflgp\",1,ifca,") ||
		!strings.Contains(out, "\nifca:two&ifca:two.K=2,2,ifca:two,") {
		t.Errorf("got\n%s", out)
	}
	out, _ = says(t, 0, "sweep", "T=3&C=6", "-seeds", "1", "-json", "-vary", "algos=ifca,local")
	if !strings.Contains(out, `"values":["ifca","local"]`) || !strings.Contains(out, `"lanes":["ifca","local"]`) ||
		!strings.Contains(out, `"at":["local"]`) {
		t.Errorf("got\n%s", out)
	}
}

// Parts of a sweep, merged, are the sweep; a part that was computed twice counts once,
// and one that is missing is missed.
func TestShards(t *testing.T) {
	if testing.Short() {
		mergeParts(t, sweepOf(), 5)
		return
	}
	mergeParts(t, larger(), 16)
}

func mergeParts(t *testing.T, args []string, parts int) {
	dir := t.TempDir()
	name := filepath.Join(dir, "all.flock")
	want := quiet(t, args)
	var names []string
	for i := range parts {
		_, errs := says(t, 0, append(args, "-o", name, "-shard", fmt.Sprintf("%d/%d", i, parts))...)
		part := cluster.Part{Index: i, Count: parts}.Name(name)
		if !strings.Contains(errs, "the results are in "+part) {
			t.Fatalf("a part says %q", errs)
		}
		names = append(names, part)
	}
	_, errs := says(t, exitFailed, append([]string{"merge", "-o", name}, names[1:]...)...)
	if !strings.Contains(errs, "cells have no result yet; flock sweep -o "+name) {
		t.Errorf("without a part merge says %q", errs)
	}
	if _, errs := says(t, 0, append([]string{"merge", "-o", name}, names...)...); !strings.Contains(errs,
		"were there already") {
		t.Errorf("merge says %q", errs)
	}
	if exported(t, name) != want {
		t.Error("the parts together are not the sweep")
	}
	lines := filepath.Join(dir, "lines.jsonl")
	if err := os.WriteFile(lines, []byte(want[:len(want)-20]), 0o600); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "again.flock")
	_, errs = says(t, exitFailed, "merge", "-o", again, lines)
	lineCount := strconv.Itoa(strings.Count(want, "\n"))
	if !strings.Contains(errs, "1 of "+lineCount+" records cannot be read (the first: line "+lineCount+" is cut off") {
		t.Errorf("of a file that is cut off merge says %q", errs)
	}
	if _, errs := says(t, 0, append([]string{"merge", "-o", again}, names...)...); !strings.Contains(errs, "flock: 1 new record from ") {
		t.Errorf("merge says %q", errs)
	}
	if exported(t, again) != want {
		t.Error("what was cut off is not mended by merging the rest")
	}
}

// A sweep that is killed at any moment goes on where it was, and ends with the same bytes
// as one that nothing disturbed.
func TestKilled(t *testing.T) {
	kills, args := 2, sweepOf()
	if !testing.Short() {
		kills, args = 10, []string{"sweep", "T=20&C=12&algos=ifca,cflgp", "-vary", "dphi=5:50:1.8", "-vary",
			"K=2,3,4,5", "-seeds", "20"}
	}
	want := quiet(t, args)
	name := filepath.Join(t.TempDir(), "a.flock")
	random := rand.New(rand.NewPCG(1, 2))
	cells := strings.Count(want, "\n")
	hit := 0
	for range kills {
		cmd := program(t, append(args, "-o", name)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Whatever the moment, the result must be the same.
		timer := time.AfterFunc(time.Duration(random.IntN(1000))*time.Millisecond, func() {
			cmd.Process.Signal(syscall.SIGKILL)
		})
		if cmd.Wait() != nil {
			hit++
		}
		timer.Stop()
	}
	if !testing.Short() && hit < kills/2 {
		t.Errorf("%d of %d times the sweep was complete before it was killed", kills-hit, kills)
	}
	_, errs := says(t, 0, append(args, "-o", name)...)
	t.Logf("%d cells, killed %d times; at last flock said: %s", cells, kills, errs)
	if exported(t, name) != want {
		t.Error("the results are others than those of a sweep that nothing disturbed")
	}
}

// An interrupt leaves a file that goes on, and says so.
func TestInterruptedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := flock(ctx, sweepOf("-o", name), &out, &errs); code != exitStopped ||
		!strings.Contains(errs.String(), "the same command goes on from here") {
		t.Errorf("ends with %d and says %q", code, &errs)
	}
	says(t, 0, sweepOf("-o", name)...)
	if exported(t, name) != quiet(t, sweepOf()) {
		t.Error("the results are others")
	}
}

// Cells that fail are recorded with their reason, in the table, and in the exit code;
// they are not tried again unless -retry says so.
func TestFailedCells(t *testing.T) {
	path := files(t, map[string]string{"good.csv": samples(true)})["good.csv"]
	name := filepath.Join(t.TempDir(), "a.flock")
	args := []string{"sweep", "T=3&algos=ifca", "-data", path, "-vary", "K=2,9", "-seeds", "2", "-o", name}
	out, errs := says(t, exitFailed, args...)
	if !regexp.MustCompile(`(?m)^9  failed  2  .*more models than clients`).MatchString(out) ||
		!strings.Contains(errs, "2 of 4 cells failed, the first at data=csv") {
		t.Errorf("prints\n%s, says %q", out, errs)
	}
	if _, errs := says(t, exitFailed, args...); !strings.Contains(errs, "holds 4 results") {
		t.Errorf("a second time it says %q", errs)
	}
	if _, errs := says(t, exitFailed, append(args, "-retry")...); !strings.Contains(errs,
		"2 cells that failed are computed again") {
		t.Errorf("with -retry it says %q", errs)
	}
	if out, _ := says(t, exitFailed, append(args, "-json")...); strings.Count(out, `"error":`) != 2 {
		t.Errorf("the JSON is %s", out)
	}
	other := files(t, map[string]string{"good.csv": samples(false)})["good.csv"]
	if _, errs := says(t, exitInput, "sweep", "-o", name, "-data", other); !strings.Contains(errs,
		"give the same ones with -data") {
		t.Errorf("with other samples it says %q", errs)
	}
}

// What can go wrong with files, in words.
func TestSweepMisfortunes(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.flock")
	says(t, 0, sweepOf("-o", name)...)
	other := filepath.Join(dir, "b.flock")
	says(t, 0, "sweep", "T=3&algos=ifca", "-vary", "K=2,3", "-seeds", "1", "-o", other)
	text := files(t, map[string]string{"text": "hello"})["text"]
	held, err := results.Open(name, cluster.CheckRecord)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{sweepOf("-o", name), name + " is in use by another flock"},
		{[]string{"results", name}, name + " is in use by another flock"},
		{sweepOf("-o", text), text + " is no file of results"},
		{[]string{"results", filepath.Join(dir, "none")}, "no such file"},
		{[]string{"merge", "-o", other, other}, "is the file that takes all results, too"},
		{[]string{"merge", other}, "say which files to merge"},
		{sweepOf("-shard", "0/2"), "add -o FILE"},
		{append(sweepOf(), "-seeds", "100000"), "it needs a file of results: add -o FILE"},
		{sweepOf("-emit", "pbs"), "slurm, kubernetes or container"},
		{sweepOf("-nats", "nats://127.0.0.1:1", "-workers", "2"), "leave -workers away"},
		{sweepOf("-nats", "nats://127.0.0.1:1", "-shard", "0/2", "-o", other), "leave one of the two away"},
		{sweepOf("-listen", "127.0.0.1:0"), "-listen needs -workers"},
		{sweepOf("-workers", "2", "-redeliver", "0"), "-redeliver"},
		{[]string{"work"}, "say where the NATS servers are"},
		{[]string{"work", "-nats", "nats://127.0.0.1:1", "-workers", "0"}, "-workers"},
	} {
		if _, errs := says(t, exitInput, tt.args...); !strings.Contains(errs, tt.want) ||
			strings.Count(errs, "\n") > 2 {
			t.Errorf("flock %q says %q, want something about %q", tt.args, errs, tt.want)
		}
	}
	third := filepath.Join(dir, "c.flock")
	held.Close()
	if _, errs := says(t, exitInput, "merge", "-o", third, name, other); !strings.Contains(errs,
		"are of different plans") {
		t.Errorf("of different plans merge says %q", errs)
	}
	for _, args := range [][]string{sweepOf("-nats", "nats://user:secret@127.0.0.1:1"),
		{"work", "-nats", "nats://user:secret@127.0.0.1:1"}} {
		if _, errs := says(t, exitFailed, args...); !strings.Contains(errs,
			"no NATS server answers at nats://127.0.0.1:1") {
			t.Errorf("flock %q says %q", args, errs)
		}
	}
}

// A disk that is full ends a sweep in a sentence, and what was kept stays: here a small
// file system of its own, which only root can have.
func TestFullResults(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=192k", "flock", dir).Run(); err != nil {
		t.Skip("no small file system can be mounted: ", err)
	}
	defer exec.Command("umount", dir).Run()
	name := filepath.Join(dir, "a.flock")
	args := append(sweepOf("-o", name), "-seeds", "60")
	var errs bytes.Buffer
	cmd := program(t, args...)
	cmd.Stderr = &errs
	if code := exitCode(t, cmd.Run()); code != exitFailed ||
		!strings.Contains(errs.String(), "no space left on device") || !strings.Contains(errs.String(), "make room") {
		t.Fatalf("a sweep on a full disk ends with %d and says %q", code, &errs)
	}
	if err := exec.Command("mount", "-o", "remount,size=16m", dir).Run(); err != nil {
		t.Fatal(err)
	}
	if _, errs := says(t, 0, args...); !strings.Contains(errs, "results; what it has is not computed again") {
		t.Errorf("after room was made it says %q", errs)
	}
	if exported(t, name) != quiet(t, append(sweepOf(), "-seeds", "60")) {
		t.Error("the results are others")
	}
}

// More parts than cells: some have nothing to do, and say so without an error.
func TestManyShards(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	args := []string{"sweep", "T=2&algos=ifca", "-vary", "K=2,3", "-seeds", "1", "-o", name}
	want := quiet(t, slices.Clone(args[:len(args)-2]))
	var names []string
	for i := range 5 {
		says(t, 0, append(args, "-shard", fmt.Sprintf("%d/5", i))...)
		names = append(names, cluster.Part{Index: i, Count: 5}.Name(name))
	}
	says(t, 0, append([]string{"merge", "-o", name}, names...)...)
	if exported(t, name) != want {
		t.Error("the results are others")
	}
}

// A sweep of a million cells starts at once and takes no more memory than a small one:
// stopped after some hundred results, it says how to go on.
func TestMillionCells(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	var errs bytes.Buffer
	cmd := program(t, "sweep", "T=4&C=6", "-vary", "algos=ifca,clove,cflgp,fedavg,local", "-vary", "dphi=1:40:1",
		"-vary", "K=2,3,4,5,6",
		"-seeds", "1000", "-o", name)
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "file of some results", func() bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 200_000
	})
	// Maxrss of the ended process would count the memory of this one, which started it.
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if runtime.GOOS == "linux" {
		if err != nil {
			t.Fatal(err)
		}
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		var memory int
		if _, err := fmt.Sscan(peak, &memory); err != nil {
			t.Fatal(err)
		}
		memory /= 1024 // of kilobytes
		t.Logf("1 000 000 cells: at most %d MB of memory", memory)
		if memory > 100 {
			t.Errorf("a sweep of a million cells takes %d MB, want at most 100", memory)
		}
	}
	cmd.Process.Signal(os.Interrupt)
	if code := exitCode(t, cmd.Wait()); code != exitStopped ||
		!strings.Contains(errs.String(), "results are kept; the same command goes on from here") {
		t.Errorf("it ends with %d and says %q", code, &errs)
	}
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	late := time.After(2 * time.Minute)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("there is no %s after two minutes", what)
		}
	}
}
