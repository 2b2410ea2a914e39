package main

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/wasm/web"
)

// The generated schema is that of the registries.
func TestSchemaIsCurrent(t *testing.T) {
	schema := catalog.Schema().Finished()
	rules, err := probe(schema)
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(schema, rules)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../schema_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("schema_gen.go is not what the registries declare; run make generate")
	}
	again, err := generate(web.Schema(), rules)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(got) {
		t.Error("compiled and generated again, schema_gen.go is another one")
	}
}

// The writer returns an error for a type that it cannot write.
func TestWriterRefuses(t *testing.T) {
	for _, value := range []any{func() {}, struct{ F any }{F: 1}, []chan int{nil}} {
		w := &writer{name: map[string]string{}}
		if err := w.value(new(bytes.Buffer), reflect.ValueOf(value), false); err == nil {
			t.Errorf("a %T is written, want an error", value)
		}
	}
}
