package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// vuguRender returns Vugu's render script as a file of its own, with patches.
//
// Vugu carries the script as a Go constant and passes it to window.eval, which
// a strict Content-Security-Policy forbids; as a file it is allowed.
func vuguRender() ([]byte, error) {
	dir, err := moduleDir("github.com/vugu/vugu")
	if err != nil {
		return nil, err
	}
	script, err := stringConstant(filepath.Join(dir, "domrender", "renderer-js-script.go"), "jsHelperScript")
	if err != nil {
		return nil, err
	}
	script, err = patch(script, vuguPatches)
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

// vuguPatches make a render that changes nothing touch nothing. As published,
// Vugu writes every attribute, text and innerHTML on every render, whether it
// changed or not: that costs time, ends a text selection and wakes mutation
// observers. It also has a decoder of any language read thousands of short texts,
// nearly all of them ASCII. The helpers are in vugu_patch.js.
var vuguPatches = []replacement{
	{
		old: "(function(){if(window.vuguRender)return;",
		new: "(function(){if(window.vuguRender)return;\n" + vuguHelpers,
	}, {
		old: "t=x.decode(new DataView(this.dataView.buffer,this.dataView.byteOffset+this.offset+4,e))",
		new: "t=readText(this.dataView,this.offset+4,e)",
	}, {
		old: "e.setAttribute(t,n),x.elAttrNames[t]=!0",
		new: "setAttribute(e,t,n),x.elAttrNames[t]=!0",
	}, {
		old: "t.setAttributeNS(e,n,s),x.elAttrNames[n]=!0",
		new: "setAttributeNS(t,e,n,s),x.elAttrNames[n]=!0",
	}, {
		old:   "else x.el.textContent=e;break",
		new:   "else setText(x.el,e);break",
		count: 2, // a text node, a comment
	}, {
		old: "e[t]=JSON.parse(n);break",
		new: "setProperty(e,t,JSON.parse(n));break",
	}, {
		old: "x.elAttrNames[x.el.attributes[t].name]||e.push",
		new: "x.elAttrNames[x.el.attributes[t].name]||isOwn(x.el,x.el.attributes[t].name)||e.push",
	}, {
		old: `x.el.innerHTML=(x.bufferedInnerHTML||"")+e`,
		new: `setHTML(x.el,(x.bufferedInnerHTML||"")+e)`,
	},
}

// A replacement is text that must occur a known number of times, so that a new
// version of the script cannot slip past a patch unseen.
type replacement struct {
	old, new string
	count    int // 0 means once
}

func patch(script string, patches []replacement) (string, error) {
	for _, p := range patches {
		want := max(p.count, 1)
		if got := strings.Count(script, p.old); got != want {
			return "", fmt.Errorf("patching Vugu's render script: found %q %d times, want %d; has the version of Vugu changed?", p.old, got, want)
		}
		script = strings.ReplaceAll(script, p.old, p.new)
	}
	return script, nil
}
