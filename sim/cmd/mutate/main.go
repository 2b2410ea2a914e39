// Command mutate measures how much the tests of a package notice. It changes one
// operator, constant or statement at a time, runs the tests, and lists the changes that
// no test noticed. The tree is not touched: the go command reads the changed file
// through an overlay.
//
//	go run ./sim/cmd/mutate -for 10m ./clusterer
//	make mutate PKG=./clusterer FOR=10m
//
// Changes are tried in a random but fixed order until the time is up or it is
// interrupted, so a longer run
// tries those of a shorter one first. A change that does not compile does not count, and
// neither does one that equivalent.txt lists: it makes no difference that a test could
// see. A change that makes tests run far longer than usual counts as noticed. Only tests
// that run the changed line are tried, and of these the quickest: the score is a lower
// bound.
//
// Files: main.go has the flags and the report, mutants.go finds the changes, judge.go
// runs the tests.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// defaultJudges are packages whose tests also judge a package, by import path.
var defaultJudges = map[string][]string{
	"flockscope/sim/algorithm":                   {"flockscope/sim/engine"},
	"flockscope/sim/algorithm/hcfl":              {"flockscope/sim/engine"},
	"flockscope/sim/algorithm/internal/grouping": {"flockscope/sim/algorithm", "flockscope/sim/algorithm/hcfl"},
	"flockscope/sim/algorithm/internal/numeric":  {"flockscope/sim/algorithm", "flockscope/sim/algorithm/hcfl"},
	"flockscope/sim/engine/workers":              {"flockscope/sim/engine"},
}

// equivalentText lists changes that make no difference: "file: - before + after" with
// the changed line before and after, a comment after #.
//
//go:embed equivalent.txt
var equivalentText string

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	budget := flag.Duration("for", 10*time.Minute, "stop after this time; the first run of the tests is not counted")
	seed := flag.Uint64("seed", 1, "order in which changes are tried")
	each := flag.Duration("each", 20*time.Second, "try on a change the quickest of the tests that run it, which together take this time")
	race := flag.Bool("race", false, "run tests with the race detector")
	judges := flag.String("judges", "", "further packages whose tests judge, with commas between them")
	only := flag.String("file", "", "change only files whose name contains this")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Print("expected one package, such as ./clusterer")
		flag.Usage()
		os.Exit(2)
	}
	target, err := load(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	var others []string
	if *judges != "" {
		others = strings.Split(*judges, ",")
	} else {
		others = defaultJudges[target.ImportPath]
	}
	mutants, err := find(target, *only)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	court, err := convene(ctx, target, others, *each, *race)
	if err != nil {
		log.Fatal(err)
	}
	defer court.close()
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(mutants), func(i, j int) {
		mutants[i], mutants[j] = mutants[j], mutants[i]
	})
	fmt.Printf("%s: %d changes; the tests take %v\n", target.ImportPath, len(mutants), court.took.Round(time.Second/10))
	if err := tryAll(ctx, os.Stdout, court, mutants, time.Now().Add(*budget)); err != nil {
		log.Fatal(err)
	}
}

// tally counts verdicts.
type tally struct{ killed, slow, survived, equivalent, invalid int }

// tryAll tries changes until the deadline, or until ctx ends, and prints what survived, and the score.
func tryAll(ctx context.Context, out io.Writer, court *court, mutants []mutant, deadline time.Time) error {
	known := equivalents(equivalentText)
	var n tally
	tried := 0
	for i := range mutants {
		if ctx.Err() != nil || time.Now().After(deadline) {
			break
		}
		m := &mutants[i]
		tried++
		if known[m.key()] {
			n.equivalent++
			continue
		}
		v, err := court.try(ctx, m)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			tried-- // the verdict is that of who interrupted the tests
			break
		}
		switch v {
		case killed:
			n.killed++
		case slow:
			n.killed++
			n.slow++
		case invalid:
			n.invalid++
		case survived, uncovered:
			n.survived++
			why := ""
			if v == uncovered {
				why = " (no test runs it)"
			}
			fmt.Fprintf(out, "survived: %s:%d: %s%s\n  - %s\n  + %s\n", m.file, m.line, m.kind, why, m.before, m.after)
		}
	}
	score := 100.0
	if judged := n.killed + n.survived; judged > 0 {
		score = 100 * float64(n.killed) / float64(judged)
	}
	_, err := fmt.Fprintf(out, "%s: %d of %d changes tried: %d noticed (%d by taking too long), %d survived, %d equivalent, %d do not compile; score %.1f %%\n",
		court.target.ImportPath, tried, len(mutants), n.killed, n.slow, n.survived, n.equivalent, n.invalid, score)
	return err
}

// equivalents reads the list of changes that make no difference.
func equivalents(text string) map[string]bool {
	known := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), " # ")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known
}
