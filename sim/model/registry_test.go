package model

import (
	"strings"
	"testing"

	"flockscope/sim/param"
)

func TestEntries(t *testing.T) {
	for _, e := range Registry.All() {
		seen := map[string]bool{}
		for i := range e.Fields {
			f := &e.Fields[i]
			if text, err := f.Canonical(f.Default); err != nil || text != f.Default || seen[f.Name] {
				t.Errorf("%s: field %s: default %q, want a canonical one and no second field of the name", e.Name,
					f.Name, f.Default)
			}
			seen[f.Name] = true
		}
		if e.Name == "textcnn" {
			continue // needs tokens
		}
		if n := network(t, e.Name, Shape{28, 28, 1}, 10); n.Task() != e.Make.Task {
			t.Errorf("%s: Task() = %v, want %v as registered", e.Name, n.Task(), e.Make.Task)
		}
	}
	if _, err := fieldCode.Canonical(PaperCode); err != nil {
		t.Errorf("PaperCode: %v", err)
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		model  string
		shape  Shape
		values param.Values
		want   string
	}{
		{"cnn", Shape{15, 28, 1}, nil, "15×28"},
		{"cnn", Shape{28, 15, 1}, nil, "28×15"},
		{"cnn", flat(784), nil, "1×784"},
	}
	for _, tt := range []struct {
		field *param.Field
		text  string
	}{{&fieldHidden, "3,2.5"}, {&fieldCode, "0.5"}, {&fieldCode, "64,1.5"}, {&fieldCode, ""}} {
		if got, err := tt.field.Canonical(tt.text); err == nil {
			t.Errorf("%s=%s is read as %q, want an error", tt.field.Name, tt.text, got)
		}
	}
	for _, tt := range tests {
		e, _ := Registry.Lookup(tt.model)
		_, err := e.Make.Make(tt.values, Samples{Shape: tt.shape, Classes: 10})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v %v: error %v, want %q", tt.model, tt.shape, tt.values, err, tt.want)
		}
	}
}
