package main

import (
	"bytes"
	"context"
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
			"client   by its name", "label    by its name; words: classes", "4 rows with missing values are left out.\n", "12 samples of 2 numbers in 2 classes by 2 writers: data=samples&split=writers&C=2&K=2&shift=none&avg=model&tau=10&lr=0.5\n"}},
		{[]string{"-cols", "species:ignore,y:number", "-na", "mean", path}, []string{"number   chosen", "4 rows without a label are left out.\n", "net=linear&avg=model&tau=10&lr=0.2&cols=species:ignore,y:number&na=mean\n"}},
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
		"needs a file":                                    {},
		"cols: got \"site\", want column:role":            {"-cols", "site", path},
		`na: got "no", want drop or mean`:                 {"-na", "no", path},
		"no column tells what to predict; name one label": {"-cols", "*:ignore", path},
	} {
		var out bytes.Buffer
		if err := inspect(context.Background(), args, &out, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("inspect %q: %v, want %q", args, err, want)
		}
	}
}
