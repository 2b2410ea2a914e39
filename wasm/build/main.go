// Command build makes the site: the compiled program, the scripts of Go and Vugu that
// it needs, the page and its assets, and the documentation, each beside its compressed
// forms. The result is a directory that any static web server can serve.
//
//	go run ./wasm/build -out .build/site
//	go run ./wasm/build -out .build/site -release   # smallest files, slower
//	go run ./wasm/build -out .build/site -plain     # the program as Go compiles it
//
// Everything is made in memory first, and only what changed is written, so a
// second build is fast and a server never reads an incomplete file.
//
//	main.go       from the command line to the directory
//	page.go       index.html, assets, pictures for the explanations
//	corruptions.go   pictures of corruptions for the explanations
//	gotool.go     the compiled programs; scheduler.go changes one function of Go's runtime
//	vugu.go       Vugu's render script; VUGU.md lists all that we change or replace of Vugu
//	scripts.go    scripts of others, from npm
//	course.go     the page that makes packages for learning platforms
//	arena.go      the arena's page
//	comments.go   scripts and style sheets without comments
//	docs.go       the documentation as pages
//	offline.go    the service worker
//	compress.go   compressed forms; mirror.go writes what changed
//	sizes.go      what a first visit loads; budget.go compares it with budget.txt
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
	var o options
	flag.StringVar(&o.out, "out", ".build/site", "write the site to this `directory`")
	flag.BoolVar(&o.release, "release", false, "compress as far as brotli goes")
	flag.BoolVar(&o.plain, "plain", false, "do not pack the program: it is larger, and traces of crashes have names")
	flag.StringVar(&o.budget, "budget", "", "fail if the site is larger than this `file` allows")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

// options are what the command line asks for.
type options struct {
	out, budget    string
	release, plain bool
}

// files holds a site in memory: slash-separated path to content.
type files map[string][]byte

func run(o options) error {
	if err := checkOut(o.out); err != nil {
		return err
	}
	if err := checkDrafts(o.release, catalog.Schema()); err != nil {
		return err
	}
	root, err := moduleDir("flockscope")
	if err != nil {
		return err
	}
	site, unpacked, err := assemble(root, o.plain)
	if err != nil {
		return err
	}
	packed, err := compress(site, filepath.Clean(o.out)+".compressed", o.release)
	if err != nil {
		return err
	}
	if err := mirror(o.out, packed); err != nil {
		return err
	}
	if unpacked != nil {
		log.Print(warning(unpacked, packed))
	}
	fmt.Printf("The site is in %s.\n", o.out)
	if err := writeSizes(os.Stdout, packed); err != nil || o.budget == "" {
		return err
	}
	return checkBudget(os.Stdout, o.budget, root, o.out, packed)
}

// siteMark is a file that every version of the site has had.
const siteMark = "wasm_exec.js"

// checkOut refuses a directory that holds something other than a site, because it would remove files that do not belong
// to the site.
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

// assemble returns the site without its compressed forms. unpacked is the reason if the program should be packed and is
// not.
func assemble(root string, plain bool) (site files, unpacked, err error) {
	site = files{}
	if err := addPage(site, root); err != nil {
		return nil, nil, err
	}
	site["assets/glyphs.txt"] = glyphs.Text
	addPictures(site)
	if err := addCorruptions(site); err != nil {
		return nil, nil, err
	}
	if err := addGlossary(site, root); err != nil {
		return nil, nil, err
	}
	if err := addArena(site, root); err != nil {
		return nil, nil, err
	}
	if err := addScripts(site, root); err != nil {
		return nil, nil, err
	}
	if err := addDocs(site, root); err != nil {
		return nil, nil, err
	}
	if site["wasm_exec.js"], err = wasmExec(); err != nil {
		return nil, nil, err
	}
	if site["vugu-render.js"], err = vuguRender(); err != nil {
		return nil, nil, err
	}
	if unpacked, err = addPrograms(site, root, plain); err != nil {
		return nil, nil, err
	}
	site[licenceFile] = []byte(licences.Text)
	if site["kernel.wasm"], err = os.ReadFile(filepath.Join(root, "sim", "kernel", "kernel.wasm")); err != nil {
		return nil, nil, err
	}
	dropComments(site)
	if err := addCourseBuilder(site); err != nil {
		return nil, nil, err
	}
	return site, unpacked, addWorker(site)
}
