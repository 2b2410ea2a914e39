package formula

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"flockscope/sim/catalog"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

func fixed(name, kind string) ([]string, bool) {
	switch name {
	case "v":
		return []string{"0.31", "−0.12"}, true
	case "k":
		return []string{"B"}, false
	}
	return []string{"<3>"}, false
}

func TestMathML(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"x", "<mi>x</mi>"},
		{"g_c^2 ← (1−β)", "<msubsup><mi>g</mi><mi>c</mi><mn>2</mn></msubsup></math> <math displaystyle=\"true\"><mo form=\"infix\">←</mo><mo stretchy=\"false\">(</mo><mn>1</mn><mo>−</mo><mi>β</mi><mo stretchy=\"false\">)</mo>"},
		{"θ_{bar k}", `<msub><mi>θ</mi><mrow><mover accent="true"><mi>k</mi><mo stretchy="false">¯</mo></mover></mrow></msub>`},
		{"Σ_i x_i", "<munder><mo>Σ</mo><mi>i</mi></munder><msub><mi>x</mi><mi>i</mi></msub>"},
		{"argmin_k", "<munder><mi>argmin</mi><mi>k</mi></munder>"},
		{"frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"},
		{"θ_{[k:model]} = [v]", "<msub><mi>θ</mi><mrow><mrow><mi>B</mi></mrow></mrow></msub></math> <math displaystyle=\"true\"><mo form=\"infix\">=</mo><mrow><mo stretchy=\"false\">(</mo><mn>0.31</mn><mo>,</mo><mo form=\"prefix\">−</mo><mn>0.12</mn><mo stretchy=\"false\">)</mo></mrow>"},
		{"[w] < 3", "<mrow><mn>&lt;3&gt;</mn></mrow></math> <math displaystyle=\"true\"><mo form=\"infix\">&lt;</mo><mn>3</mn>"},
		{"mean D near exp(D)", "<mi>mean</mi><mspace width=\".2em\"></mspace><mi>D</mi></math> <math displaystyle=\"true\"><mo form=\"infix\">near</mo><mspace width=\".2em\"></mspace><mi>exp</mi><mo stretchy=\"false\">(</mo><mi>D</mi><mo stretchy=\"false\">)</mo>"},
		{"x · y", "<mi>x</mi><mo>·</mo><mi>y</mi>"},
		{"abcdefghi x", "<mi>abcdefghi</mi><mspace width=\".2em\"></mspace></math> <math displaystyle=\"true\"><mi>x</mi>"},
		{"a (b + c) d", "<mi>a</mi><mo stretchy=\"false\">(</mo><mi>b</mi><mo>+</mo><mi>c</mi><mo stretchy=\"false\">)</mo><mi>d</mi>"},
	} {
		if got := MathML(tt.source, fixed, nil); got != `<math displaystyle="true">`+tt.want+"</math>" {
			t.Errorf("%s is\n%s, want\n%s", tt.source, got, tt.want)
		}
	}
	if got := Text("model [k:model]: [v].", fixed); got != "model B: 0.31, −0.12." {
		t.Errorf("text: %q", got)
	}
}

// A symbol has one element around it and its scripts, and so have those in the scripts.
func TestMarks(t *testing.T) {
	mark := func(sign string) string {
		if r, _ := utf8.DecodeRuneInString(sign); unicode.IsLetter(r) {
			return ` id="` + sign + `"`
		}
		return ""
	}
	for _, tt := range []struct {
		source string
		want   []string
	}{
		{"θ_{bar k} ← 3 + hat j", []string{"θ", "k", "j"}},
		{"θ_{[k:model]} = [v]", []string{"θ"}},
		{"frac{Σ_i n_i}{argmin_c x^2}", []string{"Σ", "i", "n", "i", "argmin", "c", "x"}},
	} {
		got := MathML(tt.source, fixed, mark)
		wellFormed(t, tt.source, got)
		var signs []string
		for _, part := range strings.Split(got, `<mrow id="`)[1:] {
			sign, _, _ := strings.Cut(part, `"`)
			signs = append(signs, sign)
		}
		slices.Sort(signs)
		slices.Sort(tt.want)
		if !slices.Equal(signs, tt.want) {
			t.Errorf("%s has the symbols %q, want %q: %s", tt.source, signs, tt.want, got)
		}
	}
}

// Elements of MathML Core that are used, and how many children they have; 0 for
// any number.
var core = map[string]int{"math": 0, "mrow": 0, "mi": 0, "mn": 0, "mo": 0, "msub": 2, "msup": 2, "msubsup": 3,
	"munder": 2, "mover": 2, "mfrac": 2, "mspace": 0}

