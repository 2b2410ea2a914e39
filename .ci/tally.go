//go:build ignore

// Command tally reads the output of go test -json, prints a line for each
// package and everything a failed test said, and appends to files of a folder:
//
//	tests     the numbers of tests that passed, failed and were skipped; subtests count
//	packages  seconds and name of each package of a second or more
//	slow      seconds and name of each test of a second or more; subtests belong to their test
//
// The second argument, if it is not empty, says for which processor the tests are compiled.
//
//	go test -json ./... | go run .ci/tally.go .build wasm
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// An event is one line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A tally counts the tests of one package and keeps their output until it is known whether to show it.
type tally struct {
	passed, failed, skipped int
	output                  strings.Builder
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go test -json ./... | go run .ci/tally.go FOLDER PROCESSOR")
	}
	var total tally
	packages, times := map[string]*tally{}, &durations{}
	if os.Args[2] != "" {
		times.suffix = ", " + os.Args[2]
	}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			read(line, packages, &total, times)
		}
		if err != nil {
			break
		}
	}
	counts := fmt.Sprintln(total.passed, total.failed, total.skipped)
	for name, text := range map[string]string{"tests": counts, "packages": times.packages, "slow": times.tests} {
		if err := appendText(filepath.Join(os.Args[1], name), text); err != nil {
			log.Fatal(err)
		}
	}
}

// durations has lines of seconds and names.
type durations struct{ packages, tests, suffix string }

func (d *durations) add(e *event) {
	name := strings.TrimPrefix(e.Package, "flockscope/") + d.suffix
	switch {
	case e.Action != "pass" && e.Action != "fail":
	case e.Test == "" && e.Elapsed >= 1:
		d.packages += fmt.Sprintf("%.2f\t%s\n", e.Elapsed, name)
	case e.Test != "" && e.Elapsed >= 1 && !strings.Contains(e.Test, "/"):
		d.tests += fmt.Sprintf("%.2f\t%s: %s\n", e.Elapsed, name, e.Test)
	}
}

func read(line string, packages map[string]*tally, total *tally, times *durations) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Print(line) // output outside of tests
		return
	}
	if e.Action == "build-output" {
		fmt.Print(e.Output)
		return
	}
	times.add(&e)
	p := packages[e.Package]
	if p == nil {
		p = &tally{}
		packages[e.Package] = p
	}
	switch {
	case e.Action == "output":
		p.output.WriteString(e.Output)
	case e.Test != "":
		p.count(e.Action)
		total.count(e.Action)
	case e.Action == "pass" && p.passed+p.skipped > 0:
		fmt.Printf("ok    %-40s %6.1f s  %d passed%s\n", e.Package, e.Elapsed, p.passed, p.note())
		p.showSkips()
	case e.Action == "fail":
		if p.failed == 0 {
			total.failed++ // the package itself failed: it did not compile, or ended early
		}
		fmt.Printf("%sFAIL  %-40s %6.1f s  %d failed, %d passed%s\n", p.failures(), e.Package, e.Elapsed, p.failed,
			p.passed, p.note())
	}
}

func (t *tally) count(action string) {
	switch action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
	case "skip":
		t.skipped++
	}
}

func (t *tally) note() string {
	if t.skipped == 0 {
		return ""
	}
	return fmt.Sprintf(", %d skipped", t.skipped)
}

// failures returns the output of the package, without the lines that only say that a test began or passed.
func (t *tally) failures() string {
	var kept strings.Builder
	for line := range strings.Lines(t.output.String()) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "=== ") || strings.HasPrefix(trimmed, "--- PASS") {
			continue
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// showSkips prints why tests were skipped, so that skipped tests are noticed.
func (t *tally) showSkips() {
	lines := strings.Split(t.output.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			reason := ""
			if i > 0 && !strings.Contains(lines[i-1], "=== ") {
				reason = strings.TrimSpace(lines[i-1])
			}
			fmt.Printf("      %s %s\n", strings.TrimSpace(line), reason)
		}
	}
}

func appendText(name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	return file.Close()
}
