package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// siteDir is the directory of the built site, root the one of the repository.
var siteDir, root string

// exits are called after the tests, the latest first.
var exits []func()

func atExit(f func()) { exits = append(exits, f) }

func TestMain(m *testing.M) {
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
