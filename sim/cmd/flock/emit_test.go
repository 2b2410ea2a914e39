//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"flockscope/sim/lab/cluster"
)

// array is a task of a job array: bash runs the script as Slurm does.
func array(t *testing.T, script string, task int) *exec.Cmd {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-s")
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(os.Environ(), "FLOCK="+path, "SLURM_ARRAY_TASK_ID="+strconv.Itoa(task))
	return cmd
}

// What -emit prints are commands, whatever the file is called: the tasks write their parts,
// and the line that merges them can be pasted into a shell.
func TestEmittedCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `my "study" it's $HOME`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "all `runs`.flock")
	script, _ := says(t, 0, sweepOf("-emit", "slurm", "-shards", "2", "-o", name)...)
	for task := range 2 {
		if out, err := array(t, script, task).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, script)
		}
	}
	merge := regexp.MustCompile(`(?m)^#   (flock merge .*)$`).FindStringSubmatch(script)
	if merge == nil {
		t.Fatalf("the script says nothing of merging:\n%s", script)
	}
	if out, err := array(t, `flock() { "$FLOCK" "$@"; }; `+merge[1], 0).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", merge[1], err, out)
	}
	if exported(t, name) != quiet(t, sweepOf()) {
		t.Error("the results are others")
	}

	job, _ := says(t, 0, sweepOf("-emit", "kubernetes", "-shards", "2", "-o", name, "-image", `registry:5000/a "b"`)...)
	var args []string
	line := regexp.MustCompile(`(?m)^        args: (.*)$`).FindStringSubmatch(job)
	if line == nil || json.Unmarshal([]byte(line[1]), &args) != nil ||
		args[len(args)-1] != "/results/all `runs`.flock" {
		t.Errorf("the arguments of the container are %q in\n%s", args, job)
	}
	if !strings.Contains(job, "\n        image: \"registry:5000/a \\\"b\\\"\"\n") ||
		!strings.Contains(job, "#   flock merge -o 'all `runs`.flock' 'all `runs`'-*-of-2.flock\n") {
		t.Errorf("the manifest is\n%s", job)
	}
	if _, errs := says(t, exitInput, sweepOf("-emit", "slurm", "-o", "a\nb")...); !strings.Contains(errs, "one line") {
		t.Errorf("a name of two lines: %q", errs)
	}
}

// More parts than an array of Slurm has tasks by default are divided among as many tasks
// as there may be, and flock says so. A task that is told to stop hands that on.
func TestGroupedArray(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.flock")
	args := []string{"sweep", "-vary", "K=2,3", "-seeds", "1000", "T=2&C=6&algos=ifca", "-emit", "slurm", "-o", name}
	for _, tt := range []struct{ parts, last, each int }{
		{1001, 1000, 1}, {1002, 500, 2}, {1500, 749, 2}, {2003, 667, 3}, {100_000, 999, 100},
	} {
		script, errs := says(t, 0, append(args, "-shards", strconv.Itoa(tt.parts))...)
		if !strings.Contains(script, "\n#SBATCH --array=0-"+strconv.Itoa(tt.last)+"\n") {
			t.Errorf("%d parts: want tasks 0 to %d, the script is\n%s", tt.parts, tt.last, script)
		}
		if said := strings.Contains(errs, "MaxArraySize"); said != (tt.each > 1) {
			t.Errorf("%d parts: flock says %q", tt.parts, errs)
		}
		if said := strings.Contains(errs, "some parts have nothing to do"); said != (tt.parts > 2000) {
			t.Errorf("%d parts of 2000 cells: flock says %q", tt.parts, errs)
		}
		if tt.each > 1 && !strings.Contains(script, "first=$((SLURM_ARRAY_TASK_ID * "+strconv.Itoa(tt.each)+"))\n") {
			t.Errorf("%d parts: want %d for a task, the script is\n%s", tt.parts, tt.each, script)
		}
	}
	script, _ := says(t, 0, append(args, "-shards", "2003")...)
	for task, want := range map[int][]int{0: {0, 1, 2}, 667: {2001, 2002}} {
		if out, err := array(t, script, task).CombinedOutput(); err != nil {
			t.Fatalf("task %d: %v\n%s", task, err, out)
		}
		for _, part := range want {
			if _, err := os.Stat(cluster.Part{Index: part, Count: 2003}.Name(name)); err != nil {
				t.Error(err)
			}
		}
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*.flock")); len(names) != 5 {
		t.Errorf("two tasks write %q", names)
	}

	// A part that takes for ever.
	args[4], args[5] = "100000", "T=5000&C=100&algos=ifca,cflgp"
	name = filepath.Join(dir, "b.flock")
	script, _ = says(t, 0, append(args[:len(args)-1], name, "-shards", "1002")...)
	task := array(t, script, 0)
	if err := task.Start(); err != nil {
		t.Fatal(err)
	}
	first := cluster.Part{Count: 1002}.Name(name)
	await(t, "the first part", func() bool {
		info, err := os.Stat(first)
		return err == nil && info.Size() > 0
	})
	if err := task.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, task.Wait()); code == 0 {
		t.Error("a task that was stopped ends as if it were complete")
	}
	says(t, 0, "results", "-plan", first) // nobody has it open any more
	if _, err := os.Stat(cluster.Part{Index: 1, Count: 1002}.Name(name)); err == nil {
		t.Error("a task that was stopped begins with another part")
	}
}
