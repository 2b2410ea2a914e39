// Command licences writes the full licences of Flockscope and of every module that is
// compiled into its programs, as the modules of this build have them.
//
//	go run ./sim/cmd/licences sim/licences/licences.txt
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:generate go run . ../../licences/licences.txt

func main() {
	log.SetFlags(0)
	log.SetPrefix("licences: ")
	if len(os.Args) != 2 {
		log.Fatal("want one argument, the file to write")
	}
	text, err := notice()
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A product is a program that Flockscope distributes.
type product struct {
	title, target, command string // target is GOOS/GOARCH
}

// The commands are listed as compiled for one system, so the file is the same wherever it is generated. On other
// systems they consist of the same modules.
var products = []product{
	{"The page (flockscope.pack, with wasm_exec.js of Go and vugu-render.js of Vugu)", "js/wasm", "flockscope/wasm/app"},
	{"The server at the edge (a Worker, with wasm_exec.js of Go)", "js/wasm", "flockscope/wasm/edge"},
	{"The command flock", "linux/amd64", "flockscope/sim/cmd/flock"},
	{"The command flock-serve", "linux/amd64", "flockscope/wasm/serve"},
}

// A module is a Go module with packages in a product. The standard library with the runtime
// counts as one, and so does Flockscope itself.
type module struct {
	name         string // name with version
	licenceFiles []string
}

const (
	goName  = "Go: runtime and standard library"
	ownName = "Flockscope"
)

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Path, Version, Dir string }
}

// modules returns the modules of a product, sorted by name.
func (p product) modules() ([]*module, error) {
	system, processor, _ := strings.Cut(p.target, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", p.command)
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w\n%s", p.command, err, &stderr)
	}
	found := map[string]*module{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		m, top, err := moduleOf(l)
		if err != nil {
			return nil, err
		}
		if found[m.name] == nil {
			found[m.name] = m
		}
		dir := l.Dir
		if m.name == ownName {
			dir = filepath.Join(top, "assets") // third-party scripts and fonts; other folders hold the output of this command
		}
		if err := found[m.name].collect(dir, top); err != nil {
			return nil, err
		}
	}
	var list []*module
	for _, m := range found {
		if len(m.licenceFiles) == 0 {
			return nil, fmt.Errorf("%s has no licence", m.name)
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// moduleOf returns the module of a package, and the top folder of the module.
func moduleOf(l listed) (m *module, top string, err error) {
	switch {
	case l.Standard:
		out, err := exec.Command("go", "env", "GOROOT").Output()
		return &module{name: goName}, strings.TrimSpace(string(out)), err
	case l.Module == nil || l.Module.Dir == "":
		return nil, "", fmt.Errorf("%s comes from no module", l.ImportPath)
	case l.Module.Version == "":
		return &module{name: ownName}, l.Module.Dir, nil
	}
	return &module{name: l.Module.Path + " " + l.Module.Version}, l.Module.Dir, nil
}

var (
	// Names of licence files, and of folders with the licences of copied code.
	licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)`)
	othersName  = regexp.MustCompile(`(?i)^third[_-]party`)
	// The licence of the Go fonts is in their README.
	fontsNotice = filepath.Join("font", "gofont", "ttfs", "README")
)

// collect adds the licences in a package's folder and in the folders above it, up to the top
// of its module.
func (m *module) collect(dir, top string) error {
	for ; ; dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			switch name := filepath.Join(dir, entry.Name()); {
			case entry.IsDir() && othersName.MatchString(entry.Name()):
				others, err := os.ReadDir(name)
				if err != nil {
					return err
				}
				for _, other := range others {
					m.add(filepath.Join(name, other.Name()))
				}
			case !entry.IsDir() && licenceName.MatchString(entry.Name()) && filepath.Ext(name) != ".go":
				m.add(name)
			}
		}
		if dir == top || len(dir) <= len(top) {
			break
		}
	}
	if strings.HasPrefix(m.name, "golang.org/x/image ") {
		m.add(filepath.Join(top, fontsNotice))
	}
	return nil
}

func (m *module) add(file string) {
	if !slices.Contains(m.licenceFiles, file) {
		m.licenceFiles = append(m.licenceFiles, file)
	}
}

// notice returns the whole text: the modules of each product, and each licence once.
func notice() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("Licences of Flockscope and of the modules in it\n\n")
	b.WriteString("Each program below is compiled from these modules; their licences follow.\n")
	type licence struct {
		text string
		of   []string // modules with this licence
	}
	var licences []*licence
	for _, p := range products {
		modules, err := p.modules()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n%s\n", p.title)
		for _, m := range modules {
			fmt.Fprintf(&b, "    %s\n", m.name)
			for _, file := range m.licenceFiles {
				content, err := os.ReadFile(file)
				if err != nil {
					return nil, err
				}
				text := tidy(string(content))
				i := slices.IndexFunc(licences, func(l *licence) bool { return l.text == text })
				if i < 0 {
					i = len(licences)
					licences = append(licences, &licence{text: text})
				}
				if !slices.Contains(licences[i].of, m.name) {
					licences[i].of = append(licences[i].of, m.name)
				}
			}
		}
	}
	for _, l := range licences {
		slices.Sort(l.of)
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s", strings.Repeat("=", 80), strings.Join(l.of, "\n"), l.text)
	}
	return b.Bytes(), nil
}

// tidy returns a text with LF line ends and without trailing spaces.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}
