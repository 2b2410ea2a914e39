//go:build !js

package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
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
	for _, query := range []string{"data=both&net=linear&algos=cfl", "data=wireless&guests=31", "data=linrep&through=20"} {
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

func TestVersionFlag(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flock-serve")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	out, err := exec.Command(path, "--version").Output()
	if want := regexp.MustCompile(`^flock-serve \S.* go1\.\S+ \S+/\S+\n$`); err != nil || !want.Match(out) {
		t.Errorf("flock-serve --version prints %q, %v, want %s", out, err, want)
	}
}
