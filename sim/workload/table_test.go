package workload

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

func TestReadTable(t *testing.T) {
	ab := &Table{Clients: []string{"a", "b"}, X: [][]float32{{1, 3}, {5}}, Y: [][]float32{{2, 4}, {6}}}
	grouped := &Table{Clients: ab.Clients, X: ab.X, Y: ab.Y, Group: []int{0, 1}, Groups: []string{"g", "h"}}
	tests := []struct {
		name, text string
		want       *Table
	}{
		{"plain", "a,1,2\na,3,4\nb,5,6\n", ab},
		{"no line end at the end", "a,1,2\na,3,4\nb,5,6", ab},
		{"header", "client,x,y\na,1,2\na,3,4\nb,5,6\n", ab},
		{"header in another order", "y,client,x\n2,a,1\n4,a,3\n6,b,5\n", ab},
		{"header with capitals and spaces", " Client , X,Y \na,1,2\na,3,4\nb,5,6\n", ab},
		{"header with other columns", "id,client,note,x,when,y\n7,a,,1,mon,2\n8,a,z,3,tue,4\n9,b,z,5,wed,6\n", ab},
		{"CRLF", "client,x,y\r\na,1,2\r\na,3,4\r\nb,5,6\r\n", ab},
		{"CR", "client,x,y\ra,1,2\ra,3,4\rb,5,6\r", ab},
		{"CR without header", "\ra,1,2\ra,3,4\r\rb,5,6", ab},
		{"BOM", "\xef\xbb\xbfclient,x,y\na,1,2\na,3,4\nb,5,6\n", ab},
		{"BOM without header", "\xef\xbb\xbfa,1,2\na,3,4\nb,5,6\n", ab},
		{"quotes", "\"a\",\"1\",\"2\"\n\"a\",3,4\nb,\"5\",6\n", ab},
		{"spaces", " a , 1 , 2 \na, 3,4\n b,5,6 \n", ab},
		{"blank lines", "\n\na,1,2\n\na,3,4\nb,5,6\n\n\n", ab},
		{"clients mixed", "a,1,2\nb,5,6\na,3,4\n", ab},
		{"number forms", "a,1e0,2.0\na,+3,4.\nb,.5e1,6\n", ab},
		{"groups", "a,1,2,g\na,3,4,g\nb,5,6,h\n", grouped},
		{"groups with header", "group,x,y,client\ng,1,2,a\ng,3,4,a\nh,5,6,b\n", grouped},
		{"group with spaces", "a,1,2, g \na,3,4,g\nb,5,6,h\n", grouped},
		{"quoted comma in a name", "\"a,1\",1,2\nb,3,4\n", &Table{Clients: []string{"a,1", "b"}, X: [][]float32{{1}, {3}}, Y: [][]float32{{2}, {4}}}},
		{"numbers as names", "1,1,2\n2,3,4\n", &Table{Clients: []string{"1", "2"}, X: [][]float32{{1}, {3}}, Y: [][]float32{{2}, {4}}}},
		{"a million", "a,1e6,-1e6\nb,3,4\n", &Table{Clients: []string{"a", "b"}, X: [][]float32{{1e6}, {3}}, Y: [][]float32{{-1e6}, {4}}}},
		{"one group", "a,1,2,g\nb,3,4,g\n", &Table{Clients: []string{"a", "b"}, X: [][]float32{{1}, {3}}, Y: [][]float32{{2}, {4}}, Group: []int{0, 0}, Groups: []string{"g"}}},
	}
	for _, tt := range tests {
		got, err := ReadTable([]byte(tt.text))
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: ReadTable(%q) = %+v, %v, want %+v", tt.name, tt.text, got, err, tt.want)
		}
	}
}

