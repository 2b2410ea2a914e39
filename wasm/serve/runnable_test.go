//go:build !js

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/experiment/randquery"
	"flockscope/wasm/web"
)

// anywhere is a store that takes every link.
type anywhere struct{}

func (anywhere) Get(context.Context, string) (string, error)         { return "", nil }
func (anywhere) Put(context.Context, string, string) (string, error) { return "", nil }

// post returns the status of a new link.
func post(query string) int {
	server := &web.Server{Schema: web.Schema, Check: checkRun, Store: anywhere{}, Key: []byte("0123456789abcdef")}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("POST", "/api/links", strings.NewReader(query)))
	return w.Code
}

// A link is made of exactly what can be run, as far as that is known without files.
func TestLinksCanBeRun(t *testing.T) {
	for _, query := range []string{"data=both&net=linear&algos=cfl", "data=wireless&guests=31",
		"data=linrep&through=20"} {
		if got := post(query); got != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d, want %d", query, got, http.StatusUnprocessableEntity)
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	made, refused, queries := 0, 0, 200
	for range queries {
		query := randquery.Small(r, catalog.Schema())
		want := http.StatusCreated
		c, problems := catalog.Schema().Parse(query)
		if experiment.First(problems) != nil || !c.NeedsFile() && catalog.Check(c, nil) != nil {
			want = http.StatusUnprocessableEntity
			refused++
		} else {
			made++
		}
		if got := post(query); got != want {
			t.Errorf("status %d, want %d: %s", got, want, query)
		}
	}
	if min(made, refused) < queries/8 {
		t.Errorf("%d links are made and %d refused: the test proves little", made, refused)
	}
}

// What the program says of itself, and of a command line that it cannot use.
func TestServeCommandLine(t *testing.T) {
	if os.Getenv("GOCOVERDIR") == "" {
		t.Setenv("GOCOVERDIR", t.TempDir()) // else, with -cover, the program says that it is not set
	}
	site := t.TempDir()
	if err := os.WriteFile(filepath.Join(site, "index.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		out  string // patterns
		errs string
	}{
		{[]string{"--version"}, 0, `^flock-serve \S.* go1\.\S+ \S+/\S+\n$`, `^$`},
		{[]string{"-licences"}, 0, `(?s)^.*MIT.*bbolt.*$`, `^$`},
		{[]string{"-log", "now"}, 2, `^$`, `"now" is not expected here`},
		{[]string{"-expire", "-1"}, 2, `^$`, `from 0 to \d+; got -1`},
		{[]string{"-expire", fmt.Sprint(mostDays + 1)}, 2, `^$`, `from 0 to \d+; got \d+`},
		{[]string{"-dir", filepath.Join(site, "no")}, 1, `^$`, `holds no site`},
		{[]string{"-dir", site, "-expire", fmt.Sprint(mostDays), "-origin", "here"}, 1, `^$`, `here`},
		{[]string{"-dir", site, "-expire", "0", "-addr", "nowhere"}, 1, `^$`, `nowhere`},
	} {
		var out, errs strings.Builder
		c := exec.Command(os.Args[0], tt.args...)
		c.Env = append(os.Environ(), "FLOCKSCOPE_SERVE=1", "PORT=")
		c.Stdout, c.Stderr = &out, &errs
		err := c.Run()
		if err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		if code := c.ProcessState.ExitCode(); code != tt.code ||
			!regexp.MustCompile(tt.out).MatchString(out.String()) ||
			!regexp.MustCompile(tt.errs).MatchString(errs.String()) {
			t.Errorf("flock-serve %q ends with %d, prints %.200q and %q; want %d, %s and %s",
				tt.args, code, out.String(), errs.String(), tt.code, tt.out, tt.errs)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return // which there is on Linux alone
	}
	defer full.Close()
	c := exec.Command(os.Args[0], "-licences")
	c.Env, c.Stdout = append(os.Environ(), "FLOCKSCOPE_SERVE=1"), full
	if c.Run(); c.ProcessState.ExitCode() != 1 {
		t.Errorf("where nothing can be printed flock-serve ends with %d, want 1", c.ProcessState.ExitCode())
	}
}
