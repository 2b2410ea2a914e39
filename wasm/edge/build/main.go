// Command build makes what wrangler bundles into the Worker: the program, the
// script that starts it, and the table of the site's files. It says how large
// the program is and refuses one that Cloudflare would refuse.
//
//	go run ./wasm/edge/build -site .build/site -out .build/edge
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"flockscope/wasm/pack"
	"flockscope/wasm/site"
)

// maxBytes is the maximum size of a Worker on the free plan, compressed with gzip; paid plans allow 10 MB.
const maxBytes = 3 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("edge: ")
	dir := flag.String("site", ".build/site", "directory of the built site")
	out := flag.String("out", ".build/edge", "directory to write to")
	flag.Parse()
	if err := build(*dir, *out); err != nil {
		log.Fatal(err)
	}
}

func build(dir, out string) error {
	table, err := site.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	text, err := json.Marshal(table)
	if err != nil {
		return err
	}
	// The tool empties the directory, so it comes first.
	if err := run(nil, "tool", "workers-assets-gen", "-mode=go", "-o", out); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "site.json"), text, 0o644); err != nil {
		return err
	}
	name := filepath.Join(out, "app.wasm")
	if err := run([]string{"GOOS=js", "GOARCH=wasm"}, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o",
		name, "flockscope/wasm/edge"); err != nil {
		return err
	}
	compiled, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	program, err := pack.NewProgram(compiled, runtime.Version())
	if err != nil {
		log.Printf("warning: %v; so the Worker is larger", err)
	}
	if err := os.WriteFile(name, program.Slim, 0o644); err != nil {
		return err
	}
	size, err := gzipped(append(program.Slim, text...))
	if err != nil {
		return err
	}
	fmt.Printf("The Worker is in %s: %d bytes, %d with gzip, of %d.\n", out, len(program.Slim)+len(text), size,
		maxBytes)
	return checkSize(size)
}

func checkSize(size int) error {
	if size > maxBytes {
		return fmt.Errorf("with gzip the Worker has %d bytes, and the free plan takes %d", size, maxBytes)
	}
	return nil
}

func run(env []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return nil
}

func gzipped(content []byte) (int, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(content); err != nil {
		return 0, err
	}
	err = w.Close()
	return out.Len(), err
}
