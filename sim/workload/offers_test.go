package workload

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/ingest"
	"flockscope/sim/param"
)

// TestOffers: what is refused comes with values that are not, and the field of each
// takes it.
func TestOffers(t *testing.T) {
	flowers := brought(t, "a,b,label\n", 60, 3, false)
	numbers := brought(t, "a,b,y\n", 60, 0, false)
	people := brought(t, "client,group,a,b,label\n", 130, 2, true)
	for _, tt := range []struct {
		workload string
		file     *File
		words    string
		field    string
		want     string // the offers
	}{
		{"digits", nil, "n=2000 C=16 split=dirichlet alpha=0.01", "alpha", "alpha=0.02 C=14"},
		{"digits", nil, "n=2000 C=16 split=unequal ratio=1000", "ratio", "ratio=500 C=8"},
		{"digits", nil, "n=200 C=60 split=unequal ratio=100", "C", "C=8"},
		{"digits", nil, "C=16 split=classes per=3", "per", "per=2 per=5 pick=random"},
		{"digits", nil, "C=16 split=classes per=11", "per", "per=10"},
		{"digits", nil, "C=16 split=classes pick=random per=11", "per", "per=10"},
		{"digits", nil, "C=16 concept=beta cbeta=11", "cbeta", "cbeta=10"},
		{"samples", flowers, "C=8 concept=beta cbeta=4 concepts=2 rename=swap", "cbeta", "cbeta=2"},
		{"samples", flowers, "C=8 concept=beta cbeta=3 concepts=2 rename=swap", "cbeta", "cbeta=2 rename=cycle"},
		{"digits", nil, "C=16 concept=beta cbeta=5 rename=swap", "cbeta", "cbeta=4 rename=cycle"},
		{"digits", nil, "C=16 concept=beta cbeta=5 concepts=2 rename=swap", "cbeta", "cbeta=4 cbeta=6 rename=cycle"},
		{"digits", nil, "C=16 concept=beta cbeta=6 rename=swap", "concepts", "concepts=2 rename=cycle cbeta=4"},
		{"digits", nil, "C=16 concept=beta cbeta=10 concepts=8 rename=swap", "concepts", "concepts=2 rename=cycle"},
		{"digits", nil, "C=101 split=writers", "C", "C=100"},
		{"digits", nil, "n=2500 C=900 split=skew2", "C", "C=677"},
		{"digits", nil, "C=8 net=linear", "net", "net=softmax net=mlp net=cnn"},
		{"digits", nil, "n=120 C=17 test=set", "C", "test=share C=16"},
		{"digits", nil, "n=200 C=25 split=skew4", "split", "split=dirichlet split=even"},
		{"samples", people, "C=14 split=writers", "C", "C=13"},
		{"samples", people, "C=8 test=set", "test", "test=share"},
		{"samples", people, "C=8 split=skew1", "split", "split=classes split=dirichlet"},
		{"samples", flowers, "C=8 split=skew3", "split", "split=dirichlet"},
		{"samples", flowers, "C=8 split=writers", "split", "split=even"},
		{"samples", flowers, "C=8 concept=swaps", "concept", "concept=permute concept=none"},
		{"samples", flowers, "C=8 net=cnn", "net", "net=softmax net=mlp"},
		{"samples", numbers, "C=8 net=linear split=skew2", "split", "split=even"},
		{"samples", numbers, "C=8 net=linear noise=pair", "noise", "noise=none"},
		{"samples", numbers, "C=8 net=mlp", "net", "net=linear"},
		{"both", nil, "n=40 C=30", "C", "C=20"},
		{"both", nil, "n=2000 C=40 split=dirichlet alpha=0.01", "alpha", "alpha=0.02 C=26"},
	} {
		e, _ := Registry.Lookup(tt.workload)
		v := words("C=2", "sd=1")
		defaults(v, e.Fields)
		set(v, "shift=none", "net=softmax")
		set(v, strings.Fields(tt.words)...)
		_, err := e.Make.Make(v.Values(), tt.file)
		var wrong *param.Error
		if !errors.As(err, &wrong) || wrong.Field != tt.field || wrong.Got != v[tt.field] {
			t.Errorf("%s, %s: %v, want a refusal of %s=%s", tt.workload, tt.words, err, tt.field, v[tt.field])
			continue
		}
		var offers []string
		for _, o := range wrong.Suggestions {
			offers = append(offers, o.Key+"="+o.Value)
			if _, err := e.Make.Make(v.Values().With(param.Given{o.Key: o.Value}), tt.file); err != nil {
				t.Errorf("%s, %s: the offer %s=%s is refused: %v", tt.workload, tt.words, o.Key, o.Value, err)
			}
			for f := range param.All(e.Fields) {
				if f.Name == o.Key {
					if text, err := f.Canonical(o.Value); err != nil || text != o.Value {
						t.Errorf("%s, %s: the offer %s=%s reads %q, %v", tt.workload, tt.words, o.Key, o.Value,
							text, err)
					}
				}
			}
		}
		if got := strings.Join(offers, " "); got != tt.want {
			t.Errorf("%s, %s: %v offers %q, want %q", tt.workload, tt.words, err, got, tt.want)
		}
	}
}

// brought is a file of n samples of so many classes, or of numbers to predict; with
// people, of 13 writers in groups of 3 and 10.
func brought(t *testing.T, header string, n, classes int, people bool) *File {
	t.Helper()
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		if people {
			fmt.Fprintf(&b, "w%d,g%d,", i%13, min(1, i%13/3))
		}
		target := float64(i) / 7
		if classes > 0 {
			target = float64(i / 13 % classes)
		}
		fmt.Fprintf(&b, "%d,%d,%v\n", i%7, i%5, target)
	}
	f, err := ReadFiles([]ingest.File{{Name: "mine.csv", Data: []byte(b.String())}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}
