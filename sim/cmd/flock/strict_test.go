package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStrict: a setting that nobody reads is an error of every command that takes a query,
// unless it is told to be lenient; repairs and adapted defaults are told in a line each.
func TestStrict(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	preset := write("unknown.query", "data=linreg\nT=2\nrounds=5\n")
	table := write("two.csv", "client,x,y\n0,1,2\n0,2,3\n1,1,3\n1,2,5\n")
	var rows strings.Builder
	rows.WriteString("client,a,b,c,label\n")
	for i := range 20 {
		fmt.Fprintf(&rows, "%d,%d,%d,1,%d\n", i/4, i%4, i/4, i%2)
	}
	samples := write("samples.csv", rows.String())
	const unknown = "flock: unknown setting rounds (the setting is called T); -lenient passes over what is unknown\n"
	const warned = "flock: warning: unknown setting rounds (the setting is called T)\n"
	tests := []struct {
		name string
		args []string
		code int
		out  string // "" for anything
		errs string
	}{
		{"check", []string{"check", "T=2&rounds=5"}, exitInput, "", unknown},
		{"run", []string{"run", "T=2&rounds=5"}, exitInput, "", unknown},
		{"export", []string{"export", "-o", filepath.Join(dir, "a.npz"), "T=2&rounds=5"}, exitInput, "", unknown},
		{"sweep", []string{"sweep", "-vary", "dphi=5,10", "T=2&rounds=5"}, exitInput, "", unknown},
		{"a preset", []string{"check", "-preset", preset}, exitInput, "", unknown},
		{"a preset, lenient", []string{"check", "-lenient", "-preset", preset}, exitOK, "data=linreg&T=2&algos=cflgp,ifca\n", warned},
		{"lenient", []string{"check", "T=2&rounds=5", "-lenient"}, exitOK, "data=linreg&T=2&algos=cflgp,ifca\n", warned},
		{"lenient run", []string{"run", "-lenient", "T=1&C=2&K=2&D=2&algos=ifca&rounds=5"}, exitOK, "", warned},
		{"several", []string{"check", "rounds=5&zzzzzz=1&n_clients=3"}, exitInput, "",
			"flock: unknown settings rounds (the setting is called T), zzzzzz, n_clients (the setting is called C); -lenient passes over what is unknown\n"},
		{"trackers", []string{"check", "utm_source=mail&T=2&fbclid=x&_ga=1&si=2&ref=3"}, exitOK, "data=linreg&T=2&algos=cflgp,ifca\n", ""},
		{"a repair", []string{"check", "“T=2&amp;C=9”."}, exitOK, "data=linreg&C=9&T=2&algos=cflgp,ifca\n",
			"flock: the link was repaired: HTML entities, quotation marks or punctuation around it\n"},
		{"an adapted default", []string{"check", "C=2&D=2"}, exitOK, "data=linreg&D=2&C=2&K=2&algos=cflgp,ifca\n",
			"flock: K is 2 here instead of 3, to go with C = 2\n"},
		{"adapted to a flag", []string{"check", "D=2", "-C", "2"}, exitOK, "data=linreg&D=2&C=2&K=2&algos=cflgp,ifca\n",
			"flock: K is 2 here instead of 3, to go with C = 2\n"},
		{"a flag takes the reason away", []string{"check", "D=2&C=2", "-C", "9"}, exitOK, "data=linreg&D=2&C=9&algos=cflgp,ifca\n", ""},
		{"a mangled link and a file", []string{"check", "-data", table, "DATA=csv&amp;K=2"}, exitOK, "data=csv&K=2&algos=cflgp,ifca\n",
			"flock: the link was repaired: HTML entities, capital letters\n"},
		{"clients adapted to samples", []string{"check", "data=digits&n=20"}, exitOK, "data=digits&n=20&C=10&algos=cflgp,ifca\n",
			"flock: C is 10 here instead of 16, to go with n = 20\n"},
		{"directions adapted to groups", []string{"check", "data=wireless&D=8"}, exitOK, "data=wireless&dtheta=20&D=8&algos=cflgp,ifca\n",
			"flock: dtheta is 20 here instead of 30, to go with D = 8\n"},
		{"directions adapted to inputs", []string{"check", "data=linrep&many=1"}, exitOK, "data=linrep&many=1&through=1&algos=cflgp,ifca\n",
			"flock: through is 1 here instead of 3, to go with many = 1\n"},
		{"what was set is blamed", []string{"check", "data=wireless&n=20"}, exitInput, "", "flock: C is 10 here instead of 12, to go with n = 20\n" +
			"flock: n: got \"20\", want more samples, or fewer clients than C = 10 (a client gets only 1 of the samples of Radio channels)\n"},
		{"models of a file give way", []string{"check", "-data", samples, "C=2"}, exitOK, "",
			"flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.5.\n" +
				"flock: K is 2 here instead of 4, to go with C = 2\n"},
		{"more models than a file has clients", []string{"check", "-data", samples, "K=9"}, exitInput, "",
			"flock: K: got \"9\", want at most C = 5 (more models than clients)\n"},
		{"a flag of another program", []string{"check", "-rounds", "5"}, exitInput, "", "flock: unknown flag -rounds (the setting is called T)\n"},
		{"data for a file", []string{"check", "-data", "linreg"}, exitInput, "",
			"flock: open linreg: no such file or directory; -data takes files, and the query takes data=linreg\n"},
		{"a known set", []string{"check", "-data", "mnist"}, exitInput, "", "flock: open mnist: no such file or directory " +
			"(data=digits is a synthetic set of this kind; to use the set itself, open its files with -data or drop them on the page)\n"},
		{"no such lesson", []string{"check", "lesson=44"}, exitInput, "", "flock: lesson: got \"44\", want the number of a lesson\n"},
		{"a short link", []string{"check", "https://h.example/s/abcdefghjk"}, exitInput, "",
			"flock: query: got \"https://h.example/s/abcdefghjk\", want key=value with & between them " +
				"(a short link works only on its server; open it there and copy the long link)\n"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		code := flock(context.Background(), tt.args, &out, &errs)
		if code != tt.code || tt.out != "" && out.String() != tt.out || errs.String() != tt.errs {
			t.Errorf("%s: flock %q ends with %d, prints %q, says\n%s; want %d, %q,\n%s", tt.name, tt.args, code,
				out.String(), &errs,
				tt.code, tt.out, tt.errs)
		}
	}
}
