package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspect: the columns, their roles and what is left out, and a refusal that says
// what to do.
func TestInspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sites.csv")
	text := "id;site;temp;y;species\n" + strings.Repeat("1;north;0,5;3;a\n2;south;1,25;?;b\n3;north;2,5;1;a\n4;south;-1;2;b\n", 4)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args  []string
		wants []string
	}{
		{[]string{path}, []string{"16 rows of 5 columns, separated by semicolons\n", "3       temp     number        -1 to 2.5  0        0,5, 1,25, 2,5  feature  numbers\n",
			"client   by its name", "label    by its name; words: classes", "4 rows with missing values are ignored.\n", "12 samples of 2 numbers in 2 classes by 2 writers: data=samples&split=writers&C=2&K=2&shift=none&avg=model&tau=10&lr=0.5\n"}},
		{[]string{"-cols", "species:ignore,y:number", "-na", "mean", path}, []string{"number   chosen", "4 rows without a label are ignored.\n", "net=linear&avg=model&tau=10&lr=0.2&cols=species:ignore,y:number&na=mean\n"}},
	} {
		var out bytes.Buffer
		if err := inspect(context.Background(), tt.args, &out, &out); err != nil {
			t.Errorf("inspect %q: %v", tt.args, err)
		}
		for _, want := range tt.wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("inspect %q prints\n%s, want %q in it", tt.args, out.String(), want)
			}
		}
	}
	for want, args := range map[string][]string{
		`no column is called "speces"; did you mean "species"?`: {"-cols", "speces:label", path},
		"needs a file":                                   {},
		"cols: got \"site\", want column:role":           {"-cols", "site", path},
		`na: got "no", want drop or mean`:                {"-na", "no", path},
		"no column is a label or target; name one label": {"-cols", "*:ignore", path},
	} {
		var out bytes.Buffer
		if err := inspect(context.Background(), args, &out, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("inspect %q: %v, want %q", args, err, want)
		}
	}
}

// TestInspectRanges: a range shows that its ends differ, however far they are from 0.
func TestInspectRanges(t *testing.T) {
	for column, want := range map[string][3]string{
		"101325.010 to 101325.030":          {"101325.01", "101325.02", "101325.03"},
		"999999999.9980 to 1000000000.0023": {"999999999.998", "1000000000", "1000000000.0023"},
		"1.50001 to 1.50002":                {"1.50001", "1.500015", "1.50002"},
		"7 to 7":                            {"7", "7", "7"},
		"1996 to 2024":                      {"1996", "2000", "2024"},
		"1.235e20 to 1.235e20":              {"123456789e12", "123456789e12", "123456789e12"},
	} {
		path := filepath.Join(t.TempDir(), "far.csv")
		text := fmt.Sprintf("v,w,label\n%s,1,a\n%s,2,b\n%s,3,a\n%s,4,b\n", want[0], want[1], want[2], want[1])
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := inspect(context.Background(), []string{path}, &out, &out); err != nil ||
			!strings.Contains(out.String(), " "+column+" ") {
			t.Errorf("%q: %v\n%s, want the range %q", want, err, &out, column)
		}
	}
}

