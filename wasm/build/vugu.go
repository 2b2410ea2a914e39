package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// vuguRender returns Vugu's render script as a file, with our changes; see VUGU.md.
func vuguRender() ([]byte, error) {
	dir, err := moduleDir("github.com/vugu/vugu")
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "domrender")
	script, err := stringConstant(filepath.Join(dir, "renderer-js-script.go"), "jsHelperScript")
	if err != nil {
		return nil, err
	}
	renderer, err := os.ReadFile(filepath.Join(dir, "renderer-js.go"))
	if err != nil {
		return nil, err
	}
	const evals = `ret.window.Call("eval", jsHelperScript)`
	if n := strings.Count(string(renderer), evals); n != 1 {
		return nil, otherVugu("script as a file", evals, n, 1)
	}
	script, err = changeScript(script, vuguChanges)
	return []byte(script + "\n"), err
}

// stringConstant returns the value of a string constant of a Go file.
func stringConstant(file, name string) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			value := spec.(*ast.ValueSpec)
			if value.Names[0].Name != name || len(value.Values) != 1 {
				continue
			}
			if literal, ok := value.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				return strconv.Unquote(literal.Value)
			}
		}
	}
	return "", fmt.Errorf("%s: no string constant %s", file, name)
}

//go:embed vugu_patch.js
var vuguHelpers string

// vuguChanges are our changes to Vugu's render script.
var vuguChanges = []change{
	{
		name: "helpers",
		old:  "(function(){if(window.vuguRender)return;",
		new:  "(function(){if(window.vuguRender)return;\n" + vuguHelpers,
	}, {
		name: "attributes",
		old:  "e.setAttribute(t,n),x.elAttrNames[t]=!0",
		new:  "setAttribute(e,t,n),x.elAttrNames[t]=!0",
	}, {
		name: "attributes",
		old:  "t.setAttributeNS(e,n,s),x.elAttrNames[n]=!0",
		new:  "setAttribute(t,n,s,e),x.elAttrNames[n]=!0",
	}, {
		name: "canvases",
		old:  "x.elAttrNames[x.el.attributes[t].name]||e.push",
		new:  "x.elAttrNames[x.el.attributes[t].name]||isCanvasSize(x.el,x.el.attributes[t].name)||e.push",
	}, {
		name:  "texts",
		old:   "else x.el.textContent=e;break",
		new:   "else setText(x.el,e);break",
		count: 2, // a text node, and a comment
	},
}

// A change replaces text that must occur a known number of times, so that a new version
// of the script is noticed.
type change struct {
	name     string // heading in VUGU.md
	old, new string
	count    int // 0 means once
}

func changeScript(script string, changes []change) (string, error) {
	for _, c := range changes {
		want := max(c.count, 1)
		if got := strings.Count(script, c.old); got != want {
			return "", otherVugu(c.name, c.old, got, want)
		}
		script = strings.ReplaceAll(script, c.old, c.new)
	}
	return script, nil
}

// otherVugu is the error that Vugu does not match a change.
func otherVugu(change, text string, got, want int) error {
	return fmt.Errorf("this version of Vugu has %q %d times, want %d, so the change %q does not fit; "+
		"wasm/build/VUGU.md says what it is for", text, got, want, change)
}
