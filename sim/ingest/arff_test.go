package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// arffFile is an ARFF file: its attributes, and its rows.
func arffFile(attributes string, rows ...string) []byte {
	return []byte("% made by hand\n@RELATION 'a test'\n\n" + attributes + "\n@DATA\n" + strings.Join(rows, "\n") + "\n")
}

// held writes a set as the tests compare it: the classes, the label and the numbers of each row,
// and the notes.
func held(t *testing.T, files ...File) string {
	t.Helper()
	o, err := Open(files)
	if err != nil {
		return "error: " + err.Error()
	}
	s, notes, err := o.Set("", false)
	if err != nil {
		return "error: " + err.Error()
	}
	checkSet(t, s)
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", strings.Join(s.ClassNames, "|"))
	row := make([]float32, s.Shape.Size())
	for i := range s.Len() {
		s.Row(row, i)
		if s.Value != nil {
			fmt.Fprintf(&b, " %v=%v", s.Value[i], row)
		} else {
			fmt.Fprintf(&b, " %d=%v", s.Label[i], row)
		}
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "; %s", n)
	}
	return b.String()
}

// TestARFF: rows mean what their file declares (https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/).
func TestARFF(t *testing.T) {
	const ab = "@attribute a numeric\n@attribute b REAL\n@attribute class {x,y}"
	const weights = "; Weights of rows are ignored: all samples count equally"
	for name, tt := range map[string]struct {
		attributes string
		rows       []string
		want       string
	}{
		"dense":                  {ab, []string{"1,2,x", "3 , 4.5 ,y"}, "x|y: 0=[1 2] 1=[3 4.5]"},
		"comments and blanks":    {ab, []string{"% no row", "", "1,2,x % a row", "3,4,y"}, "x|y: 0=[1 2] 1=[3 4]"},
		"blanks part values":     {ab, []string{"1 2\tx", "3   4 y % c"}, "x|y: 0=[1 2] 1=[3 4]"},
		"a comma at the end":     {ab, []string{"1,2,x,", "3,4,y,"}, "x|y: 0=[1 2] 1=[3 4]"},
		"missing":                {ab, []string{"1,2,x", "?,2,y", "3,4,?", "5,6,y"}, "x|y: 0=[1 2] 1=[5 6]; One row without a label is ignored; One row with a missing value is ignored"},
		"order of the classes":   {"@attribute a integer\n@attribute class {2,0,1}", []string{"1,0", "2,1", "3,2"}, "2|0|1: 1=[1] 2=[2] 0=[3]"},
		"classes nobody has":     {"@attribute a integer\n@attribute class {z,y,x}", []string{"1,x", "2,z"}, "z|y|x: 2=[1] 0=[2]"},
		"zeros tell classes":     {"@attribute a integer\n@attribute class {01,1,+1}", []string{"1,01", "2,1", "3,+1"}, "01|1|+1: 0=[1] 1=[2] 2=[3]"},
		"words that miss else":   {"@attribute a integer\n@attribute class {NA,None}", []string{"1,NA", "2,None", "3,NA"}, "NA|None: 0=[1] 1=[2] 0=[3]"},
		"yes or no":              {"@attribute f {no,yes}\n@attribute class {x,y}", []string{"yes,x", "no,y", "no,x"}, "x|y: 0=[0 1] 1=[1 0] 0=[1 0]"},
		"numbers as categories":  {"@attribute f {3,1,2}\n@attribute class {x,y}", []string{"1,x", "3,y", "2,x"}, "x|y: 0=[0 1 0] 1=[1 0 0] 0=[0 0 1]"},
		"quotation marks":        {"@attribute 'it''s a' numeric\n@attribute class {'x y',\"q's\",'\\'r\\', \"s\"'}", []string{"1,'x y'", "2,\"q's\"", "3,'\\'r\\', \"s\"'"}, `x y|q's|'r', "s": 0=[1] 1=[2] 2=[3]`},
		"words with blanks":      {"@attribute a numeric\n@attribute class {Iris setosa, Iris virginica}", []string{"1,Iris setosa", "2,Iris virginica"}, "Iris setosa|Iris virginica: 0=[1] 1=[2]"},
		"sparse":                 {ab, []string{"{0 1, 2 y}", "{1 3.5}", "{ }", "{2 y,0 -1 , 1 2}"}, "x|y: 1=[1 0] 0=[0 3.5] 0=[0 0] 1=[-1 2]"},
		"sparse, quoted":         {"@attribute a numeric\n@attribute class {'p q','r, }s'}", []string{"{0 1, 1 'r, }s'}", "{0 2}"}, "p q|r, }s: 1=[1] 0=[2]"},
		"sparse, missing":        {ab, []string{"{0 ?, 2 y}", "{0 3, 2 y}", "{}"}, "x|y: 1=[3 0] 0=[0 0]; One row with a missing value is ignored"},
		"sparse, a category":     {"@attribute f {p,q}\n@attribute class {x,y}", []string{"{0 q}", "{1 y}"}, "x|y: 0=[0 1] 1=[1 0]"},
		"sparse and dense":       {ab, []string{"{0 1, 2 y}", "3,4,x"}, "x|y: 1=[1 0] 0=[3 4]"},
		"weights":                {ab, []string{"1,2,x, {5}", "3,4,y,{0.5}", "5,6,y {2} % c", "7,8,'x' {1}"}, "x|y: 0=[1 2] 1=[3 4] 1=[5 6] 0=[7 8]" + weights},
		"weights of sparse rows": {ab, []string{"{0 1, 2 y}, {5}", "{1 2} {3}"}, "x|y: 1=[1 0] 0=[0 2]" + weights},
		"weights of attributes":  {"@attribute a numeric {0.5}\n@attribute class {x,y} {2}", []string{"1,x", "2,y"}, "x|y: 0=[1] 1=[2]"},
		"a date":                 {"@attribute d date 'yyyy-MM-dd'\n" + ab, []string{"2024-05-01,1,2,x", "2024-05-02,3,4,y"}, "x|y: 0=[1 2] 1=[3 4]"},
		"a date of another form": {"@attribute d date \"dd MMM yy\"\n" + ab, []string{"'01 May 24',1,2,x", "?,3,4,y"}, "x|y: 0=[1 2] 1=[3 4]"},
		"texts":                  {"@attribute s string\n@attribute class {x,y}", []string{"'it\\'s red, red',x", "\"blue \\\"sky\\\" today\",y"}, "x|y: 0=[0 1] 1=[1 0]"},
		"a target":               {"@attribute k {p,q}\n@attribute class numeric", []string{"p,1.5", "q,2"}, ": 1.5=[1 0] 2=[0 1]"},

		"undeclared":          {ab, []string{"1,2,x", "3,4,X"}, `error: t.arff: line 9: attribute "class" declares the values x, y; expected one of them, or ? where it is not known, found "X"`},
		"undeclared, sparse":  {ab, []string{"{2 y}", "{2 1}"}, `error: t.arff: line 9: attribute "class" declares the values x, y; expected one of them, or ? where it is not known, found "1"`},
		"undeclared, ignored": {"@attribute id {1,2}\n" + ab, []string{"1,1,2,x", "3,3,4,y"}, `error: t.arff: line 10: attribute "id" declares the values 1, 2; expected one of them, or ? where it is not known, found "3"`},
		"too many values":     {ab, []string{"1,2,x", "1,2,3,x"}, "error: t.arff: line 9: expected 3 values, one for each @attribute, found 4"},
		"too few values":      {ab, []string{"1,2,x", "1 2"}, "error: t.arff: line 9: expected 3 values, one for each @attribute, found 2"},
		"a word for a number": {ab, []string{"1,2,x", "3,4,y", "five,6,x"}, `error: t.arff: line 10: column "a": expected a number, found "five"; correct it, remove the row, or ignore the column, as in cols=1:ignore`},
		"an index too high":   {ab, []string{"{3 1}"}, "error: t.arff: line 8: expected the number of an attribute from 0 to 2, found 3"},
		"an index twice":      {ab, []string{"{0 1, 0 2}"}, "error: t.arff: line 8: attribute 0 has two values; expected one"},
		"no index":            {ab, []string{"{a 1}"}, `error: t.arff: line 8: expected pairs of the number of an attribute and its value, such as {1 5, 3 x}, found "a"`},
		"braces without end": {ab, []string{"{0 1"}, "error: t.arff: line 8: the braces of the row do not end; " +
			"expected } after its last value"},
		"behind the braces":  {ab, []string{"{0 1} more"}, `error: t.arff: line 8: expected the end of the row after its braces, found "more"`},
		"a mark without end": {ab, []string{"1,2,'x", "3,4,y"}, `error: t.arff: line 8: a quotation mark is not closed; expected its end on the same line, after "'x"`},
		"behind a mark":      {ab, []string{"1,2,'x'y"}, `error: t.arff: line 8: expected a comma after a value, found "y"`},
		"rows in rows":       {"@attribute bag relational\n@attribute f numeric\n@end bag\n@attribute class {x,y}", []string{"'1\\n2',x"}, `error: t.arff: line 4: attribute "bag" holds rows of its own (relational), which are not read; write a line for each of them, as Weka's filter MultiInstanceToPropositional does`},
		"an unknown type":    {"@attribute a float\n@attribute class {x,y}", []string{"1,x"}, `error: t.arff: line 4: attribute "a" has the type "float"; expected numeric, string, date, or its values in braces`},
		"no type":            {"@attribute a", []string{"1"}, `error: t.arff: line 4: expected @attribute name type, found "@attribute a"`},
		"values without end": {"@attribute class {x,y", []string{"x"}, `error: t.arff: line 4: the values of attribute "class" do not end; expected } on the same line`},
		"no values":          {"@attribute class { }", []string{"x"}, `error: t.arff: line 4: attribute "class" declares no values; expected some in braces`},
		"a value twice":      {"@attribute class {x,y,x}", []string{"x"}, `error: t.arff: line 4: attribute "class" declares "x" twice; expected each value once`},
		"no attribute":       {"", []string{"1"}, "error: t.arff: line 5: expected @attribute lines before @data, found none"},
		"another line":       {"attribute a numeric", []string{"1"}, `error: t.arff: line 4: expected @attribute or @data, found "attribute a numeric"`},
	} {
		if got := held(t, File{Name: "t.arff", Data: arffFile(tt.attributes, tt.rows...)}); got != tt.want {
			t.Errorf("%s: the file reads\n%s\nwant\n%s", name, got, tt.want)
		}
	}
	if got := held(t, File{Name: "t.arff", Data: []byte("@relation r\n@attribute a numeric\n")}); got != "error: t.arff: expected a line @data before the rows, found none" {
		t.Errorf("a head alone: %s", got)
	}
}

