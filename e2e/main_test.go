package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// siteDir is the directory of the built site, root the one of the repository.
var siteDir, root string

// exits are called after the tests, the last one first.
var exits []func()

func atExit(f func()) { exits = append(exits, f) }

// waiting is the number of tests that may run at the same time, most of them waiting for a
// page. Tests use Firefox one after the other, so this must be larger than the number of
// firefoxTests.
const waiting = 32

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(waiting))
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	code := m.Run()
	for _, f := range slices.Backward(exits) {
		f()
	}
	os.Exit(code)
}

// prepare builds the site unless FLOCKSCOPE_SITE names one.
func prepare() error {
	var err error
	if root, err = filepath.Abs(".."); err != nil {
		return err
	}
	if siteDir = os.Getenv("FLOCKSCOPE_SITE"); siteDir != "" {
		_, err := os.Stat(filepath.Join(siteDir, "index.html"))
		return err
	}
	siteDir = filepath.Join(root, ".build", "site")
	build := exec.Command("go", "run", "./wasm/build", "-out", siteDir)
	build.Dir = root
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the site: %w", err)
	}
	return nil
}
