package say

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tables are the tables of translations of the page.
var tables = []string{"../../assets/zh.txt"}

// silent are the directories whose texts no page shows.
var silent = []string{"sim/cmd", "sim/lab/book", "sim/lab/cluster", "sim/lab/datafiles", "sim/lab/papers",
	"sim/lab/report", "sim/lab/results", "wasm/build", "wasm/edge", "wasm/serve", "wasm/web"}

// TestFormats: every format has a translation, and every translation of one has a format.
func TestFormats(t *testing.T) {
	used, texts := formats(t, "../..")
	for _, name := range tables {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		table := ReadTable(string(text))
		for format, where := range used {
			if own, ok := table[format]; !ok {
				t.Errorf("%s: %s has no line in %s", where, strconv.Quote(format), filepath.Base(name))
			} else if !slices.Equal(arguments(format), arguments(own)) {
				t.Errorf("%s: the arguments of %q are others in its translation, %q", where, format, own)
			}
		}
		for key := range table {
			if _, ok := used[key]; !ok && !texts[key] && len(verbs(key)) > 0 {
				t.Errorf("%s: no code has the format %q", filepath.Base(name), key)
			}
		}
	}
}

// arguments are the verbs of a format, in the order of their arguments.
func arguments(format string) []string {
	all := make([]string, len(verbs(format)))
	for i, verb := range verbs(format) {
		if at := verb.argument(i); at < len(all) {
			all[at] = verb.withoutIndex
		}
	}
	return all
}

// TestFormatsOf: formats are found in calls of this package and of what passes them on.
func TestFormatsOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\nimport \"flockscope/sim/say\"\n" +
			"func (f *file) errorf(format string, args ...any) error { return say.Errorf(\"%s: %s\", f, say.Errorf(format, args...)) }\n" +
			"func refuse(format string, args ...any) error { return new(file).errorf(format, args...) }\n" +
			"func _() { refuse(\"line %d\", 1); x.errorf(\"a\"+\"b %d\", 2); errorf(\"no %d\", 3); say.Count(1, \"plus\")\n" +
			"say.Join(nil, \" | \"); say.List(nil); say.Textf(variable, 1); say.Messagef(\"whole\"); fmt.Errorf(\"other %d\", 1) }\n",
		"a_test.go": "package a\nimport \"flockscope/sim/say\"\nvar _ = say.Textf(\"tested %d\", 1)\n",
		"b/b.go":    "package b\nfunc _() { refuse(\"another %d\", 1) }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	used, texts := formats(t, dir)
	for format := range used {
		got = append(got, format)
	}
	slices.Sort(got)
	want := []string{"%d plus", "%d pluses", "%s and %s", "%s | %s", "%s, %s", "%s: %s", "ab %d", "line %d", "whole"}
	if !slices.Equal(got, want) {
		t.Errorf("the formats are %q, want %q", got, want)
	}
	for text, want := range map[string]bool{"other %d": true, "%d other %ds": true, "tested %d": false, "ab %d": true} {
		if texts[text] != want {
			t.Errorf("that code has %q is said to be %t", text, texts[text])
		}
	}
}

// formats finds the formats of a module, with the place of each, and all other texts that
// code may say: those of constants, and what is counted if they are nouns.
func formats(t *testing.T, root string) (found map[string]string, texts map[string]bool) {
	t.Helper()
	files := token.NewFileSet()
	packages := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, _ := filepath.Rel(root, path)
		within = filepath.ToSlash(within)
		if entry.IsDir() {
			if slices.Contains(silent, within) || within == "sim/say" ||
				within != "." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found, texts = map[string]string{}, map[string]bool{}
	for _, parsed := range packages {
		makers := passers(parsed)
		for _, file := range parsed {
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if text, ok := constant(e); ok {
						texts[text], texts["%d "+text], texts["%d "+Plural(2, text)] = true, true, true
					}
				}
				if call, ok := n.(*ast.CallExpr); ok {
					for _, format := range formatsOf(call, makers) {
						if format != "%s" { // which only passes on what it is given
							found[format] = files.Position(call.Pos()).String()
						}
					}
				}
				return true
			})
		}
	}
	return found, texts
}

// passers are the functions of a package, and ".method" for its methods, that pass a
// format on to those of this package.
func passers(files []*ast.File) map[string]bool {
	makers := map[string]bool{"say.Textf": true, "say.Messagef": true, "say.Errorf": true}
	for before := 0; before < len(makers); {
		before = len(makers)
		for _, file := range files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil || len(f.Type.Params.List) == 0 || len(f.Type.Params.List[0].Names) != 1 {
					continue
				}
				format := f.Type.Params.List[0].Names[0].Name
				ast.Inspect(f.Body, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok || !makers[called(call)] || len(call.Args) == 0 {
						return true
					}
					if first, ok := call.Args[0].(*ast.Ident); ok && first.Name == format {
						name := f.Name.Name
						if f.Recv != nil {
							name = "." + name
						}
						makers[name] = true
					}
					return true
				})
			}
		}
	}
	return makers
}

// called names what is called: "say.Textf", "function" or ".method".
func called(call *ast.CallExpr) string {
	of := call.Fun
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	switch f := of.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "say" {
			return "say." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}

// formatsOf are the formats that a call says.
func formatsOf(call *ast.CallExpr, makers map[string]bool) []string {
	name := called(call)
	switch name {
	case "say.List", "say.ListMessage":
		return []string{"%s and %s", "%s, %s"}
	case "say.Count", "say.CountMessage", "say.Join", "say.JoinMessage":
		if len(call.Args) < 2 {
			return nil
		}
		text, ok := constant(call.Args[1])
		switch {
		case !ok:
			return nil
		case strings.HasPrefix(name, "say.Join"):
			return []string{"%s" + text + "%s"}
		}
		return []string{"%d " + Plural(1, text), "%d " + Plural(2, text)}
	}
	if makers[name] && len(call.Args) > 0 {
		if text, ok := constant(call.Args[0]); ok {
			return []string{text}
		}
	}
	return nil
}

// constant is the text of a literal, or of several that are added up.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		before, ok := constant(e.X)
		after, also := constant(e.Y)
		return before + after, ok && also && e.Op == token.ADD
	}
	return "", false
}