// TestARFFFiles: files of one set declare the same.
func TestARFFFiles(t *testing.T) {
	const ab = "@attribute a numeric\n@attribute class {x,y}"
	train := File{Name: "t_train.arff", Data: arffFile(ab, "1,x", "2,y")}
	for name, tt := range map[string]struct {
		test File
		want string
	}{
		"the same":       {File{Name: "t_test.arff", Data: arffFile(ab, "3,y")}, "x|y: 0=[1] 1=[2] 1=[3]"},
		"another order":  {File{Name: "t_test.arff", Data: arffFile("@attribute a numeric\n@attribute class {y,x}", "3,y")}, `error: t_test.arff: attribute "class" is declared differently; expected "class" with the same type and values, as in t_train.arff`},
		"another kind":   {File{Name: "t_test.csv", Data: []byte("a,class\n3,y\n")}, "error: t_test.csv: its format differs from that of t_train.arff; expected files of one format: text, ARFF or JSON"},
		"another number": {File{Name: "t_test.arff", Data: arffFile("@attribute a numeric", "3")}, "error: t_test.arff: it has 1 columns; expected 2, as in t_train.arff"},
	} {
		if got := held(t, train, tt.test); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: the files read\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// TestRecords: a list of objects and objects one after the other are tables.
func TestRecords(t *testing.T) {
	const want = "x|y: 0=[1 2.5] 1=[-3 4]"
	for name, tt := range map[string]struct{ text, want string }{
		"a list":             {`[{"a":1,"b":2.5,"label":"x"},{"a":-3,"b":4e0,"label":"y"}]`, want},
		"a list, in lines":   {"\n[\n  {\n    \"a\": 1,\n    \"b\": 2.5,\n    \"label\": \"x\"\n  },\n  {\"b\": 4, \"label\": \"y\", \"a\": -3}\n]\n", want},
		"lines":              {"{\"a\":1,\"b\":2.5,\"label\":\"x\"}\n{\"a\":-3,\"b\":4,\"label\":\"y\"}\n", want},
		"lines, CRLF":        {"\r\n{\"a\":1,\"b\":2.5,\"label\":\"x\"}\r\n\r\n{\"a\":-3,\"b\":4,\"label\":\"y\"}", want},
		"lines with commas":  {"{\"a\":1,\"b\":2.5,\"label\":\"x\"},\n{\"a\":-3,\"b\":4,\"label\":\"y\"},\n", want},
		"numbers in texts":   {`[{"a":"1","b":"2.5","label":"x"},{"a":"-3","b":"4","label":"y"}]`, want},
		"true and false":     {`[{"a":true,"label":1},{"a":false,"label":2},{"a":true,"label":1}]`, "1|2: 0=[1] 1=[0] 0=[1]"},
		"missing":            {`[{"a":1,"label":"x"},{"a":null,"label":"y"},{"label":"x"},{"a":NaN,"label":"y"},{"a":5,"label":"y"},{"a":6,"label":"y"},{"a":7,"label":"y"}]`, "x|y: 0=[1] 1=[5] 1=[6] 1=[7]; 3 rows with missing values are ignored"},
		"a key that is late": {"{\"label\":\"x\"}\n{\"label\":\"y\",\"a\":1}\n{\"a\":2,\"label\":\"x\"}", "x|y: 1=[1] 0=[2]; One row with a missing value is ignored"},
		"escapes":            {`[{"a":1,"label":"\u00e9\ud834\udd1e\/\"\t."},{"a":2,"label":"\\u"}]`, `\u|é𝄞/"` + "\t.: 1=[1] 0=[2]"},

		"a list inside":      {`[{"a":1,"label":"x"},{"a":[1,2],"label":"y"}]`, `error: t.json: record 2: the key "a" has a list or an object; expected a number, a text, true, false or null: give each value a key of its own, as pandas.json_normalize does`},
		"an object inside":   {"{\"a\":1}\n{\"a\":{\"b\":1}}", `error: t.json: record 2: the key "a" has a list or an object; expected a number, a text, true, false or null: give each value a key of its own, as pandas.json_normalize does`},
		"a word":             {`[{"a":1,"label":"x"},{"a":2,"label":"y"},{"a":"two","label":"y"}]`, `error: t.json: record 3: column "a": expected a number, found "two"; correct it, remove the row, or ignore the column, as in cols=1:ignore`},
		"no object":          {`[{"a":1}, 2]`, `error: t.json: record 2: expected an object such as {"width": 1.5, "label": "x"}, found "2]"`},
		"a comma missing":    {`[{"a":1} {"a":2}]`, `error: t.json: after record 1: expected ',' or ']', found "{\"a\":2}]"`},
		"cut":                {`[{"a":1}, {"a":`, "error: t.json: record 2: expected a value, found the end of the file"},
		"cut lines":          {"{\"a\":1}\n{\"a\"", "error: t.json: record 2: expected ':', found the end of the file"},
		"a key twice":        {`[{"a":1,"a":2}]`, `error: t.json: record 1: the key "a" occurs twice; expected it once`},
		"more behind":        {`[{"a":1}] more`, `error: t.json: expected the end of the file, found "more"`},
		"a value unknown":    {`[{"a":Infinity}]`, `error: t.json: record 1: expected a value, found "Infinity}]"`},
		"columns":            {`{"a":[1,2],"label":["x","y"]}`, `error: t.json: byte 0: it is a single object, and not LEAF; expected a list of objects, [{…}, {…}], or one object per line: pandas writes them with orient="records"`},
		"an index of pandas": {`{"a":{"0":1,"1":2},"label":{"0":"x","1":"y"}}`, `error: t.json: byte 0: it is a single object, and not LEAF; expected a list of objects, [{…}, {…}], or one object per line: pandas writes them with orient="records"`},
		"nothing":            {"[]", "error: t.json: no row follows the names of the columns; expected one row per sample"},
	} {
		if got := held(t, File{Name: "t.json", Data: []byte(tt.text)}); got != tt.want {
			t.Errorf("%s: the file reads\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// TestEscapes: a backslash before a quotation mark or a separator escapes it, where the text
// cannot be read otherwise.
func TestEscapes(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"in quotation marks":     {`1,"said \"hi\", left",x` + "\n" + `2,"said \"ho\"",y`, `said "hi", left|said "ho"`},
		"without any":            {`1,said \"hi\",x` + "\n" + `2,said ho,y`, `said "hi"|said ho`},
		"one mark":               {`1,"5\" nail",x` + "\n" + `2,"6\" nail, long",y`, `5" nail|6" nail, long`},
		"a backslash at the end": {`1,"C:\\",x` + "\n" + `2,"said \"hi\"",y`, `C:\|said "hi"`},
		"a comma":                {`1,left\, right,x` + "\n" + `2,both,y`, `left, right|both`},
		"twice, as usual":        {`1,"said ""hi"" \ left",x` + "\n" + `2,both,y`, `said "hi" \ left|both`},
		"a folder":               {`1,"C:\dir\",x` + "\n" + `2,"D:\",y`, `C:\dir\|D:\`},
		"folders, not in marks":  {`1,C:\dir\\a,x` + "\n" + `2,D:\,y`, `C:\dir\\a|D:\`},
		"tabs":                   {strings.ReplaceAll(`1;"said \"hi\"";x`+"\n"+`2;"a\"b";y`, ";", "\t"), `said "hi"|a"b`},
		"semicolons":             {`1;"said \"hi; ho\"";x` + "\n" + `2;"a\"b";y`, `said "hi; ho"|a"b`},
	} {
		separator := tt.text[1:2]
		text := strings.Join([]string{"a", "note", "label"}, separator) + "\n" + tt.text + "\n"
		table := opened(t, File{Name: "t.csv", Data: []byte(text)})
		got := strings.Join(table.Columns[1].Examples, "|")
		if got != tt.want || table.Rows != 2 || len(table.Columns) != 3 {
			t.Errorf("%s: %q reads %d rows of %d columns, the second %q; want %q", name, text, table.Rows,
				len(table.Columns), got, tt.want)
		}
	}
	o, err := Open([]File{{Name: "t.csv", Data: []byte("a,label\n1,\"x\\\"\n2,y\"z\n")}})
	if err == nil || !slices.Contains([]string{"line 2", "line 3"}, err.Error()[7:13]) {
		t.Errorf("a text that is broken either way: %v, %v", o, err)
	}
}
