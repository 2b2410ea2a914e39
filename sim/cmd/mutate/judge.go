package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// verdict is what became of a change.
type verdict int

const (
	killed    verdict = iota // a test failed
	slow                     // tests took far too long
	survived                 // all tests passed
	uncovered                // no test runs the changed line
	invalid                  // it does not compile
)

// court is the packages whose tests judge changes of one.
type court struct {
	target *pkg
	judges []*judge
	each   time.Duration // of the tests that are tried on a change, for each package
	race   bool
	dir    string // for overlays
	took   time.Duration
}

// judge is the tests of a package.
type judge struct {
	path  string
	tests []test // the quickest first
}

// test is one test function.
type test struct {
	name string
	took time.Duration
	runs map[string]map[int]bool // lines of files
}

// mostMemory is what a test may take, in kilobytes of addresses: some changes never stop
// appending. The race detector needs more, and gets no limit.
const mostMemory = 8 << 20

// convene runs every test once by itself, unchanged, to see how long it takes and which
// lines it runs.
func convene(ctx context.Context, target *pkg, others []string, each time.Duration, race bool) (*court, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	c := &court{target: target, each: each, race: race, dir: dir}
	limit := fmt.Sprintf("#!/bin/sh\nulimit -v %d\nexec \"$@\"\n", mostMemory)
	if err := os.WriteFile(filepath.Join(dir, "limited"), []byte(limit), 0o700); err != nil {
		return nil, err
	}
	for _, path := range append([]string{target.ImportPath}, others...) {
		j, err := c.rehearse(ctx, path)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			c.close()
			return nil, err
		}
		c.judges = append(c.judges, j)
	}
	return c, nil
}

func (c *court) close() { os.RemoveAll(c.dir) }

// flags are those of every go test.
func (c *court) flags() []string {
	if c.race {
		return []string{"test", "-short", "-count=1", "-race", "-vet=off", "-ldflags=-w"}
	}
	return []string{"test", "-short", "-count=1", "-vet=off", "-ldflags=-w", "-exec=" + filepath.Join(c.dir, "limited")}
}

// rehearse runs the tests of a package, one after the other.
func (c *court) rehearse(ctx context.Context, path string) (*judge, error) {
	p, err := load(path)
	if err != nil {
		return nil, err
	}
	binary, profile := filepath.Join(c.dir, "rehearsal"), filepath.Join(c.dir, "profile")
	args := []string{"test", "-c", "-o", binary, "-vet=off", "-cover", "-coverpkg=" + c.target.ImportPath}
	if c.race {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, path)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests of %s cannot be compiled: %w\n%s", path, err, out)
	}
	j := &judge{path: path}
	if _, err := os.Stat(binary); err != nil {
		return j, nil // it has no tests
	}
	defer os.Remove(binary)
	// Processes that tests start from their own binary write what they run to children.
	children := filepath.Join(c.dir, "children")
	run := func(args ...string) ([]byte, error) {
		if err := errors.Join(os.RemoveAll(children), os.Mkdir(children, 0o700)); err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, binary, args...)
		cmd.Dir = p.Dir
		cmd.Env = append(os.Environ(), "GOCOVERDIR="+children)
		return cmd.Output()
	}
	names, err := run("-test.list", "^Test")
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(string(names)) {
		start := time.Now()
		_, err := run("-test.short", "-test.run=^"+name+"$", "-test.coverprofile="+profile, "-test.timeout=30m")
		took := time.Since(start)
		c.took += took
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			fmt.Printf("%s: %s fails before anything is changed, and judges nothing\n", path, name)
			continue
		}
		lines := map[string]map[int]bool{}
		if err := c.cover(lines, profile); err != nil {
			return nil, err
		}
		if wrote, err := os.ReadDir(children); err == nil && len(wrote) > 0 {
			out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+children, "-o="+profile).CombinedOutput()
			if err != nil {
				return nil, fmt.Errorf("%s: what its processes ran cannot be read: %w\n%s", name, err, out)
			}
			if err := c.cover(lines, profile); err != nil {
				return nil, err
			}
		}
		j.tests = append(j.tests, test{name, took, lines})
	}
	slices.SortStableFunc(j.tests, func(a, b test) int { return cmp.Compare(a.took, b.took) })
	return j, nil
}

// cover adds to ran which lines of the target a profile says ran.
func (c *court) cover(ran map[string]map[int]bool, profile string) error {
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		// path/file.go:from.column,to.column statements count
		file, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		span, count, ok2 := strings.Cut(rest, " ")
		from, to, ok3 := strings.Cut(span, ",")
		if !ok || !ok2 || !ok3 || strings.HasSuffix(count, " 0") {
			continue
		}
		first, _, _ := strings.Cut(from, ".")
		last, _, _ := strings.Cut(to, ".")
		a, err1 := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		file = strings.TrimPrefix(file, c.target.Module.Path+"/")
		if ran[file] == nil {
			ran[file] = map[int]bool{}
		}
		for n := a; n <= b; n++ {
			ran[file][n] = true
		}
	}
	return nil
}

// choose returns a pattern of the quickest tests that run a change, "" where none does,
// and how long they take. What is outside functions counts as run by all.
func (c *court) choose(j *judge, m *mutant) (pattern string, usual time.Duration) {
	var names []string
	for _, t := range j.tests {
		if !m.outside && !t.runs[m.file][m.line] {
			continue
		}
		if len(names) > 0 && usual+t.took > c.each {
			break
		}
		names, usual = append(names, t.name), usual+t.took
	}
	if names == nil {
		return "", 0
	}
	return "^(" + strings.Join(names, "|") + ")$", usual
}

// try runs the tests on a change.
func (c *court) try(ctx context.Context, m *mutant) (verdict, error) {
	src, err := m.source()
	if err != nil {
		return 0, err
	}
	changed, overlay := filepath.Join(c.dir, "changed.go"), filepath.Join(c.dir, "overlay.json")
	if err := os.WriteFile(changed, src, 0o600); err != nil {
		return 0, err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: changed}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return 0, err
	}
	v := uncovered
	for _, j := range c.judges {
		pattern, usual := c.choose(j, m)
		if pattern == "" {
			continue
		}
		if v = c.run(ctx, overlay, j.path, pattern, usual); v != survived {
			break
		}
	}
	return v, nil
}

// run runs some tests of a package with an overlay.
func (c *court) run(ctx context.Context, overlay, path, pattern string, usual time.Duration) verdict {
	most := 20*time.Second + 6*usual
	args := append(c.flags(), "-failfast", "-overlay="+overlay, "-run="+pattern, "-timeout="+most.String(), path)
	// The go command also compiles, for which it has time.
	ctx, cancel := context.WithTimeout(ctx, most+5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	switch {
	case err == nil:
		return survived
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return invalid
	case bytes.Contains(out, []byte("panic: test timed out")), ctx.Err() != nil:
		return slow
	}
	return killed
}
