//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The program prints its version and licences, and refuses a wrong command line.
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
		{[]string{"-log", "now"}, 2, `^$`, `got the argument "now", want only flags`},
		{[]string{"-expire", "180"}, 2, `^$`, `the least recently used one is removed; do not set this flag`},
		{[]string{"-dir", filepath.Join(site, "no")}, 1, `^$`, `holds no site`},
		{[]string{"-dir", site, "-origin", "here"}, 1, `^$`, `here`},
		{[]string{"-dir", site, "-addr", "nowhere"}, 1, `^$`, `nowhere`},
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
