package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// flock is the command line, built natively by the first test that needs it.
var flock = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "flockscope-flock-")
	if err != nil {
		return "", err
	}
	atExit(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "flock")
	build := exec.Command("go", "build", "-o", path, "./sim/cmd/flock")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// native runs an experiment on the command line and returns the fingerprints
// of its lanes as [prints] does.
func native(t *testing.T, args ...string) string {
	t.Helper()
	path, err := flock()
	if err != nil {
		t.Fatalf("building flock: %v", err)
	}
	var errs bytes.Buffer
	run := exec.Command(path, append([]string{"run"}, args...)...)
	run.Stderr = &errs
	out, err := run.Output()
	if err != nil {
		t.Fatalf("flock run %q: %v: %s", args, err, &errs)
	}
	var words []string
	for line := range strings.Lines(string(out)) {
		var l struct {
			Lane    string
			Summary *struct{ Fingerprint string }
			Result  string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("flock run %q prints %q: %v", args, line, err)
		}
		switch {
		case l.Summary != nil:
			words = append(words, l.Lane+" "+l.Summary.Fingerprint)
		case l.Result != "":
			words = append(words, "result "+l.Result)
		}
	}
	return strings.Join(words, ", ")
}

// The same link gives the same bits on the command line and in every browser.
func TestSameBits(t *testing.T) {
	queries := []string{
		"algos=fedavg,ifca,local,cflgp&C=48&b=40&probe=100&dphi=5&T=100",
		"data=mix1d&algos=ifca,clove,cflgp,fedavg&star=1,1.45,-2&K=3&C=10&theta0=0,3.3&sd=7",
		"D=5&K=6&C=30&init=3&lr=0.4&sigma=0.05&sd=4294967295&sm=9&sa=11&algos=cflgp,cflgp:b,clove:s,ifca:all&cflgp:b.beta=1&cflgp:b.P=3&cflgp:b.stop=1&clove:s.K=5&clove:s.sqrt=1&ifca:all.divide=all&T=80",
		"lr=10&T=60&algos=fedavg,local,cflgp", // diverges
	}
	want := make([]string, len(queries))
	for i, query := range queries {
		want[i] = native(t, query)
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		show, queries := p.Run, queries
		if p.InWebKit() {
			queries = firstStates(2, queries)
		}
		for i, query := range queries {
			if got := prints(show("?" + query)); got != want[i] {
				t.Errorf("%s:\nin the browser %s\non the command line %s", query, got, want[i])
			}
			if testing.Short() {
				show = p.Go
			}
		}
	})
}