// TestToldOfFiles: a run says on stderr which columns of its file are what, which samples are for
// testing, and what it leaves out; a link that is about a file keeps its test part as it was.
func TestToldOfFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rows := func(header string, n int, row string) string { return header + "\n" + strings.Repeat(row, n) }
	clinics := write("clinics.csv", rows("clinic,unit,w,species,code,time", 10, "a,5,1.5,ash,0,9\na,5,3.5,oak,1,8\n")+
		strings.Repeat("b,5,2.5,ash,0,9\nb,5,4.5,oak,1,7\n", 10))
	train := write("train.csv", rows("w,label", 40, "1.5,x\n2.5,y\n"))
	test := write("test.csv", rows("w,label", 20, "3.5,y\n4.5,x\n"))
	parts := write("parts.csv", rows("w,split,label", 40, "1.5,train,x\n2.5,train,y\n3.5,test,y\n4.5,test,x\n"))
	far := write("far.csv", rows("w,when,y", 10, "1,1700000000.5,101325.01\n2,1700000001.5,101325.02\n3,1700000003,101325.04\n"))
	lines := write("lines.csv", rows("client,x,y,sample_weight", 3, "a,1,2.5,1\na,2,4.5,3\nb,1,-1.5,1\nb,3,-2.5,2\n"))
	const apart = "flock: note: %d of %d samples are for testing, as the files say: test=set keeps them apart.\n"
	for name, tt := range map[string]struct {
		args  []string
		said  string
		query string
	}{
		"clinics": {[]string{"-data", clinics, "T=2&algos=fedavg"}, "flock: note: Defaults that fit this file: K=2, avg=model, tau=10, lr=0.5.\n" +
			"flock: note: Columns: client: clinic (by its name; its rows are consecutive); label: species (by its name; words: classes); features: unit, w (numbers); " +
			"ignored: code (a copy of column \"species\", which reveals the answer), time (named like a time: cols=6:feature makes it a feature).\n" +
			"flock: note: The same in all samples: unit.\n", "data=samples&split=writers&shift=none&C=2&T=2&"},
		"two files": {[]string{"-data", train, "-data", test, "T=2&algos=fedavg"}, fmt.Sprintf(apart, 40, 120) +
			"flock: note: Defaults that fit this file: C=10, test=set, avg=model, tau=10, lr=0.5.\n" +
			"flock: note: Columns: label: label (by its name; words: classes); features: w (numbers).\n", "&test=set&"},
		"a part of each client": {[]string{"-data", train, "-data", test, "T=2&algos=fedavg&test=share"}, fmt.Sprintf(apart, 40, 120) +
			"flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.5.\n" +
			"flock: note: Columns: label: label (by its name; words: classes); features: w (numbers).\n", "data=samples&shift=none&T=2&"},
		"a link": {[]string{"-data", train, "-data", test, "data=samples&T=2&algos=fedavg"}, fmt.Sprintf(apart, 40, 120) +
			"flock: note: Columns: label: label (by its name; words: classes); features: w (numbers).\n", "data=samples&shift=none&T=2&"},
		"a column": {[]string{"-data", parts, "T=2&algos=fedavg"}, fmt.Sprintf(apart, 80, 160) +
			"flock: note: Defaults that fit this file: test=set, avg=model, tau=10, lr=0.5.\n" +
			"flock: note: Columns: label: label (by its name; words: classes); features: w (numbers); ignored: split (it marks the test rows).\n", "&test=set&"},
		"far numbers": {[]string{"-data", far, "T=2&algos=fedavg"}, "flock: note: Targets lie close together, so 101 325.025 is subtracted from each; errors stay the same.\n" +
			"flock: note: Defaults that fit this file: C=15, avg=model, tau=10, lr=0.2.\n" +
			"flock: note: Columns: target: y (by its name; fractions: a target); features: w, when (numbers).\n", "&net=linear&"},
		"rows of x and y": {[]string{"-data", lines, "T=2&algos=fedavg"}, "flock: note: Defaults that fit this file: K=2.\n" +
			"flock: note: Columns: client: client (by its name); " +
			"target: y (by its name); features: x (by its name); ignored: sample_weight (not needed with client, x and y).\n", "data=csv&"},
	} {
		var out, errs bytes.Buffer
		if code := flock(context.Background(), append([]string{"run"}, tt.args...), &out, &errs); code != 0 ||
			errs.String() != tt.said {
			t.Errorf("%s: it ends with %d and says\n%s, want\n%s", name, code, &errs, tt.said)
		}
		if !strings.Contains(out.String(), tt.query) {
			t.Errorf("%s: it prints no query with %s: %s", name, tt.query, &out)
		}
	}
}
