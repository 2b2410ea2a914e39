package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The documentation is Markdown beside the code that it describes. The site has it as pages below docs/, at the same
// paths, so that the help of the page can link to them. A visit to the page does not load them.

const docsDir = "docs/"

// resultsDir is the folder of the tables of a book of results.
const resultsDir = "results"

//go:embed docs.css
var docsStyle []byte

//go:embed docs.html
var docsTemplate string

var docsPage = template.Must(template.New("page").Parse(docsTemplate))

// markdown reads Markdown as GitHub does. Tables are aligned without styles, which the
// policy of the site forbids.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Linkify),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// A document is a Markdown file, parsed.
type document struct {
	path   string // path from the root of the project, with slashes
	source []byte
	root   ast.Node
}

func parseDocument(path string, source []byte) *document {
	context := parser.NewContext(parser.WithIDs(&headingIDs{}))
	return &document{path, source, markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))}
}

// readDocuments parses the Markdown files of the project, without those of hidden folders
// and of installed packages: first the README, then the others as it links to them.
func readDocuments(root string) ([]*document, error) {
	var list []*document
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if file != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		case path.Ext(file) != ".md":
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		list = append(list, parseDocument(filepath.ToSlash(name), source))
		return err
	})
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	at := func(d *document) int { return strings.LastIndex(string(readme), "]("+d.path) }
	slices.SortStableFunc(list, func(a, b *document) int { return at(a) - at(b) })
	return list, nil
}

// addDocs adds the documentation to a site.
func addDocs(site files, root string) error {
	list, err := readDocuments(root)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, d := range list {
		known[d.path] = true
	}
	for _, d := range list {
		if err := d.adapt(site, root, known); err != nil {
			return fmt.Errorf("%s: %w", d.path, err)
		}
		var body, page bytes.Buffer
		if err := markdown.Renderer().Render(&body, d.source, d.root); err != nil {
			return fmt.Errorf("%s: %w", d.path, err)
		}
		up := strings.Repeat("../", strings.Count(d.path, "/"))
		var links []docsLink
		for _, other := range list {
			if path.Base(path.Dir(other.path)) == resultsDir && other != d {
				continue // dozens of tables, which RESULTS.md lists
			}
			links = append(links, docsLink{up + htmlName(other.path), other.title(), other == d})
		}
		// Content that scrolls sideways must be focusable, to be scrolled with keys.
		text := strings.ReplaceAll(body.String(), "<pre><code", `<pre tabindex="0"><code`)
		err := docsPage.Execute(&page, map[string]any{"Title": d.title(), "Up": up, "Links": links,
			"Body": template.HTML(text)})
		if err != nil {
			return fmt.Errorf("%s: %w", d.path, err)
		}
		site[docsDir+htmlName(d.path)] = page.Bytes()
	}
	site[docsDir+"docs.css"] = docsStyle
	return nil
}

type docsLink struct {
	Address, Title string
	Here           bool
}

func htmlName(path string) string { return strings.TrimSuffix(path, ".md") + ".html" }

// title is the text of the first heading.
func (d *document) title() string {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			return string(h.Lines().Value(d.source))
		}
	}
	return d.path
}

// A target is the destination of a link or a picture in a document.
type target struct {
	node     ast.Node
	file     string // path from the root of the project; "" for the document itself
	fragment string
}

// targets returns the targets within the project of a document's links and pictures.
func (d *document) targets() (list []target, err error) {
	err = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var address []byte
		switch n := n.(type) {
		case *ast.Link:
			address = n.Destination
		case *ast.Image:
			address = n.Destination
		}
		if !entering || address == nil || isRun(address) {
			return ast.WalkContinue, nil
		}
		u, err := url.Parse(string(address))
		if err != nil {
			return ast.WalkStop, err
		}
		if u.Scheme == "" && u.Host == "" {
			t := target{node: n, fragment: u.Fragment}
			if u.Path != "" {
				t.file = path.Join(path.Dir(d.path), u.Path)
			}
			list = append(list, t)
		}
		return ast.WalkContinue, nil
	})
	return list, err
}

// linkToThisSite makes links to runs lead to this site's own page, wherever it is served.
func (d *document) linkToThisSite() error {
	root := strings.Repeat("../", strings.Count(docsDir+d.path, "/"))
	return ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering && isRun(link.Destination) {
			_, query, _ := bytes.Cut(link.Destination, []byte("?"))
			link.Destination = append([]byte(root+"?"), query...)
		}
		return ast.WalkContinue, nil
	})
}

// isRun reports whether an address is that of a run: a query behind nothing or "../", which stands for the page wherever
// the document is.
func isRun(address []byte) bool {
	up, _, ok := bytes.Cut(address, []byte("?"))
	return ok && len(bytes.ReplaceAll(up, []byte("../"), nil)) == 0
}

// adapt prepares a document for the site: links lead to pages, pictures are copied, and links to files that the site
// does not have become plain text. Marks of generated parts are removed.
func (d *document) adapt(site files, root string, known map[string]bool) error {
	for n := d.root.FirstChild(); n != nil; {
		next := n.NextSibling()
		if n.Kind() == ast.KindHTMLBlock {
			d.root.RemoveChild(d.root, n)
		}
		n = next
	}
	targets, err := d.targets()
	if err != nil {
		return err
	}
	if err := d.linkToThisSite(); err != nil {
		return err
	}
	for _, t := range targets {
		switch n := t.node.(type) {
		case *ast.Image:
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(t.file)))
			if err != nil {
				return err
			}
			site[docsDir+t.file] = content
		case *ast.Link:
			switch {
			case t.file == "":
			case known[t.file]:
				n.Destination = bytes.Replace(n.Destination, []byte(".md"), []byte(".html"), 1)
			case strings.HasSuffix(t.file, ".jsonl.gz"): // records, for a reader's own analysis
				content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(t.file)))
				if err != nil {
					return err
				}
				site[docsDir+t.file] = content
			default:
				for child := n.FirstChild(); child != nil; child = n.FirstChild() {
					n.Parent().InsertBefore(n.Parent(), n, child)
				}
				n.Parent().RemoveChild(n.Parent(), n)
			}
		}
	}
	return nil
}

// headingIDs makes the IDs of headings as GitHub does, so that the same links work there and here.
type headingIDs struct{ used map[string]int }

// Generate implements [parser.IDs].
func (ids *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, string(value))
	if ids.used == nil {
		ids.used = map[string]int{}
	}
	n := ids.used[id]
	ids.used[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements [parser.IDs].
func (ids *headingIDs) Put([]byte) {}
