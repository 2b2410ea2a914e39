package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// code quotes a Go file: "code FILE from NAME" is the declaration of NAME, with its comment, and everything after it.
// FILE is relative to the page.
func code(_ context.Context, w io.Writer, dir string, args []string) error {
	if len(args) != 3 || args[1] != "from" {
		return badInput(errors.New("want code FILE from NAME"))
	}
	path := filepath.Join(dir, filepath.FromSlash(args[0]))
	source, err := os.ReadFile(path)
	if err != nil {
		return badInput(err)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments)
	if err != nil {
		return badInput(err)
	}
	for _, d := range file.Decls {
		if start := declared(d, args[2]); start.IsValid() {
			fmt.Fprintf(w, "```go\n%s```\n", source[set.Position(start).Offset:])
			return nil
		}
	}
	return badInput(fmt.Errorf("%s declares no %s", args[0], args[2]))
}

// declared returns where a declaration of a type or function called name begins, its
// comment included; an invalid position for another declaration.
func declared(d ast.Decl, name string) token.Pos {
	begin := func(comment *ast.CommentGroup, at token.Pos) token.Pos {
		if comment != nil {
			return comment.Pos()
		}
		return at
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name == name {
			return begin(d.Doc, d.Pos())
		}
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if spec, ok := d.Specs[0].(*ast.TypeSpec); ok && spec.Name.Name == name {
				return begin(d.Doc, d.Pos())
			}
		}
	}
	return token.NoPos
}

// A goPackage is the entry of a package of the project in the documentation.
type goPackage struct {
	dir      string // path from the root of the project, with slashes
	synopsis string // first sentence of the package comment
	imports  []string
}

// packages lists the packages of the project with their imports of each other, natively or in a browser, without tests.
func packages(_ context.Context, w io.Writer, dir string, _ []string) error {
	root, err := projectRoot(dir)
	if err != nil {
		return err
	}
	list, err := readPackages(root)
	if err != nil {
		return err
	}
	head(w, "package", "what it is", "imports")
	for _, p := range list {
		cells(w, "`"+p.dir+"`", p.synopsis, codes(p.imports))
	}
	return nil
}

// projectRoot returns the folder of go.mod, above a folder or in it.
func projectRoot(dir string) (string, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root, nil
		}
		if filepath.Dir(root) == root {
			return "", badInput(fmt.Errorf("there is no go.mod in %s or above it", dir))
		}
		root = filepath.Dir(root)
	}
}

// module begins the import paths of the project.
const module = "flockscope/"

// readPackages reads the packages of the module in root, by folder.
func readPackages(root string) ([]goPackage, error) {
	var list []goPackage
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		_, noModule := os.Stat(filepath.Join(path, "go.mod"))
		switch name := entry.Name(); {
		case path == root:
			return nil
		case strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || noModule == nil:
			return filepath.SkipDir
		}
		p, err := readPackage(path)
		if err != nil || p == nil {
			return err
		}
		below, err := filepath.Rel(root, path)
		p.dir = filepath.ToSlash(below)
		list = append(list, *p)
		return err
	})
	return list, err
}

// readPackage reads the Go files of a folder, nil where there are none.
func readPackage(dir string) (*goPackage, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var p *goPackage
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		if p == nil {
			p = &goPackage{}
		}
		if text := file.Doc.Text(); text != "" && p.synopsis == "" {
			p.synopsis = sentence(new(doc.Package).Synopsis(text), file.Name.Name)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if below, ok := strings.CutPrefix(path, module); ok && !slices.Contains(p.imports, below) {
				p.imports = append(p.imports, below)
			}
		}
	}
	if p != nil {
		slices.Sort(p.imports)
	}
	return p, nil
}

