package plan_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
)

// encode is what encoding/json makes of a record.
func encode(t *testing.T, r *plan.Record) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// A record is written as encoding/json writes it, and read as it was.
func TestJSONIsThatOfEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "ifca", "a=1&b=2", `"quoted" \ and /`, "line\nfeed\r\t\b\f\x00\x1f\x7f", "Δφ \u2028\u2029 😀",
		"no \xff UTF-8"}
	numbers := []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-9, 1e-10, 1e-100, 1e20, 1e21, -1e21,
		1.7e308,
		5e-324, 0.1, 1.0 / 3, 123456789}
	float := func() float64 {
		if random.IntN(2) == 0 {
			return random.NormFloat64() * math.Pow(10, float64(random.IntN(40)-20))
		}
		return numbers[random.IntN(len(numbers))]
	}
	// fill fills a value by its kind, so that no member of a record is forgotten.
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(texts[random.IntN(len(texts))])
		case reflect.Int:
			v.SetInt(int64(random.IntN(7) - 3))
		case reflect.Float64:
			v.SetFloat(float())
		case reflect.Float32:
			v.SetFloat(max(-1e30, min(1e30, float()))) // as others are too large for it
		case reflect.Pointer:
			if random.IntN(3) > 0 {
				v.Set(reflect.New(v.Type().Elem()))
				fill(v.Elem())
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), random.IntN(4), 4))
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		default:
			t.Fatalf("a record has a %v", v.Kind())
		}
	}
	for range 2000 {
		var r plan.Record
		fill(reflect.ValueOf(&r).Elem())
		got, err := r.AppendJSON([]byte("before"))
		if want := "before" + encode(t, &r); err != nil || string(got) != want {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
		r.Query, r.Error = "data=linreg&n="+fmt.Sprint(random.Int()), "it has one"
		r.Floats, r.Data = 1.5, ""
		r.Cell = plan.Identity(&r)
		text := encode(t, &r)
		var want plan.Record
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if len(want.Lanes) == 0 {
			want.Lanes = nil
		}
		if back, err := plan.Parse([]byte(text)); err != nil || !reflect.DeepEqual(back, want) {
			t.Fatalf("%s comes back as %+v, %v", text, back, err)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		r := plan.Record{Seconds: bad}
		if _, err := r.AppendJSON(nil); err == nil {
			t.Errorf("%v is written", bad)
		}
	}
}

// What others write differently is read, and what is no record is refused.
func TestParseRecord(t *testing.T) {
	r := plan.Record{Query: "data=linreg", Version: 1, Error: "no"}
	r.Cell = plan.Identity(&r)
	text := encode(t, &r)
	body := strings.TrimSuffix(text, "}")
	for _, good := range []string{
		" " + strings.ReplaceAll(text, ",", " ,\r\n\t") + "\n",
		body + `,"note":{"a":[1,true,null,{"b":"}"}],"c":-1.5e+3}}`,
		body + `,"lanes":[]}`,
		strings.Replace(text, "linreg", `lin\u0072eg`, 1),
	} {
		if back, err := plan.ParseRecord([]byte(good)); err != nil || back.Cell != r.Cell || back.Error != "no" {
			t.Errorf("%s comes back as %+v, %v", good, back, err)
		}
	}
	deep := strings.Repeat("[", 1<<20)
	for _, bad := range []string{
		"", "{", "{}", "[]", "null", "query", body, body + ",}", body + `,"version":}`, body + `,"seconds":nan}`,
		body + `,"seconds":1e999}`, body + `,"seconds":0x10}`, body + `,"version":1.5}`, body + `,"version":"1"}`,
		body + `,"lanes":{}}`, body + `,"lanes":[{"ari":nil}]}`, body + `,"error":"a` + "\n" + `b"}`, body +
			`,"error":"\q"}`,
		body + `,"error":"\u12"}`, body + `,"error":"\`, body + `,"x":` + deep, body + `,"x":}`, text +
			text, text + " x",
		text + "\x00", strings.Replace(text, "linreg", "mixreg", 1),
	} {
		if back, err := plan.ParseRecord([]byte(bad)); err == nil {
			t.Errorf("%.80s is read as %+v", bad, back)
		}
	}
	for i := range text { // cut off anywhere
		if _, err := plan.ParseRecord([]byte(text[:i])); err == nil {
			t.Errorf("%s is read", text[:i])
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	r := plan.Record{Query: "data=linreg", Lanes: []plan.Lane{{Lane: "ifca",
		Scores: plan.Scores{Fingerprint: "0fc2fa131a982254"}}}}
	r.Cell = plan.Identity(&r)
	text, _ := r.AppendJSON(nil)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := plan.ParseRecord(text)
		if err != nil {
			return
		}
		again, err := r.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := plan.ParseRecord(again)
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s becomes %s", text, again)
		}
	})
}

func TestHashIsSHA256(t *testing.T) {
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i * i)
	}
	for n := range text {
		sum := sha256.Sum256(text[:n])
		want := hex.EncodeToString(sum[:16])
		for _, part := range []int{1, 7, 64, 65, 300} {
			h := plan.NewHash()
			for at := 0; at < n; at += part {
				h.Write(text[at:min(at+part, n)])
			}
			if got := h.ID(); got != want {
				t.Fatalf("%d bytes in parts of %d: got %s, want %s", n, part, got, want)
			}
		}
	}
}