// Every formula of every algorithm is well formed, and every slot of a sentence or
// of numbers has brackets that close.
func TestFormulasOfAlgorithms(t *testing.T) {
	s := catalog.Schema()
	algorithms := append([]registry.Meta{{Name: "common", Steps: s.Steps}}, s.Algorithms...)
	seen := 0
	used := map[string]bool{} // signs and names
	for _, algorithm := range algorithms {
		name := algorithm.Name
		for _, step := range algorithm.Steps {
			if step.Code == "" || step.Says == "" || !strings.HasSuffix(step.Says, ".") {
				t.Errorf("%s, %s: wants code and a sentence", name, step.Name)
			}
			mark := func(sign string) string {
				symbol, ok := algorithm.Symbol(sign)
				if r, _ := utf8.DecodeRuneInString(sign); !ok &&
					(unicode.IsLetter(r) && sign != "near" || r == '∇' || r == 'Δ') {
					t.Errorf("%s, %s: nobody says what %q is; write {Sign: %[3]q, Name: \"…\", Shape: \"…\"} into Symbols of "+
						"its registration in sim/algorithm", name, step.Name, sign)
				}
				used[symbol.Sign+symbol.Name] = true
				return ` class="symbol"`
			}
			for _, source := range []string{step.Formula, step.Numbers} {
				if strings.Count(source, "{") != strings.Count(source, "}") ||
					strings.Count(source, "[") != strings.Count(source, "]") {
					t.Errorf("%s, %s: %q has brackets that do not close", name, step.Name, source)
				}
				wellFormed(t, name+", "+step.Name, MathML(source, fixed, mark))
				seen++
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d formulas", seen)
	}
	symbols := slices.Clone(registry.Symbols())
	for _, a := range algorithms {
		symbols = append(symbols, a.Symbols...)
	}
	for _, symbol := range symbols {
		if !used[symbol.Sign+symbol.Name] {
			t.Errorf("no formula has the symbol %q as %s", symbol.Sign, symbol.Name)
		}
	}
}

// A step begins with a sentence in everyday words; where a message travels, it says
// to whom. Nothing that is shown has a subscript in ASCII.
func TestStepsSpeakPlainly(t *testing.T) {
	s := catalog.Schema()
	algorithms := append([]registry.Meta{{Name: "common", Steps: s.Steps}}, s.Algorithms...)
	tag := regexp.MustCompile("<[^>]*>")
	for _, a := range algorithms {
		shown := []string{a.Title, a.Doc, a.By, a.Sends, a.Counts}
		for _, step := range a.Steps {
			first, _, _ := strings.Cut(step.Says, ". ")
			if i := strings.IndexFunc(first, func(r rune) bool {
				return strings.ContainsRune("←=^{}", r) || unicode.Is(unicode.Greek, r)
			}); i >= 0 {
				t.Errorf("%s, %s: the first sentence has signs: %s", a.Name, step.Name, first)
			}
			switch step.Name {
			case fl.StepSend, fl.StepExtra, fl.StepLosses, fl.StepFeature, fl.StepAnswer, fl.StepTrain:
				if !strings.Contains(step.Says, "server") && a.Name != "local" {
					t.Errorf("%s, %s does not say who sends to whom; name client and server in Says: %s", a.Name, step.Name, step.Says)
				}
				if found, _ := a.StepOf(step.Name, s.Steps); found.Sends == "" &&
					(a.Name != "common" || step.Name != fl.StepAnswer) {
					t.Errorf("%s, %s does not say what travels; write Sends: \"…\" into its registration or into the step",
						a.Name, step.Name)
				}
			}
			shown = append(shown, step.Says, step.Code, step.Sends)
			for _, source := range []string{step.Formula, step.Numbers} {
				shown = append(shown, tag.ReplaceAllString(MathML(source, fixed, nil), ""))
			}
		}
		for _, symbol := range a.Symbols {
			shown = append(shown, symbol.Name, symbol.Shape)
		}
		for _, f := range a.Fields {
			shown = append(shown, f.Label, f.Doc)
			for _, o := range f.Options {
				shown = append(shown, o.Title, o.Doc)
			}
		}
		for _, text := range shown {
			if strings.ContainsAny(text, "_") {
				t.Errorf("%s shows a subscript in ASCII: %s", a.Name, text)
			}
		}
	}
}

// The font has all signs of formulas.
func TestFontHasSigns(t *testing.T) {
	licence, err := os.ReadFile("../../assets/third_party/stix-two-math.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(licence), "ASCII, small Greek letters, and ")
	list, _, _ = strings.Cut(list, "\n")
	s := catalog.Schema()
	for _, a := range append([]registry.Meta{{Steps: s.Steps}}, s.Algorithms...) {
		for _, step := range a.Steps {
			for _, r := range MathML(step.Formula+" "+step.Numbers, fixed, nil) {
				if r >= utf8.RuneSelf && (r < 'α' || r > 'ω') && !strings.ContainsRune(list, r) {
					t.Errorf("%s, %s: the font has no %c", a.Name, step.Name, r)
				}
			}
		}
	}
}

func wellFormed(t *testing.T, name, source string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(source))
	var children []int
	var names []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v in %s", name, err, source)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if _, ok := core[token.Name.Local]; !ok {
				t.Errorf("%s: <%s> is not among the elements that are used", name, token.Name.Local)
			}
			if n := len(children); n > 0 {
				children[n-1]++
			}
			children, names = append(children, 0), append(names, token.Name.Local)
		case xml.EndElement:
			n := len(children) - 1
			if want := core[names[n]]; want > 0 && children[n] != want {
				t.Errorf("%s: <%s> has %d children in %s", name, names[n], children[n], source)
			}
			children, names = children[:n], names[:n]
		}
	}
}

func TestSlots(t *testing.T) {
	if got := Slots("[a] and [b:model]"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
}
