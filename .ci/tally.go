//go:build ignore

// Command tally reads the output of go test -json, prints a line for each
// package and everything a failed test said, and appends the numbers of tests
// that passed, failed and were skipped to a file. Subtests count as tests.
//
//	go test -json ./... | go run .ci/tally.go .build/tests
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
)

// An event is one line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A tally counts the tests of one package and keeps what they print until it
// is known whether it is worth showing.
type tally struct {
	passed, failed, skipped int
	output                  strings.Builder
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go test -json ./... | go run .ci/tally.go FILE")
	}
	var total tally
	packages := map[string]*tally{}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			read(line, packages, &total)
		}
		if err != nil {
			break
		}
	}
	if err := appendCounts(os.Args[1], &total); err != nil {
		log.Fatal(err)
	}
}

func read(line string, packages map[string]*tally, total *tally) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Print(line) // something other than a test speaking
		return
	}
	if e.Action == "build-output" {
		fmt.Print(e.Output)
		return
	}
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
			total.failed++ // the package itself: it did not compile, or ended early
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

// failures returns what the package printed, without the lines that only say
// that a test began or passed.
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

// showSkips prints why tests were skipped, which should never go unseen.
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

func appendCounts(name string, total *tally) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(file, total.passed, total.failed, total.skipped); err != nil {
		return err
	}
	return file.Close()
}
