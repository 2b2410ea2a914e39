package trace

// Detail has the steps of one round of one lane, for one client. It is computed on demand by the
// engine's Explain, and is not part of a run.
type Detail struct {
	Lane, Round int // round from 1
	Client      int // the client whose numbers are shown
	Notes       []Note
}

// Note records a step of a round, by its name in the algorithm's list of steps.
type Note struct {
	Step   string
	Values []Value
}

// Value has one number of a note, or several.
type Value struct {
	Name    string
	Numbers []float64 // the first few, or the last few
	More    bool      // there were more
	Last    bool      // Numbers are the last few
}

// Value returns the value with a name.
func (n *Note) Value(name string) (Value, bool) {
	for _, v := range n.Values {
		if v.Name == name {
			return v, true
		}
	}
	return Value{}, false
}

// AppendDetail appends the bytes of d to dst.
func AppendDetail(dst []byte, d *Detail) []byte {
	e := encoder{dst}
	e.count(d.Lane)
	e.count(d.Round)
	e.count(d.Client)
	e.count(len(d.Notes))
	for _, n := range d.Notes {
		e.text(n.Step)
		e.count(len(n.Values))
		for _, v := range n.Values {
			e.text(v.Name)
			e.flag(v.More)
			e.flag(v.Last)
			e.count(len(v.Numbers))
			for _, x := range v.Numbers {
				e.f64(x)
			}
		}
	}
	return e.b
}

// DecodeDetail reads what AppendDetail wrote.
func DecodeDetail(src []byte) (*Detail, error) {
	d := decoder{b: src}
	out := &Detail{Lane: d.count(0), Round: d.count(0), Client: d.count(0)}
	for range d.count(8) {
		n := Note{Step: d.text()}
		for range d.count(10) {
			v := Value{Name: d.text(), More: d.flag(), Last: d.flag()}
			for range d.count(8) {
				v.Numbers = append(v.Numbers, d.f64())
			}
			n.Values = append(n.Values, v)
		}
		out.Notes = append(out.Notes, n)
	}
	return out, d.finish()
}
