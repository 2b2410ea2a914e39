package verdict_test

import (
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// TestLiars: a verdict judges honest clients, and says which model liars pull.
func TestLiars(t *testing.T) {
	for _, tt := range []struct {
		models int
		labels []uint16
		liars  string
		from   int
		kind   verdict.Kind
		want   string
	}{
		{3, []uint16{0, 0, 1, 1, 2, 2}, "......", 1, verdict.Right, ""},
		{3, []uint16{0, 0, 1, 1, 2, 0}, ".....x", 1, verdict.Right, "One liar pulls model A of 2 honest clients."},
		{3, []uint16{0, 0, 1, 1, 2, 0}, ".....x", 3, verdict.Right, ""},
		{3, []uint16{0, 0, 1, 0, 2, 0}, "...x.x", 1, verdict.Right, "Two liars pull model A of 2 honest clients."},
		{3, []uint16{0, 0, 1, 1, 1, 2}, "....xx", 1, verdict.Right, "One liar pulls model B of 2 honest clients."},
		{4, []uint16{0, 0, 1, 1, 2, 3}, ".....x", 1, verdict.Right, "The liars have models of their own, and move no other."},
		{3, []uint16{0, 0, 0, 1, 2, 2}, ".....x", 1, verdict.Misplaced, "One liar pulls model C of 1 honest client."},
	} {
		run := handMade(trace.Lane{Algorithm: "ifca", Models: tt.models, Columns: tt.models, Border: true}, tt.labels...)
		for _, c := range tt.liars {
			run.Header.Liar = append(run.Header.Liar, c == 'x')
		}
		run.Header.LiesFrom = tt.from
		v := judge().Lane(run, 0, 2)
		if v.Kind != tt.kind || !strings.HasPrefix(v.Cause, tt.want) || tt.want == "" && strings.Contains(v.Cause, "liar") {
			t.Errorf("labels %v, liars %s: kind %v, cause %q, want %v, %q", tt.labels, tt.liars, v.Kind, v.Cause, tt.kind, tt.want)
		}
	}
}

// TestQuestionOfLiars: the question says how many clients lie.
func TestQuestionOfLiars(t *testing.T) {
	run := handMade(trace.Lane{Algorithm: "ifca", Models: 2, Columns: 2}, 0, 0, 1, 1)
	h := run.Header
	for liars, want := range []string{"", "; one of them lies.", "; two of them lie."} {
		h.Liar = nil
		for i := range h.Clients {
			if liars > 0 {
				h.Liar = append(h.Liar, i < liars)
			}
		}
		got := verdict.Question(h)
		if !strings.Contains(got, want) || liars == 0 && strings.Contains(got, " lie") {
			t.Errorf("with %d liars it asks %q", liars, got)
		}
	}
}
