package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// limit is one line of the budget.
type limit struct {
	kind     string // "visit", "files", "arena" or "memory"
	maxBytes int    // allowed bytes
	query    string // for memory: the experiment that is run
}

// readBudget reads a budget: lines of a word, a number of bytes and, for
// memory, a query. Empty lines and those that begin with # are comments.
func readBudget(text string) ([]limit, error) {
	var budget []limit
	for n, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		l := limit{kind: fields[0]}
		wanted := map[string]int{"visit": 2, "files": 2, "arena": 2, "memory": 3}[l.kind]
		if wanted == 0 || len(fields) != wanted {
			return nil, fmt.Errorf(`line %d: want "visit BYTES", "files BYTES", "arena BYTES" or "memory BYTES QUERY", got %q`, n+1, line)
		}
		var err error
		if l.maxBytes, err = strconv.Atoi(fields[1]); err != nil || l.maxBytes <= 0 {
			return nil, fmt.Errorf("line %d: want a number of bytes, got %q", n+1, fields[1])
		}
		if wanted == 3 {
			l.query = fields[2]
		}
		budget = append(budget, l)
	}
	if len(budget) == 0 {
		return nil, errors.New("the budget is empty")
	}
	return budget, nil
}

// checkBudget measures, on the site in out, the quantities that a budget file limits, prints it, and returns an error
// if something exceeds its limit.
func checkBudget(w io.Writer, path, root, out string, site files) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	budget, err := readBudget(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\nBudget\tbytes\tat most\t\n")
	over := false
	for _, l := range budget {
		size, name := 0, ""
		switch l.kind {
		case "visit":
			size, name = visitBytes(site), "a first visit, brotli"
		case "files":
			size, name = sentBytes(site, fileProgram.file, ".br"), "to open a file, brotli"
		case "arena":
			size, name = sentBytes(site, arenaProgram.file, ".br"), "the arena's page, brotli"
		case "memory":
			name = "memory of " + l.query
			if size, err = peakMemory(root, out, l.query); err != nil {
				return err
			}
		}
		verdict := ""
		if size > l.maxBytes {
			verdict, over = "too much", true
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", name, size, l.maxBytes, verdict)
	}
	if err := table.Flush(); err != nil || !over {
		return err
	}
	return fmt.Errorf("more than %s allows", path)
}

// visitBytes returns the bytes of a first visit, with brotli.
func visitBytes(site files) int {
	size := 0
	for _, name := range firstVisit(site) {
		size += sentBytes(site, name, ".br")
	}
	return size
}

// peakMemory runs an experiment in the built program under node and returns the size of its memory in bytes.
func peakMemory(root, site, query string) (int, error) {
	cmd := exec.Command("node", filepath.Join(root, "wasm", "build", "peak.js"), site, query)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("running %s under node: %w\n%s", query, err, problem.String())
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}