func TestReadTableRefuses(t *testing.T) {
	manyClients := strings.Builder{}
	for i := range maxFileClients + 1 {
		fmt.Fprintf(&manyClients, "c%d,1,2\n", i)
	}
	tests := []struct{ name, text, want string }{
		{"word for x", "a,1,2\nb,two,4\n", `line 2: column 2: expected a number, found "two"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"nothing for y", "a,1,2\nb,3,\n", `all rows belong to client "a"; at least two clients are needed`},
		{"word for y under a header", "y,x,client\n2,1,a\n?,3,b\n", `all rows belong to client "a"; at least two clients are needed`},
		{"word for y behind CR", "client,x,y\r\rb,3,?\r", `there is no feature; expected one besides column "x", as in cols=1:feature`},
		{"NaN", "a,1,2\nb,NaN,4\n", `all rows belong to client "a"; at least two clients are needed`},
		{"Inf", "a,1,2\nb,3,-inf\n", `line 2: column 3: expected a number of at most 3.4e38 in absolute value, found "-inf"; remove the row, ignore the column, as in cols=3:ignore, or write it in a larger unit`},
		{"too large", "a,1,2\nb,3,1000001\n", `column 3 goes up to 1 000 001; expected targets of at most a million in absolute value: write them in a larger unit, such as thousands`},
		{"too large below zero", "a,-1e7,2\n", `all rows belong to client "a"; at least two clients are needed`},
		{"far too large", "a,1e300,2\nb,3,4\n", `line 1: column 2: expected a number of at most 3.4e38 in absolute value, found "1e300"; remove the row, ignore the column, as in cols=2:ignore, or write it in a larger unit`},
		{"long word", "a,1,2\nb," + strings.Repeat("z", 1000) + ",4\n", `line 2: column 2: expected a number, found "` + strings.Repeat("z", 40) + `…"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"too few values", "a,1,2\nb,3\n", `line 2: expected 3 values as in most rows, separated by commas, found 2`},
		{"too few values with groups", "a,1,2,g\nb,3,4\n", `line 2: expected 4 values as in most rows, separated by commas, found 3`},
		{"semicolons in the header", "client;x;y\na;1;2\n", `all rows belong to client "a"; at least two clients are needed`},
		{"tabs", "a\t1\t2\n", `all rows belong to client "a"; at least two clients are needed`},
		{"header without y", "client,x,group\na,1,g\n", `there is no feature; expected one besides column "x", as in cols=1:feature`},
		{"header without client", "x,y\n1,2\n", `it has one sample; expected more`},
		{"no name", "a,1,2\n ,3,4\n", `all rows belong to client "a"; at least two clients are needed`},
		{"blank lines count", "\n\na,1,2\n\nb,3,x\n", `line 5: column 3: expected a number, found "x"; correct it, remove the row, or ignore the column, as in cols=3:ignore`},
		{"CRLF counts once", "a,1,2\r\nb,3,x\r\n", `line 2: column 3: expected a number, found "x"; correct it, remove the row, or ignore the column, as in cols=3:ignore`},
		{"line breaks in quotes count", "\"a\nb\",1,2\nc,3,x\n", `line 3: column 3: expected a number, found "x"; correct it, remove the row, or ignore the column, as in cols=3:ignore`},
		{"open quote", "a,1,2\n\"b,3,4\nc,5,6\n", `line 2: a quotation mark of the row that begins here is not closed at the end of its value; expected whole values in quotation marks, or none`},
		{"bare quote", "a,1,2\nb,3\",4\n", `line 2: there is a quotation mark inside a value; expected whole values in quotation marks, or none`},
		{"no group", "a,1,2,g\nb,3,4,\n", `line 2: column 4 has no value; give every row a group, or ignore the column with cols=4:ignore`},
		{"two groups", "a,1,2,g\nb,3,4,h\na,5,6,h\n", `line 3: client "a" is in group "h" here and in group "g" above; expected one group, or cols=4:ignore`},
		{"too many groups", "a,1,2,1\nb,1,2,2\nc,1,2,3\nd,1,2,4\ne,1,2,5\nf,1,2,6\ng,1,2,7\nh,1,2,8\ni,1,2,9\n",
			`it has no rows of client, x and y`},
		{"too many clients", manyClients.String(), `it has 2001 clients; expected 2000 at most`},
		{"empty", "", `the file is empty; expected a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files`},
		{"only blank lines", "\n \n\n", `all lines are empty or comments; expected a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files`},
		{"only a header", "client,x,y\n", `no row follows the header; expected one row per sample`},
		{"only a BOM", "\xef\xbb\xbf", `all lines are empty or comments; expected a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files`},
		{"one client", "a,1,2\na,3,4\n", `all rows belong to client "a"; at least two clients are needed`},
		{"binary", "\x00\x01\x02", `the bytes from 0 on (00 01 02) begin no known kind of file; expected a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files`},
		{"column twice", "client,x,y,x\na,1,2,3\nb,4,5,6\n", `expected 4 samples at least, two for each of two clients, found 2`},
		{"too many rows", strings.Repeat("a,1,2\n", 5<<20), `line 4194306: it begins a sample too many; expected 4194304 at most`},
	}
	for _, tt := range tests {
		got, err := ReadTable([]byte(tt.text))
		if err == nil || got != nil || err.Error() != "table.csv: "+tt.want {
			shown := tt.text
			if len(shown) > 60 {
				shown = shown[:60] + "…"
			}
			t.Errorf("%s: ReadTable(%q) = %v, %v, want the error %s", tt.name, shown, got, err, tt.want)
		}
	}
}

