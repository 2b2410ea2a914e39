package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"flockscope/sim/lesson"
)

func TestNine(t *testing.T) {
	n, err := measure(context.Background(), []*lesson.Lesson{lesson.ByNumber(9)})
	if err != nil {
		t.Fatal(err)
	}
	f, _ := os.Create("/tmp/ex/nine.txt")
	for _, m := range n {
		fmt.Fprintf(f, "\t{%d, %q, %q},\n", m.lesson, m.slot, m.text)
	}
	f.Close()
	l := lesson.ByNumber(9)
	p := new(player)
	for _, c := range lesson.FactsOf(9).Claims {
		if c.Holds == nil || c.Seeds == 0 {
			continue
		}
		runs, err := p.seeds(context.Background(), l, c.With)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for _, r := range runs {
			if c.Holds(r) {
				held++
			}
		}
		fmt.Println(held, c.Seeds, c.Says)
	}
}
