package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/lab/arena"
	"flockscope/sim/lab/papers"
)

// The arena's page has a Chinese word for whatever the arena's design and answers are made of.
func TestArenaInChinese(t *testing.T) {
	script, err := os.ReadFile("../arena/page/arena.js")
	if err != nil {
		t.Fatal(err)
	}
	s, err := papers.Find(papers.Arena)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{string(arena.Better), string(arena.Equal), string(arena.Worse), string(arena.NotBetter),
		string(arena.NotKnown),
		string(papers.NeedsK), string(papers.FindsK), string(papers.NoClusters)}
	for _, f := range s.Families {
		words = append(words, f.Name, f.What)
	}
	for _, r := range s.AllRows() {
		words = append(words, r.Label)
	}
	for _, w := range words {
		if !strings.Contains(string(script), strconv.Quote(w)+": \"") {
			t.Errorf("wasm/arena/page/arena.js has no Chinese word for %q", w)
		}
	}
}
