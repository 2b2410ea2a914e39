package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// peers returns the directory of the npm packages that peers/package-lock.json
// pins, "" when they cannot be had. They are installed once.
func (b *bench) peers() string {
	b.t.Helper()
	from, dir := filepath.Join(root, "e2e", "peers"), filepath.Join(benchDir(b.t), "peers")
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		b.t.Fatal(err)
	}
	done := filepath.Join(dir, "installed.json")
	packages := filepath.Join(dir, "node_modules")
	if installed, err := os.ReadFile(done); err == nil && string(installed) == string(lock) {
		return packages
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), content, 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		b.t.Logf("npm ci: %s", out)
		b.note("Without TensorFlow.js, which npm could not install: %v.", err)
		return ""
	}
	if err := os.WriteFile(done, lock, 0o644); err != nil {
		b.t.Fatal(err)
	}
	return packages
}

// torch is PyTorch, a process that waits for work.
type torch struct {
	b       *bench
	version string
	library string // that multiplies matrices
	in      io.Writer
	out     *bufio.Scanner
}

// startTorch returns nil where Debian's python3-torch is not installed.
func (b *bench) startTorch() *torch {
	b.t.Helper()
	cmd := exec.Command("/usr/bin/python3", filepath.Join(root, "e2e", "peers", "torch_step.py"))
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err = cmd.Start(); err == nil {
		b.t.Cleanup(func() { in.Close(); cmd.Wait() })
		p := &torch{b: b, in: in, out: bufio.NewScanner(out)}
		if p.out.Scan() {
			p.version = p.out.Text()
			p.out.Scan()
			p.library = p.out.Text()
			return p
		}
	}
	b.note("Without PyTorch: /usr/bin/python3 has no torch (Debian's python3-torch).")
	return nil
}

// steps returns a stepper's way to run.
func (p *torch) steps(way string) func(model string, steps int) (float64, string) {
	return func(model string, steps int) (float64, string) {
		p.b.t.Helper()
		fmt.Fprintln(p.in, model, way, steps)
		if !p.out.Scan() {
			p.b.t.Fatalf("PyTorch stopped at %s %s", model, way)
		}
		v, err := strconv.ParseFloat(p.out.Text(), 64)
		if err != nil {
			p.b.t.Fatalf("PyTorch answers %q", p.out.Text())
		}
		return v, ""
	}
}

// tensorFlow returns a stepper's way to run, in a worker of the page. With fewer rows than all, time is taken in
// proportion.
func (p tab) tensorFlow(backend, way string, rows int) func(model string, steps int) (float64, string) {
	return func(model string, steps int) (float64, string) {
		p.t.Helper()
		var answer struct{ MS, Loss float64 }
		why := p.ask("tfjs.js", backend, map[string]any{"backend": backend, "way": way, "model": model, "steps": steps,
			"rows": rows}, &answer)
		return answer.MS*stepRows/float64(rows) + answer.Loss, why
	}
}
