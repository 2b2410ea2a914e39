// Command build makes the site: the compiled program, the two scripts that Go
// and Vugu bring along, the page and its assets, and the documentation, each
// beside its compressed forms. The result is a directory that any static web
// server can serve.
//
//	go run ./wasm/build -out .build/site
//	go run ./wasm/build -out .build/site -release   # smallest files, slower
//
// Everything is made in memory first, and only what changed is written, so a
// second build costs little and a server never sees half a site.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene/glyphs"
	"flockscope/sim/experiment"
	"flockscope/sim/licences"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("build: ")
	out := flag.String("out", ".build/site", "directory to write the site to")
	release := flag.Bool("release", false, "compress as far as brotli goes")
	budget := flag.String("budget", "", "file that says what the site may weigh")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	if err := run(*out, *release, *budget); err != nil {
		log.Fatal(err)
	}
}

// files holds a site in memory: slash-separated path to content.
type files map[string][]byte

func run(out string, release bool, budget string) error {
	if err := checkOut(out); err != nil {
		return err
	}
	if err := checkDrafts(release, catalog.Schema()); err != nil {
		return err
	}
	root, err := moduleDir("flockscope")
	if err != nil {
		return err
	}
	site, err := assemble(root)
	if err != nil {
		return err
	}
	packed, err := compress(site, filepath.Clean(out)+".compressed", release)
	if err != nil {
		return err
	}
	if err := mirror(out, packed); err != nil {
		return err
	}
	fmt.Printf("The site is in %s.\n", out)
	if err := writeSizes(os.Stdout, packed); err != nil || budget == "" {
		return err
	}
	return checkBudget(os.Stdout, budget, root, out, packed)
}

// siteMark is a file that every site has had, whatever its program was called.
const siteMark = "wasm_exec.js"

// checkOut refuses a directory that holds something other than a site, because
// whatever is not of the site would be removed from it.
func checkOut(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, siteMark)); err != nil {
		return fmt.Errorf("%s is not empty and not a site built before; choose another directory", out)
	}
	return nil
}

// checkDrafts refuses to release a method that is a draft.
func checkDrafts(release bool, s *experiment.Schema) error {
	for _, m := range s.Algorithms {
		if release && m.Draft {
			return fmt.Errorf("the method %s is a draft, and a release has none: remove Draft: true from its registration "+
				"in sim/algorithm and write what go test ./sim/engine -run TestMethods then asks for, "+
				"or remove the method", m.Name)
		}
	}
	return nil
}

// assemble returns the site without its compressed forms.
func assemble(root string) (files, error) {
	site := files{}
	if err := addPage(site, root); err != nil {
		return nil, err
	}
	site["assets/glyphs.txt"] = glyphs.Text
	addPictures(site)
	if err := addScripts(site, root); err != nil {
		return nil, err
	}
	if err := addDocs(site, root); err != nil {
		return nil, err
	}
	var err error
	if site["wasm_exec.js"], err = wasmExec(); err != nil {
		return nil, err
	}
	if site["vugu-render.js"], err = vuguRender(); err != nil {
		return nil, err
	}
	program, err := compileProgram(root)
	if err != nil {
		return nil, err
	}
	site[programFile], site[nameList] = program.Packed, program.Names
	site[licenceFile] = []byte(licences.Text)
	if site["kernel.wasm"], err = os.ReadFile(filepath.Join(root, "sim", "kernel", "kernel.wasm")); err != nil {
		return nil, err
	}
	if err := minifySite(site); err != nil {
		return nil, err
	}
	return site, addWorker(site)
}
