package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"flockscope/ui"
	"flockscope/ui/files"
)

// verbs are what fmt fills in.
var verbs = regexp.MustCompile(`%(\.\d)?( x|[sqvwdg])`)

// filled returns a text of the sources as people meet it: a name in quotes, or a
// number, for all that is known only when it is said. It is "" for what is no text.
func filled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind != token.STRING || err != nil {
			return ""
		}
		return verbs.ReplaceAllStringFunc(text, func(verb string) string {
			if strings.ContainsAny(verb, "dgv") {
				return "7"
			}
			return `"x"`
		})
	case *ast.BinaryExpr:
		left, right := filled(e.X), filled(e.Y)
		switch {
		case left == "" && right == "":
			return ""
		case left == "":
			return "7" + right
		case right == "":
			return left + "7"
		}
		return left + right
	case *ast.CallExpr:
		switch f := e.Fun.(type) {
		case *ast.SelectorExpr:
			switch f.Sel.Name {
			case "Sprintf":
				return filled(e.Args[0])
			case "Megabytes":
				return "7 MB"
			}
		case *ast.Ident:
			if f.Name == "Megabytes" {
				return "7 MB"
			}
		}
	}
	return ""
}

// refusals calls f with every text by which the sources of a package refuse
// something, and the name of what it is given to.
func refusals(t *testing.T, dir string, f func(to, text string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources in %s: %v", dir, err)
	}
	give := func(to string, e ast.Expr) {
		if text := strings.TrimPrefix(filled(e), "; "); strings.Trim(text, "7") != "" {
			f(to, text)
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch f := n.Fun.(type) {
				case *ast.Ident:
					name = f.Name
				case *ast.SelectorExpr:
					name = f.Sel.Name
				}
				switch name {
				case "errorf", "Errorf", "Notify", "fail", "Fail":
					give(name, n.Args[0])
				case "New", "wrong", "refuse":
					for _, arg := range n.Args {
						give(name, arg)
					}
				}
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Chosen" && len(n.Elts) == 2 {
					give(kind.Name, n.Elts[1])
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Want" || key.Name == "Hint") {
					give(key.Name, n.Value)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if name, ok := left.(*ast.Ident); ok && (name.Name == "hint" || name.Name == "want") &&
						i < len(n.Rhs) {
						give("Hint", n.Rhs[i])
					}
				}
			case *ast.ReturnStmt:
				for _, result := range n.Results {
					give("return", result)
				}
			}
			return true
		})
	}
}

// What refuses a setting, a file or a link says why in Chinese, in the sentence
// in which the page puts it.
func TestChineseRefusals(t *testing.T) {
	a, _ := ready(t, "")
	r := newReader(t, a.Schema)
	seen := 0
	for _, dir := range []string{"param", "experiment", "partition", "workload", "model", "catalog"} {
		refusals(t, "../../sim/"+dir, func(to, text string) {
			if !sentence.MatchString(text) || to == "return" || strings.HasPrefix(text, dir+": ") {
				return
			}
			seen++
			switch to {
			case "Want":
				r.read(dir, `C: got "7", want `+text+`. The default is used instead.`, `C: got "7", want `+text+".",
					`C: got "7", want `+text+". The figures still show the previous run.")
			case "Hint":
				r.read(dir, `C: got "7", want 0 or 1 (`+text+"). The default is used instead.")
			case "refuse":
				r.read(dir, `C: got "7", want `+text+`.`, `C: got "7", want 0 or 1 (`+text+").")
			default:
				r.read(dir, "rows.csv: line 3: "+text+". Nothing was changed.")
			}
		})
	}
	refusals(t, "../../sim/dataset", func(to, text string) {
		switch {
		case to == "Chosen": // why a column has a role
			seen++
			if rest, ok := strings.CutPrefix(text, "7:"); ok {
				text = "by its name; 2 whole numbers, about 13.3 rows each:" + rest
			}
			r.read("roles", text)
		case to == "return" || !sentence.MatchString(text) || strings.HasPrefix(text, "dataset: "):
		case to == "wrong":
			seen++
			r.read("dataset", "users.json: byte 12: expected "+text+`, found "x". Nothing was changed.`)
		default:
			seen++
			r.read("dataset", "train.csv: "+text+". Nothing was changed.")
		}
	})
	for _, why := range []string{"the only column of words", "the last column", "the last column of numbers",
		"the first column, with whole numbers that come again",
		"the last column, with whole numbers that come again", "the first column, before those of a picture"} {
		r.read("roles", why+"; words: classes")
	}
	for _, dir := range []string{"..", "../browser"} {
		refusals(t, dir, func(to, text string) {
			if to == "Notify" || to == "fail" || to == "Fail" {
				seen++
				r.read("ui", text)
			}
		})
	}
	r.read("an address", files.Unreachable("https://host.org/x.csv"), files.Forbidden("https://host.org/x.csv"),
		files.Answered("https://host.org/x.csv", 404), files.Answered("https://host.org/x.csv", 503))
	for english, chinese := range map[string]string{
		`x.csv: line 3: column "y": expected a class or a number, found "NA"; leave out rows that have none`: `x.csv：第 3 行："y" 列：应为 类别或数，实为 "NA"；请去掉没有值的行`,
		`x.csv: line 3: column "a": expected a number, found "two"`:                                          `x.csv：第 3 行："a" 列：应为 数，实为 "two"`,
	} {
		if got := r.Text(english); got != chinese {
			t.Errorf("%s\nis %s in Chinese, want\n%s", english, got, chinese)
		}
	}
	r.read("files", "130 samples of 2 numbers in 2 classes by 13 writers in 2 groups",
		"27677 samples of 5000 numbers in 2 classes from 4 domains")
	for _, query := range []string{"dphi=900", "nonsense=1", "cflgpp.K=2", "cflgp.Kk=2", "dphi=20&data=csv",
		"algos=cflpg", "T=1.5", "algos=a,b,c,d,e", "dphi=1&dphi=2", "C=3&D=5", "nonsense", "embed=1&lanes=9&origin=x"} {
		b := ui.New(a.Schema, query)
		if len(b.Notices) == 0 {
			t.Errorf("%s: nothing is noticed", query)
		}
		for _, n := range b.Notices {
			r.read(query, n.Text)
		}
	}
	if seen < 150 {
		t.Errorf("the sources have %d refusals, want all of them", seen)
	}
}
