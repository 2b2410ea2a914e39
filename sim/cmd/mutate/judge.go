package main

import (
	"bufio"
	"bytes"
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
	target      *pkg
	judges      []*judge
	confirm     bool
	race        bool
	dir         string // for overlays
	took, quick time.Duration
	covered     map[string]map[int]bool // lines of files that some test runs
}

// judge is the tests of a package.
type judge struct {
	path        string
	quick, rest string // patterns of tests; rest is "" where quick are all
	took        time.Duration
	quickTook   time.Duration
}

// mostMemory is what a test may take, in kilobytes of addresses: some changes never stop
// appending. The race detector needs more, and gets no limit.
const mostMemory = 8 << 20

// convene runs the tests once, unchanged, to see how long each takes and what it covers.
func convene(target *pkg, others []string, fast time.Duration, confirm, race bool) (*court, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	c := &court{target: target, confirm: confirm, race: race, dir: dir, covered: map[string]map[int]bool{}}
	limit := fmt.Sprintf("#!/bin/sh\nulimit -v %d\nexec \"$@\"\n", mostMemory)
	if err := os.WriteFile(filepath.Join(dir, "limited"), []byte(limit), 0o700); err != nil {
		return nil, err
	}
	for _, path := range append([]string{target.ImportPath}, others...) {
		j, err := c.rehearse(path, fast)
		if err != nil {
			c.close()
			return nil, err
		}
		if j != nil {
			c.judges = append(c.judges, j)
			c.took += j.took
			c.quick += j.quickTook
		}
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

// rehearse runs the tests of a package. It returns nil where there are none.
func (c *court) rehearse(path string, fast time.Duration) (*judge, error) {
	profile := filepath.Join(c.dir, "profile")
	args := append(c.flags(), "-json", "-coverpkg="+c.target.ImportPath, "-coverprofile="+profile, "-timeout=30m", path)
	out, err := exec.Command("go", args...).Output()
	type event struct {
		Action, Test string
		Elapsed      float64
	}
	type test struct {
		name string
		took time.Duration
	}
	var tests []test
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" || strings.Contains(e.Test, "/") {
			continue
		}
		switch e.Action {
		case "pass":
			tests = append(tests, test{e.Test, time.Duration(e.Elapsed * float64(time.Second))})
		case "fail":
			fmt.Printf("%s: %s fails before anything is changed, and judges nothing\n", path, e.Test)
		}
	}
	switch {
	case len(tests) == 0 && err != nil:
		return nil, fmt.Errorf("no test of %s passes before anything is changed: %w", path, err)
	case len(tests) == 0:
		return nil, nil
	}
	if err := c.cover(profile); err != nil {
		return nil, err
	}
	slices.SortStableFunc(tests, func(a, b test) int { return int(a.took - b.took) })
	j := &judge{path: path}
	var quick, rest []string
	for _, t := range tests {
		j.took += t.took
		if j.quickTook+t.took <= fast || len(quick) == 0 {
			j.quickTook += t.took
			quick = append(quick, t.name)
		} else {
			rest = append(rest, t.name)
		}
	}
	pattern := func(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
	j.quick = pattern(quick)
	if len(rest) > 0 {
		j.rest = pattern(rest)
	}
	return j, nil
}

// cover reads which lines ran.
func (c *court) cover(profile string) error {
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
		if c.covered[file] == nil {
			c.covered[file] = map[int]bool{}
		}
		for n := a; n <= b; n++ {
			c.covered[file][n] = true
		}
	}
	return nil
}

// ran reports whether some test runs a change. Outside functions nothing is counted.
func (c *court) ran(m *mutant) bool { return m.outside || c.covered[m.file][m.line] }

// try runs the tests on a change.
func (c *court) try(m *mutant) (verdict, error) {
	if !c.ran(m) {
		return uncovered, nil
	}
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
	for _, j := range c.judges {
		if v := c.run(overlay, j.path, j.quick, j.quickTook); v != survived {
			return v, nil
		}
	}
	for _, j := range c.judges {
		if c.confirm && j.rest != "" {
			if v := c.run(overlay, j.path, j.rest, j.took); v != survived {
				return v, nil
			}
		}
	}
	return survived, nil
}

// run runs some tests of a package with an overlay.
func (c *court) run(overlay, path, pattern string, usual time.Duration) verdict {
	most := 20*time.Second + 6*usual
	args := append(c.flags(), "-failfast", "-overlay="+overlay, "-run="+pattern, "-timeout="+most.String(), path)
	// The go command also compiles, for which it has time.
	ctx, cancel := context.WithTimeout(context.Background(), most+5*time.Minute)
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
