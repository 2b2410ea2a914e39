//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// changedLink is a row of the table of changed links: query, method, old and new scores.
var changedLink = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| \\[")

// Links whose results changed show what the page of changes says that they show now.
func TestChangedLinks(t *testing.T) {
	t.Parallel()
	rows := changedLink.FindAllStringSubmatch(readPage(t, "sim/experiment/CHANGES.md"), -1)
	if len(rows) < 15 {
		t.Fatalf("the page has %d rows", len(rows))
	}
	for _, row := range rows {
		query, method, before, now := row[1], row[2], row[3], row[4]
		out, _ := says(t, exitOK, "run", query)
		got := ""
		for line := range strings.Lines(out) {
			var of struct {
				Lane    string
				Summary *struct {
					Accuracy, Loss, ARI *float64
					Found               *int
				}
			}
			if err := json.Unmarshal([]byte(line), &of); err != nil || of.Lane != method || of.Summary == nil {
				continue
			}
			for _, score := range strings.Split(now, ", ") {
				switch name, _, _ := strings.Cut(score, " "); name {
				case "accuracy":
					got += fmt.Sprintf("accuracy %.3f, ", *of.Summary.Accuracy)
				case "loss":
					got += fmt.Sprintf("loss %.3f, ", *of.Summary.Loss)
				case "ARI":
					got += fmt.Sprintf("ARI %.3f, ", *of.Summary.ARI)
				case "found":
					got += fmt.Sprintf("found in round %d, ", *of.Summary.Found)
				}
			}
		}
		if got = strings.TrimSuffix(got, ", "); got != now || got == before {
			t.Errorf("%s: %s ends with %s; the page says %s, and %s before", query, method, got, now, before)
		}
	}
}