// TestReadTableOfManyClients: as many clients as there may be are none too many, in
// whichever order their rows come.
func TestReadTableOfManyClients(t *testing.T) {
	var text strings.Builder
	for i := range 3 * maxFileClients {
		fmt.Fprintf(&text, "%d,1,2\n", i%maxFileClients)
	}
	if table, err := ReadTable([]byte(text.String())); err != nil || len(table.Clients) != maxFileClients {
		t.Errorf("ReadTable of three rows for each of %d clients: %v, want a table of them all", maxFileClients, err)
	}
}

func FuzzReadTable(f *testing.F) {
	for _, text := range []string{"", "a,1,2\nb,3,4\n", "client,x,y,group\na,1,2,g\nb,3,4,h\n",
		"\xef\xbb\xbfy,x,client\r\n1,2,a\r\n3,4,b\r\n",
		"\"a\nb\",1,2\nc,3,x\n", "a;1;2", "a,1e300,2", "a,nan,1", "\"", "a,1,2,g\na,1,2,h", ",,", "\x00",
		"0,0,0\n1,1000001,0", "0,0,0\n1,1e39,0"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := ReadTable(data)
		if err != nil {
			text := err.Error()
			if table != nil || text == "" || len(text) > 500 || strings.ContainsFunc(text, unicode.IsControl) {
				t.Errorf("ReadTable(%q) = %v, %q, want no table and one short line", data, table, text)
			}
			return
		}
		c := len(table.Clients)
		if c < 2 || c > maxFileClients || len(table.X) != c || len(table.Y) != c ||
			(table.Group != nil && len(table.Group) != c) || len(table.Groups) > maxFileGroups {
			t.Fatalf("ReadTable(%q) = %+v, which does not add up", data, table)
		}
		for i := range c {
			if len(table.X[i]) == 0 || len(table.X[i]) != len(table.Y[i]) {
				t.Fatalf("ReadTable(%q): client %d has %d x and %d y", data, i, len(table.X[i]), len(table.Y[i]))
			}
			for j, x := range table.X[i] { // which is scaled, or refused as it is
				y := table.Y[i][j]
				if !(math.Abs(float64(x)) <= math.MaxFloat32) || !(math.Abs(float64(y)) <= largest) {
					t.Fatalf("ReadTable(%q): holds x = %v and y = %v", data, x, y)
				}
			}
		}
		for _, g := range table.Group {
			if g < 0 || g >= len(table.Groups) {
				t.Fatalf("ReadTable(%q): group %d of %d", data, g, len(table.Groups))
			}
		}
	})
}

// TestTableFarFromZero: seconds since 1970 in place of x change nothing once x is scaled, and
// are what they are where it is not.
func TestTableFarFromZero(t *testing.T) {
	text := func(offset float64) []byte {
		var b strings.Builder
		b.WriteString("client,x,y\n")
		for i := range 40 {
			fmt.Fprintf(&b, "%d,%.1f,%d.5\n", i/10, offset+float64(i%13)/2, i%7)
		}
		return []byte(b.String())
	}
	near, err := ReadTable(text(0))
	if err != nil {
		t.Fatal(err)
	}
	far, err := ReadTable(text(1.7e9))
	if err != nil {
		t.Fatal(err)
	}
	a, b := near.scaled("standard"), far.scaled("standard")
	for i := range a.X {
		for j := range a.X[i] {
			if d := float64(a.X[i][j] - b.X[i][j]); math.Abs(d) > 1e-6 {
				t.Fatalf("client %d, row %d: x is %v, want %v", i, j, b.X[i][j], a.X[i][j])
			}
		}
	}
	if x := far.scaled("none").X[0][3]; x != 1.7e9 {
		t.Errorf("without a scale x is %v, want 1.7e9", x)
	}
}
