package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compileProgram compiles wasm/app, the one program that is page and engine.
func compileProgram(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "flockscope-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "flockscope.wasm")
	// -trimpath and -buildvcs=false make the same source give the same bytes
	// wherever it is built; -s -w leave out what only a debugger reads.
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "./wasm/app")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("compiling ./wasm/app: %w", err)
	}
	return os.ReadFile(out)
}

// wasmExec returns the script that runs Go programs in a browser. It must be
// the one of the compiler in use, so it is taken from there.
func wasmExec() ([]byte, error) {
	goroot, err := goOutput("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}

// moduleDir returns the directory of a module at its pinned version.
func moduleDir(path string) (string, error) {
	dir, err := goOutput("list", "-m", "-f", "{{.Dir}}", path)
	if err == nil && dir == "" {
		err = fmt.Errorf("module %s is not downloaded; run: go mod download %s", path, path)
	}
	return dir, err
}

// goOutput runs the go command and returns what it prints, trimmed.
func goOutput(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
