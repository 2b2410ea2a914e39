package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pkg is what the go command says of a package.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Module          struct{ Path, Dir string }
}

// load asks the go command for a package.
func load(path string) (*pkg, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Module", path).Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return nil, fmt.Errorf("go list %s: %s", path, strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, err
	}
	p := new(pkg)
	if err := json.Unmarshal(out, p); err != nil {
		return nil, fmt.Errorf("go list %s: expected one package: %w", path, err)
	}
	return p, nil
}

// A mutant is one change of one file.
type mutant struct {
	path          string // of the file
	file          string // the same, from the module's root
	line          int
	outside       bool // of all functions
	kind          string
	start, end    int // bytes that are replaced
	text          string
	before, after string // the line, trimmed
}

// key names the change in equivalent.txt.
func (m *mutant) key() string { return m.file + ": - " + m.before + " + " + m.after }

// source returns the changed file.
func (m *mutant) source() ([]byte, error) {
	src, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	return slices.Concat(src[:m.start], []byte(m.text), src[m.end:]), nil
}

// find returns the changes of a package's hand-written files.
func find(p *pkg, only string) ([]mutant, error) {
	var out []mutant
	for _, name := range p.GoFiles {
		if strings.HasSuffix(name, "_gen.go") || !strings.Contains(name, only) {
			continue
		}
		path := filepath.Join(p.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := filepath.Rel(p.Module.Dir, path)
		if err != nil {
			return nil, err
		}
		found, err := mutate(filepath.ToSlash(file), src)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].path = path
		}
		out = append(out, found...)
	}
	return out, nil
}

// swaps are operators and what each becomes.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// literals are types whose values are words and settings for people, checked elsewhere.
var literals = []string{"Field", "Option", "Offer", "Error", "Meta", "Citation", "Step", "Symbol", "Entry"}

// mutator collects the changes of a file.
type mutator struct {
	fset *token.FileSet
	file string
	src  []byte
	out  []mutant

	outside bool // of all functions
}

// mutate returns the changes of a file.
func mutate(file string, src []byte) ([]mutant, error) {
	m := &mutator{fset: token.NewFileSet(), file: file, src: src}
	tree, err := parser.ParseFile(m.fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	for _, d := range tree.Decls {
		_, function := d.(*ast.FuncDecl)
		m.outside = !function
		ast.Inspect(d, m.visit)
	}
	return m.out, nil
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

// add notes a change of the bytes from one place to another.
func (m *mutator) add(kind string, from, to token.Pos, text string) {
	start, end := m.offset(from), m.offset(to)
	// Lines keep their numbers, and a removed statement its lines.
	text += strings.Repeat("\n", max(0, strings.Count(string(m.src[start:end]), "\n")-strings.Count(text, "\n")))
	line := m.fset.Position(from).Line
	first := strings.LastIndexByte(string(m.src[:start]), '\n') + 1
	rest := func(s string) string { before, _, _ := strings.Cut(s, "\n"); return strings.TrimSpace(before) }
	m.out = append(m.out, mutant{file: m.file, line: line, outside: m.outside, kind: kind, start: start, end: end,
		text: text, before: rest(string(m.src[first:])),
		after: cmp.Or(rest(string(m.src[first:start])+text+string(m.src[end:])), "(nothing)")})
}

// operator notes a change of an operator.
func (m *mutator) operator(at token.Pos, op token.Token) {
	if other, ok := swaps[op]; ok {
		m.add(op.String()+" becomes "+other.String(), at, at+token.Pos(len(op.String())), other.String())
	}
}

// negate notes that a condition is turned around.
func (m *mutator) negate(cond ast.Expr) {
	if cond != nil && !mentions(cond, "cap") {
		m.add("a condition is negated", cond.Pos(), cond.End(),
			"!("+string(m.src[m.offset(cond.Pos()):m.offset(cond.End())])+")")
	}
}

// remove notes that a statement goes.
func (m *mutator) remove(kind string, s ast.Stmt) { m.add(kind+" is removed", s.Pos(), s.End(), "") }

// visit looks at one node. It returns false where nothing below is to be changed.
func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR || n.Tok == token.CONST
	case *ast.BinaryExpr:
		if mentions(n, "cap") && (n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ) {
			return false // whether there is room makes no difference but in memory
		}
		m.operator(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			m.add(n.Op.String()+" is removed", n.OpPos, n.X.Pos(), "")
		}
	case *ast.IncDecStmt:
		m.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		m.operator(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			m.remove("an assignment", n)
		}
	case *ast.IfStmt:
		m.negate(n.Cond)
	case *ast.BranchStmt:
		if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
			m.operator(n.TokPos, n.Tok)
			m.remove(n.Tok.String(), n)
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			m.remove("a return", n)
		}
	case *ast.DeferStmt, *ast.GoStmt:
		m.remove("a call", n.(ast.Stmt))
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !idle(call) {
			m.remove("a call", n)
		}
	case *ast.CallExpr:
		return m.call(n)
	case *ast.CompositeLit:
		if slices.Contains(literals, typeName(n.Type)) {
			m.functions(n)
			return false
		}
	case *ast.BasicLit:
		if n.Kind == token.INT && (n.Value == "0" || n.Value == "1") {
			other := string('0' + '1' - n.Value[0])
			m.add(n.Value+" becomes "+other, n.Pos(), n.End(), other)
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			m.add("true becomes false", n.Pos(), n.End(), "false")
		case "false":
			m.add("false becomes true", n.Pos(), n.End(), "true")
		}
	}
	return true
}

// call looks at a call and what is in it.
func (m *mutator) call(n *ast.CallExpr) bool {
	switch name := typeName(n.Fun); {
	case name == "panic" || idle(n):
		return false
	case name == "make":
		if len(n.Args) > 1 {
			ast.Inspect(n.Args[1], m.visit) // and not the capacity
		}
		return false
	case name == "Grow":
		return false
	case name == "Inf" && string(m.src[m.offset(n.Args[0].Pos()):m.offset(n.Args[0].End())]) == "1":
		return false // Inf(0) is the same
	}
	if len(n.Args) >= 2 && plain(n.Args[0]) && plain(n.Args[1]) {
		a, b := n.Args[0], n.Args[1]
		text := func(from, to token.Pos) string { return string(m.src[m.offset(from):m.offset(to)]) }
		if text(a.Pos(), a.End()) != text(b.Pos(), b.End()) && !commutes(n.Fun) {
			m.add("two arguments are swapped", a.Pos(), b.End(),
				text(b.Pos(), b.End())+text(a.End(), b.Pos())+text(a.Pos(), a.End()))
		}
	}
	return true
}

// functions looks only at the functions inside a literal.
func (m *mutator) functions(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			ast.Inspect(f.Body, m.visit)
			return false
		}
		return true
	})
}

// plain reports whether an argument is a name: of those the types are often alike.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "nil"
	case *ast.SelectorExpr:
		return plain(e.X)
	}
	return false
}

// commutes reports whether the order of the arguments of a function makes no difference.
func commutes(f ast.Expr) bool {
	return slices.Contains([]string{"min", "max", "Equal", "Max", "Min", "Hypot", "dot", "Dot"}, typeName(f))
}

// idle reports whether a call only saves time or memory, or says something to people.
func idle(n *ast.CallExpr) bool {
	if s, ok := n.Fun.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name == "runtime" || x.Name == "log"
		}
	}
	return false
}

// typeName returns the last name of a type or function, "" where it has none.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	}
	return ""
}

// mentions reports whether an expression calls a function.
func mentions(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && typeName(call.Fun) == name {
			found = true
		}
		return !found
	})
	return found
}
