package main

import (
	"bytes"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	md "github.com/yuin/goldmark/ast"
)

const projectRoot = "../.."

func projectDocuments(t *testing.T) []*document {
	t.Helper()
	list, err := readDocuments(projectRoot)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 5 || list[0].path != "README.md" {
		t.Fatalf("there are %d documents, want README.md and others", len(list))
	}
	return list
}

// headings returns the ids of a document's headings.
func (d *document) headings(t *testing.T) (ids []string) {
	err := md.Walk(d.root, func(n md.Node, entering bool) (md.WalkStatus, error) {
		if _, ok := n.(*md.Heading); ok && entering {
			id, _ := n.AttributeString("id")
			ids = append(ids, string(id.([]byte)))
		}
		return md.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// Every link of the documentation within the project leads to a file that is there, and
// to a heading that is there.
func TestDocsLinks(t *testing.T) {
	list := projectDocuments(t)
	of := map[string]*document{}
	for _, d := range list {
		of[d.path] = d
	}
	checked := 0
	for _, d := range list {
		if bytes.Contains(d.source, []byte("](http://localhost")) {
			t.Errorf("%s links to this computer; write it with -site ../", d.path)
		}
		targets, err := d.targets()
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range targets {
			checked++
			file := to.file
			if file == "" {
				file = d.path
			}
			if _, err := os.Stat(filepath.Join(projectRoot, filepath.FromSlash(file))); err != nil {
				t.Errorf("%s links to %s, which is not there", d.path, file)
			}
			if to.fragment == "" {
				continue
			}
			if other := of[file]; other == nil || !slices.Contains(other.headings(t), to.fragment) {
				t.Errorf("%s links to #%s of %s, which has no such heading", d.path, to.fragment, file)
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d links were checked, want more", checked)
	}
}

// codeReference is how the documentation names a declaration: the file, seen from the
// root of the project, and a function, a type or a method.
var codeReference = regexp.MustCompile("`([A-Za-z0-9_./-]+\\.go):([A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)?)`")

// Every declaration that the documentation names is where it says.
func TestDocsReferences(t *testing.T) {
	declared := map[string]map[string]bool{}
	checked := 0
	for _, d := range projectDocuments(t) {
		for _, m := range codeReference.FindAllSubmatch(d.source, -1) {
			file, name := string(m[1]), string(m[2])
			if declared[file] == nil {
				names, err := declarations(filepath.Join(projectRoot, filepath.FromSlash(file)))
				if err != nil {
					t.Errorf("%s names %s: %v", d.path, file, err)
				}
				declared[file] = names
			}
			if checked++; declared[file] != nil && !declared[file][name] {
				t.Errorf("%s names %s:%s, which is not declared there", d.path, file, name)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d references were checked, want more", checked)
	}
}

// declarations returns the functions, methods, types and variables of a Go file.
func declarations(file string) (map[string]bool, error) {
	parsed, err := goparser.ParseFile(token.NewFileSet(), file, nil, goparser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				receiver := d.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				if generic, ok := receiver.(*ast.IndexExpr); ok {
					receiver = generic.X
				}
				name = receiver.(*ast.Ident).Name + "." + name
			}
			names[name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names[id.Name] = true
					}
				}
			}
		}
	}
	return names, nil
}

// Files that the documentation names as code are there: paths of several folders, such as
// sim/lesson/cost.go, from the root.
func TestDocsFiles(t *testing.T) {
	named := regexp.MustCompile("`((?:clusterer|sim|ui|wasm|assets|e2e|\\.ci)/[A-Za-z0-9_./-]+)`")
	for _, d := range projectDocuments(t) {
		for _, m := range named.FindAllSubmatch(d.source, -1) {
			if _, err := os.Stat(filepath.Join(projectRoot, filepath.FromSlash(string(m[1])))); err != nil {
				t.Errorf("%s names %s, which is not there", d.path, m[1])
			}
		}
	}
}

// address is what a page of the documentation refers to.
var address = regexp.MustCompile(`\b(?:href|src)="([^"]*)"`)

// The site has a page for every document, and all that these pages refer to.
func TestAddDocs(t *testing.T) {
	site := files{"index.html": nil, "assets/icon.svg": nil}
	if err := addDocs(site, projectRoot); err != nil {
		t.Fatal(err)
	}
	for _, d := range projectDocuments(t) {
		name := docsDir + htmlName(d.path)
		page, ok := site[name]
		if !ok {
			t.Errorf("there is no %s", name)
			continue
		}
		if !bytes.Contains(page, []byte("<title>"+html.EscapeString(d.title()))) || !bytes.Contains(page, []byte("<h1 id=")) {
			t.Errorf("%s does not begin with its title %q", name, d.title())
		}
		for _, forbidden := range []string{"<!--", "style=", "<script"} {
			if bytes.Contains(page, []byte(forbidden)) {
				t.Errorf("%s contains %q", name, forbidden)
			}
		}
		for _, m := range address.FindAllSubmatch(page, -1) {
			u, err := url.Parse(string(m[1]))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.Scheme != "" || u.Path == "" {
				continue
			}
			to := path.Join(path.Dir(name), u.Path)
			if to == "." {
				to = "index.html"
			}
			if _, ok := site[to]; !ok {
				t.Errorf("%s refers to %s, which the site has not", name, u)
			}
		}
	}
	if err := addWorker(site); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(site[workerFile]), docsDir) {
		t.Error("the service worker keeps the documentation, which few people read")
	}
}

func TestAdapt(t *testing.T) {
	source := "# A *title*\n\n<!-- flock: x -->\nText, [page](b/B.md#part), [source](../c.go), [here](#a-title), [away](https://host/x.md), [run](../?T=5&K=2), [other](?T=5).\n<!-- flock: end -->\n"
	d := parseDocument("docs/A.md", []byte(source))
	if err := d.adapt(files{}, projectRoot, map[string]bool{"docs/b/B.md": true}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, d.source, d.root); err != nil {
		t.Fatal(err)
	}
	want := "<h1 id=\"a-title\">A <em>title</em></h1>\n" +
		"<p>Text, <a href=\"b/B.html#part\">page</a>, source, <a href=\"#a-title\">here</a>, <a href=\"https://host/x.md\">away</a>, <a href=\"../../?T=5&amp;K=2\">run</a>, <a href=\"../../?T=5\">other</a>.</p>\n"
	if got := out.String(); got != want {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
}

// Headings are called as GitHub calls them.
func TestHeadingIDs(t *testing.T) {
	d := parseDocument("A.md", []byte("# One\n\n## `data=digits`: Über alles\n\n## One\n\n## A_b-c, (d)\n"))
	want := []string{"one", "datadigits-über-alles", "one-1", "a_b-c-d"}
	if got := d.headings(t); !slices.Equal(got, want) {
		t.Errorf("headings = %q, want %q", got, want)
	}
}
