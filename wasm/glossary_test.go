package wasm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
)

// TestGlossary: every key in the glossary is a key of links, every name in it is declared, and the
// help in Chinese explains as many terms as that in English, which is generated from it.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../sim/GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := append(experiment.PageKeys(), "data", "algos")
	for _, f := range catalog.Schema().Fields() {
		keys = append(keys, f.Name)
	}
	code := regexp.MustCompile("`([^`]*)`")
	var terms []string
	bold := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| term") {
			continue
		}
		term := strings.TrimSpace(cells[1])
		if strings.HasPrefix(term, "**") {
			bold++
		}
		for name := range strings.SplitSeq(term, ", ") {
			terms = append(terms, strings.ToLower(name))
		}
		for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
			if !slices.Contains(keys, m[1]) {
				t.Errorf("%s: no link has the key %q", term, m[1])
			}
		}
		for _, m := range code.FindAllStringSubmatch(cells[3], -1) {
			if !declared(t, m[1]) {
				t.Errorf("%s: nothing is called %s in the code", term, m[1])
			}
		}
		if !strings.HasSuffix(strings.TrimSpace(cells[4]), ".") {
			t.Errorf("%s: the meaning is not a sentence", term)
		}
	}
	if len(terms) < 40 {
		t.Fatalf("the glossary has %d terms, want its tables", len(terms))
	}
	if bold < 10 {
		t.Errorf("%d terms are in bold, so that the page explains them; want at least 10", bold)
	}
	chinese, err := os.ReadFile("../assets/guide.zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := strings.Cut(string(chinese), "= words\n")
	words, _, _ = strings.Cut(words, "\n\n")
	if n := strings.Count(words, "\n") + 1; n != bold {
		t.Errorf("the Chinese help explains %d terms, the glossary has %d in bold", n, bold)
	}
}

// declared reports whether a name such as trace.Frame.Label is declared, in the package of the
// project with that name; a package alone is declared if its folder exists.
func declared(t *testing.T, name string) bool {
	t.Helper()
	parts := strings.Split(name, ".")
	found := false
	for _, dir := range folders(t) {
		if path.Base(dir) != parts[0] {
			continue
		}
		if len(parts) == 1 {
			return true
		}
		files, _ := filepath.Glob(filepath.Join("..", dir, "*.go"))
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					found = found || n.Name.Name == parts[len(parts)-1] && (n.Recv == nil) == (len(parts) == 2)
				case *ast.TypeSpec:
					found = found || n.Name.Name == parts[1] && (len(parts) == 2 || has(n.Type, parts[2]))
				case *ast.ValueSpec:
					found = found || len(parts) == 2 && slices.ContainsFunc(n.Names, func(id *ast.Ident) bool {
						return id.Name == parts[1]
					})
				}
				return !found
			})
		}
	}
	return found
}

// has reports whether a type has a field or a method in its declaration, or embeds another one.
func has(of ast.Expr, name string) bool {
	found := false
	ast.Inspect(of, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			found = found || slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == name })
		}
		return !found
	})
	return found
}

// folders are the folders of the project that hold Go files.
func folders(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, file := range tracked(t, "*.go") {
		if dir := path.Dir(file); !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}

// tracked are the files of the project that match patterns, from its root.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	command := exec.Command("git", append([]string{"ls-files", "--"}, patterns...)...)
	command.Dir = ".."
	out, err := command.Output()
	if err != nil {
		t.Skip("git does not list the files: ", err)
	}
	return strings.Fields(string(out))
}

// retired are words that names and comments no longer have, each with the word in their place.
var retired = map[string]string{
	"museum": "golden links", "door": "event loop", "breathe": "yield", "breathes": "yields", "breath": "yield",
	"scent": "preview", "scents": "previews", "scouts": "workers", "guest": "test client", "guests": "test clients",
	"hero": "main setting", "heroes": "main settings", "speaker": "explained client", "tailor": "sample",
	"veil": "privacy", "parcel": "message", "parcels": "messages", "crew": "worker pool", "wardrobe": "personalize",
	"mailbox": "endpoint", "cabinet": "segment", "cabinets": "segments", "shelf": "slot", "shelves": "slots",
	"rehearse": "preallocate", "detective": "explain sink", "errand": "job", "errands": "jobs", "loiter": "idle",
	"herald": "notice", "hushed": "hidden", "taster": "assigner", "putter": "assigner",
	"letterbox": "endpoint", "sitter": "preview client", "sitters": "preview clients", "prospect": "input density",
}

// spared are places where a retired word stays: keys and file formats that old links and files
// have, and other meanings of a word.
var spared = []string{
	"scent: sim/experiment/schema.go",   // a key of links
	"scent: ui/chart/sweeps/preview.go", // its figure
}

// unread are files and folders that still have retired words. The list becomes empty.
var unread = []string{}

// TestRetiredWords: names and comments of Go code have no word that the glossary has replaced.
func TestRetiredWords(t *testing.T) {
	for _, file := range tracked(t, "*.go") {
		if slices.ContainsFunc(unread, func(dir string) bool { return strings.HasPrefix(file, dir+"/") }) ||
			strings.HasSuffix(file, "_gen.go") || file == "wasm/glossary_test.go" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join("..", file), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			if _, missing := err.(*fs.PathError); missing {
				continue // deleted in the working tree
			}
			t.Fatal(err)
		}
		check := func(at token.Pos, text string) {
			for _, word := range split(text) {
				now, ok := retired[word]
				if ok && !slices.Contains(spared, word+": "+file) {
					t.Errorf("%s: %q; say %s", set.Position(at), word, now)
				}
			}
		}
		for _, group := range parsed.Comments {
			check(group.Pos(), group.Text())
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				check(id.Pos(), id.Name)
			}
			return true
		})
	}
}

// split returns the words of a text in lower case, those of camelCase too.
func split(text string) []string {
	var words []string
	start := 0
	for i, r := range text {
		switch {
		case !unicode.IsLetter(r):
			words = append(words, strings.ToLower(text[start:i]))
			start = i + len(string(r))
		case unicode.IsUpper(r) && i > start:
			words = append(words, strings.ToLower(text[start:i]))
			start = i
		}
	}
	return append(words, strings.ToLower(text[start:]))
}