// sentence turns the first sentence of a package's comment into one for a table, without the package's name, which is
// in another column.
func sentence(synopsis, name string) string {
	synopsis = strings.NewReplacer("[", "", "]", "").Replace(synopsis)
	if rest, ok := strings.CutPrefix(synopsis, "Package "+name+" "); ok && rest != "" {
		synopsis = strings.ToUpper(rest[:1]) + rest[1:]
	}
	if rest, ok := strings.CutSuffix(synopsis, ":"); ok {
		synopsis = rest + "."
	}
	return synopsis
}

// imports lists the import rules that a test checks: "imports FILE", where FILE declares the variable rules.
func imports(_ context.Context, w io.Writer, dir string, args []string) error {
	if len(args) != 1 {
		return badInput(errors.New("want imports FILE"))
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, filepath.FromSlash(args[0])), nil, 0)
	if err != nil {
		return badInput(err)
	}
	list, ok := variable(file, "rules").(*ast.CompositeLit)
	if !ok {
		return badInput(fmt.Errorf("%s has no list rules", args[0]))
	}
	head(w, "packages", "may import", "why")
	for _, item := range list.Elts {
		rule, ok := item.(*ast.CompositeLit)
		if !ok {
			return badInput(fmt.Errorf("%s: rules holds something else than rules", args[0]))
		}
		row, err := ruleRow(file, rule)
		if err != nil {
			return badInput(fmt.Errorf("%s: %w", args[0], err))
		}
		cells(w, row...)
	}
	return nil
}

// ruleRow returns a rule about imports as a row of the table. A field that the table does not show is an error, so that
// the table is complete.
func ruleRow(file *ast.File, rule *ast.CompositeLit) ([]string, error) {
	values := map[string][]string{}
	for _, pair := range rule.Elts {
		pair, ok := pair.(*ast.KeyValueExpr)
		if !ok {
			return nil, errors.New("a rule has a field without its name")
		}
		name := pair.Key.(*ast.Ident).Name
		if !slices.Contains([]string{"why", "layer", "except", "never", "only", "direct"}, name) {
			return nil, fmt.Errorf("the table does not show the field %s of rules; add it to ruleRow", name)
		}
		var err error
		if values[name], err = constants(file, pair.Value); err != nil {
			return nil, fmt.Errorf("%s of a rule: %w", name, err)
		}
	}
	who := codes(values["layer"])
	if len(values["except"]) > 0 {
		who += " except " + codes(values["except"])
	}
	what := "nothing of " + codes(values["never"])
	if only, ok := values["only"]; ok {
		what = "only the standard library"
		if len(only) > 0 {
			what = "only " + codes(only) + " and the standard library"
		}
	}
	if len(values["direct"]) > 0 {
		what += ", directly"
	}
	who = strings.ReplaceAll(who, "`"+strings.TrimSuffix(module, "/")+"`", "all")
	return []string{strings.ReplaceAll(who, module, ""), strings.ReplaceAll(what, module, ""),
		strings.Join(values["why"], "")}, nil
}

// variable returns the value of a variable of a file, nil if there is none.
func variable(file *ast.File, name string) ast.Expr {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if id.Name == name && i < len(spec.Values) {
						return spec.Values[i]
					}
				}
			}
		}
	}
	return nil
}

// constants evaluates a string, a list of strings, append of two lists, a variable that
// is one of these, or true.
func constants(file *ast.File, e ast.Expr) ([]string, error) {
	var out []string
	join := func(parts ...ast.Expr) error {
		for _, part := range parts {
			more, err := constants(file, part)
			if err != nil {
				return err
			}
			out = append(out, more...)
		}
		return nil
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return []string{text}, err
	case *ast.CompositeLit:
		err := join(e.Elts...)
		return out, err
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "append" {
			err := join(e.Args...)
			return out, err
		}
	case *ast.Ident:
		if e.Name == "true" {
			return []string{e.Name}, nil
		}
		if value := variable(file, e.Name); value != nil {
			return constants(file, value)
		}
	}
	return nil, fmt.Errorf("cannot read %T", e)
}
