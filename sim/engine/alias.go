package engine

// mostNamed is the largest number of models that are named after groups: nobody can distinguish more colours.
const mostNamed = 64

// named reports whether the models of the lane are named after groups.
func (l *lane) named() bool { return l.groups > 0 && !l.plan.Personal && l.plan.Models <= mostNamed }

// nameModels names the models after the round by the groups of their clients.
func (l *lane) nameModels() {
	if !l.named() {
		return
	}
	if l.frame.Round == 0 { // labels are arbitrary
		l.naming.Reset(l.plan.Models, l.groups)
		return
	}
	for i, k := range l.label {
		if l.lies(i) {
			continue
		}
		l.naming.Count(k, l.group[i])
	}
	l.naming.Next()
}

// alias returns the names of the models in the last round, or the models themselves if they have no names.
func (l *lane) alias() []uint16 {
	out := make([]uint16, l.plan.Models)
	for k := range out {
		out[k] = uint16(k)
	}
	if l.named() {
		copy(out, l.naming.Names)
	}
	return out
}
