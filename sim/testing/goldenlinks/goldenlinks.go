// Package goldenlinks keeps what old links show: for each link a block of lines, each
// line a name and a value. A value may change only for a reason, and the block then
// says what it was:
//
//	query data=mix1d&algos=ifca,clove
//	lane ifca 2901c4fc3ad73c14
//	was lane ifca 38d88587860d2c01, before: FedAvg weighs clients by samples
//
// A reason is the heading of a section of sim/experiment/CHANGES.md. The package
// serves tests; it knows no files.
package goldenlinks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const was, beforePrefix = "was ", ", before: "

// Blocks splits the text of a file of golden links, without its header, into blocks.
func Blocks(text string) []string {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return strings.Split(text, "\n\n")
}

// split separates what a block shows now from what it showed before.
func split(block string) (now, past []string) {
	for line := range strings.Lines(strings.TrimSpace(block)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, was) {
			past = append(past, line)
		} else {
			now = append(now, line)
		}
	}
	return now, past
}

// Differences compares the blocks that are kept with fresh ones, and describes each difference.
func Differences(kept, fresh []string) []string {
	var out []string
	if len(kept) != len(fresh) {
		out = append(out, fmt.Sprintf("there are %d blocks, the test %d links", len(kept), len(fresh)))
	}
	for i := range min(len(kept), len(fresh)) {
		want, _ := split(kept[i])
		got, _ := split(fresh[i])
		if !slices.Equal(got, want) {
			out = append(out, fmt.Sprintf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
	}
	return out
}

// Update returns the fresh blocks with the history from the kept ones. Blocks are matched by their first lines. A value
// that has changed adds a line with the old value and why; it is an error if why is empty then.
func Update(kept, fresh []string, why string) ([]string, error) {
	old := map[string]string{}
	for _, block := range kept {
		now, _ := split(block)
		old[now[0]] = block
	}
	var out []string
	for _, block := range fresh {
		lines, _ := split(block)
		now, past := split(old[lines[0]])
		for _, line := range now {
			name, _ := cutValue(line)
			if slices.Contains(lines, line) || !slices.ContainsFunc(lines, func(l string) bool {
				n, _ := cutValue(l)
				return n == name
			}) {
				continue
			}
			if why == "" {
				return nil, errors.New(lines[0] + ": " + line + " has changed without a reason")
			}
			past = append(past, was+line+beforePrefix+why)
		}
		out = append(out, strings.Join(append(lines, past...), "\n"))
	}
	return out, nil
}

// cutValue splits a line before its last word.
func cutValue(line string) (name, value string) {
	at := strings.LastIndexByte(line, ' ') + 1
	return line[:at], line[at:]
}

// Reasons returns the reasons of all changes, each once.
func Reasons(blocks []string) []string {
	var out []string
	for _, block := range blocks {
		_, past := split(block)
		for _, line := range past {
			if _, why, _ := strings.Cut(line, beforePrefix); !slices.Contains(out, why) {
				out = append(out, why)
			}
		}
	}
	return out
}
