package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/lesson"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

//go:generate go run . docs ../../..

var _ = register(command{
	name: "docs", args: "FOLDER", run: docs,
	doc: "rewrite the generated parts of Markdown files",
})

// docs rewrites the parts of Markdown files that stand between the lines
//
//	<!-- flock: NAME -->
//	<!-- flock: end -->
//
// with what [blocks] writes under that name. It takes files, and folders, in which it reads
// every Markdown file.
func docs(ctx context.Context, args []string, _, _ io.Writer) error {
	args, err := operands("docs", args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return badInput(errors.New("docs takes Markdown files or folders, got none; for example flock docs README.md"))
	}
	for _, root := range args {
		pages, err := markdownFiles(root)
		if err != nil {
			return badInput(err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				return badInput(err)
			}
			fresh, err := rewrite(ctx, filepath.Dir(page), string(text))
			if err != nil {
				return fmt.Errorf("%s: %w", page, err)
			}
			if fresh == string(text) {
				continue
			}
			if err := os.WriteFile(page, []byte(fresh), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// markdownFiles returns a file, or the Markdown files below a folder, without those of
// hidden folders and of installed packages.
func markdownFiles(root string) (pages []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return filepath.SkipDir
			}
		case path == root || strings.HasSuffix(path, ".md"):
			pages = append(pages, path)
		}
		return nil
	})
	return pages, err
}

// A block writes a generated part of a page. dir is the folder of the page, and args
// is what follows the name of the block.
type block func(ctx context.Context, w io.Writer, dir string, args []string) error

// blocks are what docs can write, by name.
var blocks = map[string]block{
	"methods":   plain(methods),
	"results":   defaultResults,
	"names":     plain(names),
	"papers":    plain(listPapers),
	"workloads": plain(workloads),
	"settings":  plain(allSettings),
	"lessons":   plain(lessons),
	"usage":     plain(func(w io.Writer) { fmt.Fprintf(w, "```\n%s```\n", usage()) }),
	"packages":  packages,
	"imports":   imports,
	"code":      code,
}

// plain makes a block that takes no arguments and cannot fail.
func plain(write func(io.Writer)) block {
	return func(_ context.Context, w io.Writer, _ string, _ []string) error {
		write(w)
		return nil
	}
}

const docsEnd = "<!-- flock: end -->\n"

// rewrite returns the text of a page in a folder with its blocks written anew.
func rewrite(ctx context.Context, dir, text string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!-- flock: ")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		head, rest, _ := strings.Cut(rest, " -->\n")
		_, after, closed := strings.Cut(rest, docsEnd)
		words := strings.Fields(head)
		if !closed || len(words) == 0 || blocks[words[0]] == nil {
			return "", badInput(fmt.Errorf("there is no block %q, or no end to it", head))
		}
		var b bytes.Buffer
		if err := blocks[words[0]](ctx, &b, dir, words[1:]); err != nil {
			return "", fmt.Errorf("block %q: %w", head, err)
		}
		fmt.Fprintf(&out, "<!-- flock: %s -->\n%s%s", head, &b, docsEnd)
		text = after
	}
}

// cells writes one row of a table. A | inside a cell would end it.
func cells(w io.Writer, texts ...string) {
	for i, cell := range texts {
		texts[i] = strings.ReplaceAll(cell, "|", "\\|")
	}
	fmt.Fprintf(w, "| %s |\n", strings.Join(texts, " | "))
}

// head writes the head of a table.
func head(w io.Writer, titles ...string) {
	cells(w, titles...)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(titles)))
}

// reference writes a paper as a link, with the place in it.
func reference(p registry.Citation) string {
	text := fmt.Sprintf("[%s %d](%s)", p.Venue, p.Year, p.URL)
	if p.Where != "" {
		text += ", " + p.Where
	}
	return text
}

// toSettings writes the name of a method or a workload as a link to its settings, from
// a page in a folder beside that of the settings.
func toSettings(key string, m *registry.Meta) string {
	return fmt.Sprintf("[`%s`](../experiment/SETTINGS.md#%s)", m.Name, anchor(ownSection(key, m)))
}

// names lists the titles of all methods and workloads.
func names(w io.Writer) {
	var methods, data []string
	for _, a := range catalog.Finished() {
		methods = append(methods, a.Title)
	}
	for _, e := range catalog.Workloads() {
		data = append(data, strings.ToLower(e.Title[:1])+e.Title[1:])
	}
	fmt.Fprintf(w, "**Methods**: %s.\n\n**Data**: %s.\n", strings.Join(methods, ", "), strings.Join(data, "; "))
}

// methods describes every algorithm.
func methods(w io.Writer) {
	head(w, "`algos=`", "method", "what happens", "clients are told apart by", "a client sends", "clients count by",
		"paper")
	for _, a := range catalog.Finished() {
		cells(w, toSettings("algos", &a.Meta), a.Title, a.Doc, a.By, a.Sends, cmp.Or(a.Counts, "–"), reference(a.Paper))
	}
}

// defaultResults lists the results of every algorithm on the default data.
func defaultResults(ctx context.Context, w io.Writer, _ string, _ []string) error {
	head(w, "method", "ARI", "correct since", "loss", "floats up", "floats down", "multiply-adds")
	for _, a := range catalog.Finished() {
		c, problems := catalog.Schema().Parse("algos=" + a.Name)
		if len(problems) > 0 {
			return problems[0]
		}
		var v summarySink
		if err := engine.Run(ctx, c, nil, &v); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		since, ari := "never", fmt.Sprintf("%.2f", v.ARI)
		if v.Settled >= 0 {
			since = fmt.Sprintf("round %d", v.Settled)
		}
		if a.Unclustered {
			since, ari = "–", "–"
		}
		cells(w, a.Title, ari, since, fmt.Sprintf("%.4f", v.Loss), fmt.Sprintf("%.0f", v.Up),
			fmt.Sprintf("%.0f", v.Down), fmt.Sprintf("%.0f", v.Computed))
	}
	return nil
}

// summarySink records the summary of a run's only lane.
type summarySink struct{ trace.Summary }

func (*summarySink) Begin(*trace.Header)           {}
func (*summarySink) Frame(int, *trace.Frame)       {}
func (*summarySink) Round(int)                     {}
func (v *summarySink) End(_ int, s *trace.Summary) { v.Summary = *s }

// workloads lists the workloads.
func workloads(w io.Writer) {
	head(w, "`data=`", "what clients hold", "paper")
	for _, e := range catalog.Workloads() {
		cells(w, toSettings("data", &e.Meta), e.Doc, reference(e.Paper))
	}
}

// listPapers lists every paper that a method or a workload follows, by year.
func listPapers(w io.Writer) {
	var all []registry.Citation
	for _, a := range catalog.Finished() {
		all = append(all, a.Paper)
	}
	for _, e := range catalog.Workloads() {
		all = append(all, e.Paper)
	}
	slices.SortStableFunc(all, func(p, q registry.Citation) int {
		return cmp.Or(p.Year-q.Year, strings.Compare(p.Title, q.Title))
	})
	all = slices.CompactFunc(all, func(p, q registry.Citation) bool { return p.Title == q.Title })
	for _, p := range all {
		fmt.Fprintf(w, "- %s: *%s*, [%s %d](%s).\n", p.Authors, p.Title, p.Venue, p.Year, p.URL)
	}
}

// lessons lists the lessons with their questions.
func lessons(w io.Writer) {
	head(w, "`lesson=`", "title", "question", "paper")
	for _, l := range lesson.All() {
		cells(w, fmt.Sprintf("`%d`", l.Number), l.Title, l.Question, reference(l.Paper))
	}
}
