package param

import "iter"

// All yields every field of a list, each choice followed by the fields of its options. A field of
// several options is yielded several times.
func All(list []Field) iter.Seq[*Field] {
	return walk(list, func(*Field, *Option) bool { return true })
}

// Chosen yields the fields of a list that are read when value gives the
// canonical texts: each choice is followed by the fields of the option chosen.
func Chosen(list []Field, value func(name string) string) iter.Seq[*Field] {
	return walk(list, func(f *Field, o *Option) bool { return o.Name == value(f.Name) })
}

func walk(list []Field, enter func(*Field, *Option) bool) iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		var visit func(list []Field) bool
		visit = func(list []Field) bool {
			for i := range list {
				f := &list[i]
				if !yield(f) {
					return false
				}
				for j := range f.Options {
					if o := &f.Options[j]; len(o.Fields) > 0 && enter(f, o) && !visit(o.Fields) {
						return false
					}
				}
			}
			return true
		}
		visit(list)
	}
}
