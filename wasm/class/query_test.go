//go:build !js

package class

import (
	"os"
	"regexp"
	"testing"
)

func TestQuery(t *testing.T) {
	group, held := []int{0, 1, 0, 1}, []int{6, 6, 6, 6}
	for _, tt := range []struct {
		o  Options
		ok bool
	}{
		{DefaultOptions, true},
		{Options{Methods: "cflgp,fedavg,ifca,clove", Rounds: 10, Noise: 0.5}, true},
		{Options{Methods: "cflgp", Rounds: 10, More: "avg=model&tau=3"}, true},
		{Options{Methods: "fedavg", Rounds: 10}, true},
		{Options{Methods: "cflgp", Rounds: 10, More: "tau=3"}, false}, // without avg=model it has no effect
		{Options{Methods: "local", Rounds: 10}, false},
		{Options{Methods: "cflgp", Rounds: 0}, false},
		{Options{Methods: "nothing", Rounds: 3}, false},
		{Options{Methods: "cflgp", Rounds: 3, More: "data=linreg"}, false},
		{Options{Methods: "cflgp", Rounds: 3, More: "net=mlp"}, false},
	} {
		_, _, err := configOf(queryOf(tt.o, 4), group, held, quick.Digits)
		if (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.o, err)
		} else {
			t.Log(err)
		}
	}
}

// Every method that the teacher's page offers can be played, also alone.
func TestOfferedMethods(t *testing.T) {
	page, err := os.ReadFile("pages/teacher.js")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^const methods = (.*)$`).FindSubmatch(page)
	if list == nil {
		t.Fatal("the page has no list of methods")
	}
	names := regexp.MustCompile(`\["([a-z]+)", `).FindAllSubmatch(list[1], -1)
	if len(names) < 3 {
		t.Fatalf("the list %s has %d names", list[1], len(names))
	}
	for _, name := range names {
		query := queryOf(Options{Methods: string(name[1]), Rounds: 10}, 4)
		if _, _, err := configOf(query, []int{0, 1, 0, 1}, []int{6, 6, 6, 6}, quick.Digits); err != nil {
			t.Errorf("%s alone: %v", name[1], err)
		}
	}
}
