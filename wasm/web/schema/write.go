package main

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"flockscope/sim/param"
)

// omittedFields are the fields that are not written: those that only the page shows, and functions, which are set by hand.
var omittedFields = []string{"Doc", "Paper", "By", "Sends", "Counts", "Cause", "Steps", "Phases", "Symbols", "Stochastic", "Tune"}

// A writer writes values as Go expressions, without zero values and unexported fields. A
// field that several algorithms share becomes a variable.
type writer struct {
	vars bytes.Buffer      // declarations of the variables so far
	name map[string]string // name of the variable of an expression
}

// value writes v, without its type if bare is set.
func (w *writer) value(out *bytes.Buffer, v reflect.Value, bare bool) error {
	switch v.Kind() {
	case reflect.Struct:
		return w.structure(out, v, bare)
	case reflect.Slice:
		fmt.Fprintf(out, "%s{\n", v.Type())
		for i := range v.Len() {
			if err := w.value(out, v.Index(i), true); err != nil {
				return err
			}
			out.WriteString(",\n")
		}
		out.WriteString("}")
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		fmt.Fprintf(out, "%s{\n", v.Type())
		for _, key := range keys {
			fmt.Fprintf(out, "%q: ", key.String())
			if err := w.value(out, v.MapIndex(key), true); err != nil {
				return err
			}
			out.WriteString(",\n")
		}
		out.WriteString("}")
	case reflect.Pointer:
		out.WriteString("&")
		return w.value(out, v.Elem(), false)
	case reflect.String:
		fmt.Fprintf(out, "%q", v.String())
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		fmt.Fprint(out, v.Interface())
	default:
		return fmt.Errorf("the schema holds a %s, which this program cannot write", v.Type())
	}
	return nil
}

func (w *writer) structure(out *bytes.Buffer, v reflect.Value, bare bool) error {
	var fields strings.Builder
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || v.Field(i).IsZero() || slices.Contains(omittedFields, f.Name) ||
			f.Type.Kind() == reflect.Func {
			continue
		}
		var text bytes.Buffer
		if err := w.value(&text, v.Field(i), false); err != nil {
			return err
		}
		fmt.Fprintf(&fields, "%s: %s, ", f.Name, text.String())
	}
	text := "{" + strings.TrimSuffix(fields.String(), ", ") + "}"
	if field, ok := v.Interface().(param.Field); ok {
		out.WriteString(w.variable(field.Name, v.Type().String()+text))
		return nil
	}
	if !bare {
		out.WriteString(v.Type().String())
	}
	out.WriteString(text)
	return nil
}

// variable returns the variable that holds a field's expression.
func (w *writer) variable(field, expression string) string {
	if name, ok := w.name[expression]; ok {
		return name
	}
	name := "field_" + field
	for n := 2; strings.Contains(w.vars.String(), "var "+name+" "); n++ {
		name = fmt.Sprintf("field_%s_%d", field, n)
	}
	w.name[expression] = name
	fmt.Fprintf(&w.vars, "var %s = %s\n", name, expression)
	return name
}
