// Command method writes the skeleton of a new method, a draft that runs, and its test.
//
//	go run ./sim/cmd/method NAME     # or: make method NAME=…
//
// NAME is as in links: lower-case letters and digits. It prints what to do next.
package main

import (
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"flockscope/sim/catalog"
)

var (
	//go:embed skeleton.go.txt
	skeleton string
	//go:embed skeleton_test.go.txt
	skeletonTest string
)

// next is the text printed after writing, with NAME for the name.
const next = `
sim/algorithm/NAME.go is a method that runs: FedAvg, until you write its Round.

  Run it:      go run ./sim/cmd/flock run 'algos=NAME,ifca'
  See it:      make serve, and open the page with ?algos=NAME,ifca
  Test it:     go test ./sim/algorithm -run TestTITLE

It is a draft: it needs no texts, no Chinese, no golden link and no reference, and no release has it.
When it is ready, remove Draft: true. Then this says which lines are missing, and where:

  go test ./sim/engine -run TestMethods

and make generate updates the documentation. sim/ARCHITECTURE.md, "Walk 5", goes through it.
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("method: ")
	if len(os.Args) != 2 {
		log.Fatal("want one name, such as: go run ./sim/cmd/method mymethod")
	}
	name := os.Args[1]
	if err := write("sim/algorithm", name); err != nil {
		log.Fatal(err)
	}
	fmt.Print(fill(next, name))
}

// write writes the skeleton of a method into the folder of package algorithm.
func write(folder, name string) error {
	if err := check(folder, name); err != nil {
		return err
	}
	for file, text := range files(name) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files returns the files of a skeleton by name.
func files(name string) map[string]string {
	return map[string]string{name + ".go": fill(skeleton, name), name + "_test.go": fill(skeletonTest, name)}
}

func fill(text, name string) string {
	return strings.NewReplacer("NAME", name, "TITLE", strings.ToUpper(name[:1])+name[1:]).Replace(text)
}

// check returns an error for a name that is not possible for a new method.
func check(folder, name string) error {
	if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(name) {
		return fmt.Errorf("got %q, want a name of lower-case letters and digits, such as mymethod", name)
	}
	for _, m := range catalog.Schema().Algorithms {
		if m.Name == name {
			return fmt.Errorf("%s is a method already; take another name", name)
		}
	}
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
		return fmt.Errorf("%s is a word of Go; take another name", name)
	}
	taken, err := filepath.Glob(filepath.Join(folder, name+"*.go"))
	if err != nil {
		return err
	}
	for _, file := range taken {
		if base := filepath.Base(file); files(name)[base] != "" {
			return fmt.Errorf("%s is there already; take another name", file)
		}
	}
	// The type of the server has the method's name.
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return fmt.Errorf("%s has no Go files; run this in the root of the repository", folder)
	}
	for _, file := range sources {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		if parsed.Scope.Lookup(name) != nil {
			return fmt.Errorf("%s declares %s already; take another name", file, name)
		}
	}
	return nil
}
