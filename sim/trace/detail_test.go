package trace

import (
	"reflect"
	"testing"
)

func TestDetailRoundTrips(t *testing.T) {
	d := &Detail{Lane: 2, Round: 14, Client: 7, Notes: []Note{
		{Step: "send", Values: []Value{{Name: "k", Numbers: []float64{0, 2}}, {Name: "theta", Numbers: []float64{-0.5}, More: true, Last: true}}},
		{Step: "rest"},
		{Step: "", Values: []Value{{Name: "none"}}},
	}}
	b := AppendDetail([]byte("x"), d)
	if got, err := DecodeDetail(b[1:]); err != nil || b[0] != 'x' || !reflect.DeepEqual(got, d) {
		t.Errorf("DecodeDetail(AppendDetail(%+v)) = %+v, %v", d, got, err)
	}
	for n := 1; n < len(b); n++ {
		if got, err := DecodeDetail(b[1:n]); err == nil {
			t.Errorf("%d of %d bytes are taken for %+v", n-1, len(b)-1, got)
		}
	}
	if _, err := DecodeDetail(append(b[1:], 0)); err == nil {
		t.Error("a byte too many is taken")
	}
	if v, ok := d.Notes[0].Value("theta"); !ok || !v.More || !v.Last {
		t.Errorf("the value of a name is %+v", v)
	}
	if _, ok := d.Notes[0].Value("new"); ok {
		t.Error("a name that is not there has a value")
	}
}
