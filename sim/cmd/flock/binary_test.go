//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "flock")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "flock")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// program returns a command line of the built program.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(path, args...)
}

// exitCode returns what a process ended with, −1 for a signal.
func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// short is a sweep of a moment.
var short = []string{"sweep", "-vary", "dphi=5,20", "-seeds", "1", "T=3&algos=ifca"}

// Every command that prints says in one line that the disk is full.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full")
	}
	defer full.Close()
	for _, args := range [][]string{
		{"run", "T=2"}, {"run", "T=400&C=60"}, short, append(short, "-csv"), append(short, "-json"),
		{"check", "T=2"}, {"list"}, {"schema"}, {"help"}, {"run", "-h"}, {"version"}, {"--version"},
	} {
		var errs bytes.Buffer
		cmd := program(t, args...)
		cmd.Stdout, cmd.Stderr = full, &errs
		code := exitCode(t, cmd.Run())
		if want := "flock: write /dev/stdout: no space left on device\n"; code != exitFailed || errs.String() != want {
			t.Errorf("flock %q ends with %d and says %q, want %d and %q", args, code, &errs, exitFailed, want)
		}
	}
}

// A reader that wants no more, such as head, ends a program early and in silence.
func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{{"run", "T=5000&C=100"}, {"list"}, {"schema"}, {"check", "T=2"}, short, {"help"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd := program(t, args...)
		cmd.Stdout, cmd.Stderr = w, &errs
		if args[0] == "run" { // which reads a line first
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(r).ReadString('\n'); err != nil {
				t.Errorf("flock %q: %v", args, err)
			}
			r.Close()
		} else {
			r.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		if code := exitCode(t, cmd.Wait()); code != exitOK || errs.Len() > 0 {
			t.Errorf("flock %q into a closed pipe ends with %d and says %q, want 0 and nothing", args, code, &errs)
		}
	}
}

// stops are the signals that ask a program to stop, but for those that these tests were
// started to ignore, as by nohup: programs started from here ignore them too.
func stops() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

// A run that is asked to stop ends within a whole line.
func TestSignalledRun(t *testing.T) {
	for _, sig := range stops() {
		var errs bytes.Buffer
		cmd := program(t, "run", "T=5000&C=100")
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatalf("%v: %v", sig, err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(lines)
		if err != nil || len(rest) > 0 && !bytes.HasSuffix(rest, []byte("}\n")) {
			t.Errorf("%v: the output ends with %.40q, %v, want a whole line", sig, rest[max(0, len(rest)-40):], err)
		}
		if code := exitCode(t, cmd.Wait()); code != exitStopped || errs.String() != "flock: stopped\n" {
			t.Errorf("%v: a run ends with %d and says %q, want %d and that it stopped", sig, code, &errs, exitStopped)
		}
	}
}

// A sweep that is told to stop prints what it has: here a table without runs, since the
// signal comes while it waits for its preset, which is a pipe.
func TestSignalledSweep(t *testing.T) {
	for _, sig := range stops() {
		preset := filepath.Join(t.TempDir(), "preset")
		if err := syscall.Mkfifo(preset, 0o600); err != nil {
			t.Skip(err)
		}
		var out, errs bytes.Buffer
		cmd := program(t, "sweep", "-vary", "dphi=5:80:1", "-seeds", "200", "-preset", preset)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// To open the pipe waits for the sweep, which by then hears signals.
		f, err := os.OpenFile(preset, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(f, "T=5000&C=200&algos=ifca")
		f.Close()
		if code := exitCode(t, cmd.Wait()); code != exitStopped ||
			!strings.HasSuffix(errs.String(), "flock: stopped\n") {
			t.Errorf("%v: a sweep ends with %d and says %q, want %d and that it stopped", sig, code, &errs, exitStopped)
		}
		if rows := strings.Count(out.String(), "\n"); !strings.HasPrefix(out.String(), "dphi") || rows != 77 {
			t.Errorf("%v: the sweep prints %d lines, want a table of 77: %.80q", sig, rows, &out)
		}
	}
}

// Who ignores SIGHUP, as nohup does, goes on ignoring it.
func TestNohup(t *testing.T) {
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Skip("there is no nohup")
	}
	cmd := program(t, "run", "T=300&C=60")
	cmd.Path, cmd.Args = nohup, append([]string{nohup}, cmd.Args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil || !bytes.Contains(rest, []byte(`"result"`)) {
		t.Errorf("after SIGHUP the output ends with %.40q, %v, want a result", rest[max(0, len(rest)-40):], err)
	}
	if code := exitCode(t, cmd.Wait()); code != exitOK {
		t.Errorf("a run under nohup ends with %d, want 0", code)
	}
}

// Absurd numbers are refused in one line that says what is allowed, at once.
func TestAbsurdNumbers(t *testing.T) {
	sweep := func(args ...string) []string { return append([]string{"sweep", "T=3&algos=ifca"}, args...) }
	tests := []struct {
		args []string
		want string
	}{
		{sweep("-vary", "dphi=5,20", "-workers", "1000000000"), `flock: -workers: got "1000000000", want a whole number from 1 to 256`},
		{sweep("-vary", "dphi=5,20", "-workers", "99999999999999999999"), `flock: -workers: got "99999999999999999999", want a whole number from 1 to 256`},
		{sweep("-vary", "dphi=5,20", "-workers", "0"), `flock: -workers: got "0", want a whole number from 1 to 256`},
		{sweep("-vary", "dphi=5,20", "-workers", "-1"), `flock: -workers: got "-1", want a whole number from 1 to 256`},
		{sweep("-vary", "dphi=5,20", "-workers", "two"), `flock: -workers: got "two", want a whole number from 1 to 256`},
		{sweep("-vary", "dphi=5,20", "-seeds", "0"), `flock: -seeds: got "0", want a whole number from 1 to 1000000`},
		{sweep("-vary", "dphi=5,20", "-seeds", "-3"), `flock: -seeds: got "-3", want a whole number from 1 to 1000000`},
		{sweep("-vary", "dphi=5,20", "-seeds", "4611686018427387904"), `flock: -seeds: got "4611686018427387904", want a whole number from 1 to 1000000`},
		{sweep("-vary", "dphi=5,20", "-seeds", "20000"), `flock: the sweep has 40 000 cells; above 20 000, and in parts, it needs a file of results: add -o FILE`},
		{sweep("-vary", "dphi=0:80:0.00007"), `flock: dphi: "0:80:0.00007" are more than 1000000 values; choose a larger step`},
		{sweep("-vary", "dphi=5:40:1e-300"), `flock: dphi: "5:40:1e-300" are more than 1000000 values; choose a larger step`},
		{sweep("-vary", "b=1:640:*1.0000001"), `flock: b: "1:640:*1.0000001" are more than 1000000 values; choose a larger step`},
		{[]string{"run", "C=1000000000"}, `flock: C: got "1000000000", want a whole number from 1 to 2000`},
		{[]string{"run", "T=99999999999999999999"}, `flock: T: got "99999999999999999999", want a whole number from 1 to 5000`},
		{[]string{"run", "-preset", "/dev/zero"}, `flock: /dev/zero: it has more than 1048576 bytes; expected that at most`},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		cmd := program(t, tt.args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		code := exitCode(t, cmd.Run())
		if code != exitInput || errs.String() != tt.want+"\n" || out.Len() > 0 {
			t.Errorf("flock %.80q ends with %d, prints %.40q and says %.200q, want %d and %q", tt.args, code, &out,
				&errs, exitInput, tt.want)
		}
	}
}

// The largest numbers that are allowed do work.
func TestLargestNumbers(t *testing.T) {
	var out, errs bytes.Buffer
	cmd := program(t, append(short, "-workers", "256")...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if code := exitCode(t, cmd.Run()); code != exitOK || errs.Len() > 0 || !strings.HasPrefix(out.String(), "dphi") {
		t.Errorf("a sweep with 256 workers ends with %d, says %q and prints %.80q", code, &errs, &out)
	}
}

func TestVersion(t *testing.T) {
	want := regexp.MustCompile(`^flock \S.* go1\.\S+ \S+/\S+\nformat of recorded runs: \d+\n$`)
	for _, arg := range []string{"version", "--version", "-version"} {
		out, err := program(t, arg).Output()
		if err != nil || !want.Match(out) {
			t.Errorf("flock %s prints %q, %v, want %s", arg, out, err, want)
		}
	}
}

// The exit codes of the built program, as help explains them.
func TestExitCodes(t *testing.T) {
	tests := []struct {
		args []string
		want int
	}{
		{[]string{"check", "T=2"}, exitOK},
		{[]string{"run", "T=1&algos=fedavg"}, exitOK},
		{[]string{"help"}, exitOK},
		{[]string{}, exitInput},
		{[]string{"fly"}, exitInput},
		{[]string{"run", "-flavour", "1"}, exitInput},
		{[]string{"run", "K=0"}, exitInput},
		{[]string{"check", "data=both&net=linear&algos=cfl"}, exitInput},
		{[]string{"run", "data=both&net=linear&algos=cfl"}, exitInput},
		{[]string{"sweep", "-vary", "K=1,2", "data=both&net=linear&algos=ifca"}, exitInput},
		{[]string{"run", "-data", "/nowhere"}, exitInput},
		{[]string{"docs", "/dev/null/nowhere"}, exitInput},
		{[]string{"version", "x"}, exitInput},
	}
	for _, tt := range tests {
		var errs bytes.Buffer
		cmd := program(t, tt.args...)
		cmd.Stderr = &errs
		code := exitCode(t, cmd.Run())
		if code != tt.want || (errs.Len() > 0) != (code != 0) || strings.Count(errs.String(), "\n") > 1 {
			t.Errorf("flock %q ends with %d and says %q, want %d", tt.args, code, &errs, tt.want)
		}
	}
	text, err := program(t, "help").Output()
	for _, code := range []int{exitOK, exitFailed, exitInput, exitStopped} {
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^  %d +\S`, code)).Match(text) || err != nil {
			t.Errorf("help does not explain exit code %d: %v", code, err)
		}
	}
	for _, c := range commands {
		if !bytes.Contains(text, []byte("flock "+c.name)) {
			t.Errorf("help does not name %s", c.name)
		}
	}
}
