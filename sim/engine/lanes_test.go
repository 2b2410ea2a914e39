package engine_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// recordLanes is record for some of the lanes.
func recordLanes(t *testing.T, query string, file *workload.File, played ...int) *recording {
	t.Helper()
	r := new(recording)
	if err := engine.RunLanes(context.Background(), parse(t, query), file, played, nil, r); err != nil {
		t.Fatalf("RunLanes(%s, %v): %v", query, played, err)
	}
	return r
}

// checkLane fails unless one lane is the same in two recordings, to the byte.
func checkLane(t *testing.T, name string, lane int, got, want *recording) {
	t.Helper()
	if !reflect.DeepEqual(got.header, want.header) {
		t.Errorf("%s: header %+v, want %+v", name, got.header, want.header)
	}
	if len(got.lanes[lane]) != len(want.lanes[lane]) || got.summaries[lane] == nil {
		t.Errorf("%s: lane %d has %d frames and the summary %v, want %d and one", name, lane, len(got.lanes[lane]),
			got.summaries[lane], len(want.lanes[lane]))
		return
	}
	for n := range want.lanes[lane] {
		if a, b := trace.AppendFrame(nil, &got.lanes[lane][n]), trace.AppendFrame(nil,
			&want.lanes[lane][n]); !bytes.Equal(a,
			b) {
			t.Errorf("%s: lane %d, round %d: %+v, want %+v", name, lane, n, got.lanes[lane][n], want.lanes[lane][n])
			return
		}
	}
	if !reflect.DeepEqual(got.summaries[lane], want.summaries[lane]) {
		t.Errorf("%s: lane %d: summary %+v, want %+v", name, lane, got.summaries[lane], want.summaries[lane])
	}
}

// TestRunLanes: lanes that are played by themselves or by twos leave the header,
// the frames and the summaries of a run of all, and nothing of the others.
func TestRunLanes(t *testing.T) {
	files := map[string]*workload.File{
		"data=linreg&T=20": nil, "data=mix1d&T=9&b=30": nil, "data=csv&T=9&b=5&probe=9": table(t, 1, 8, 30, 1, true), networks[0]: nil, networks[1]: nil,
	}
	for query, file := range files {
		for _, protocol := range []string{"", "&avg=model&tau=2&opt=adam&keep=kept&lr=0.02"} {
			query := query + protocol + "&algos=cflgp,local,clove,ifca&ifca.probe=33&cflgp.cr=2&clove.nd=3"
			all := record(t, query, file)
			for _, played := range [][]int{{0}, {1}, {2}, {3}, {0, 1}, {1, 3}, {0, 2, 3}} {
				r := recordLanes(t, query, file, played...)
				for lane := range 4 {
					if slices.Contains(played, lane) {
						checkLane(t, query, lane, r, all)
					} else if len(r.lanes[lane]) != 0 || r.summaries[lane] != nil {
						t.Errorf("%s: lane %d is there although only %v are played", query, lane, played)
					}
				}
				if len(r.rounds) != len(all.rounds) {
					t.Errorf("%s: %d rounds with the lanes %v, want %d", query, len(r.rounds), played, len(all.rounds))
				}
			}
		}
	}
	if r := recordLanes(t, "data=linreg&T=3", nil); r.header == nil || len(r.rounds) != 4 {
		t.Errorf("a run of no lane has the header %v and rounds %v, want one and four", r.header, r.rounds)
	}
}
