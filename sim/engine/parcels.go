package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/workload"
)

// What travels between a crew and a shard: a visit one way, replies the other.

// packTasks writes the part of a visit that concerns some clients, all but the
// models.
func packTasks(p *writer, v *visit, part []int) {
	p.int(v.lane)
	p.int(v.round)
	p.int(v.turn)
	p.flag(v.look)
	p.flag(v.observed != nil)
	p.flag(v.exam != nil)
	p.int(len(part))
	for _, i := range part {
		p.int(i)
		if v.exam != nil {
			p.int(v.exam.label[i])
			v.packMemory(p, i)
			continue
		}
		t := &v.exchange.Tasks[i]
		p.flag(t.Losses)
		p.flag(t.Best)
		p.int(t.Feature)
		p.int(len(t.Updates))
		for _, k := range t.Updates {
			p.int(k)
		}
		p.int(t.Call)
		if t.Call > 0 {
			p.int(len(t.With))
			p.floats(t.With)
		}
		v.packMemory(p, i)
	}
}

// packModels writes the models that some clients need and that have not been sent
// for this visit.
func packModels(p *writer, v *visit, part []int, sent []bool) {
	needs := make([]bool, v.exchange.Bank.Models())
	for _, i := range part {
		v.mark(needs, i)
	}
	for k, need := range needs {
		send := need && !sent[k]
		p.flag(send)
		if send {
			p.floats(v.exchange.Bank.Model(k))
			sent[k] = true
		}
	}
}

// packMemory writes what client i remembers.
func (v *visit) packMemory(p *writer, i int) {
	r := &v.exchange.Replies[i]
	if v.protocol.Keep {
		p.int(len(r.State))
		p.floats(r.State)
	}
	if v.device != nil {
		p.int(len(r.Own))
		p.floats(r.Own)
	}
}

// unpackMemory reads what packMemory wrote, and reports whether it was whole.
func (v *visit) unpackMemory(p *parcel, i int) bool {
	r := &v.exchange.Replies[i]
	return (!v.protocol.Keep || p.readList(&r.State)) && (v.device == nil || p.readList(&r.Own))
}

// mark notes the models that client i needs for its part of a visit.
func (v *visit) mark(needs []bool, i int) {
	if v.exam != nil {
		if _, ok := v.device.(fl.Ensemble); ok {
			for k := range needs {
				needs[k] = true
			}
		}
		needs[v.exam.label[i]] = true
		return
	}
	t := &v.exchange.Tasks[i]
	asked := t.Losses || t.Best
	switch {
	case v.look && v.personal && !asked:
		needs[i] = true
	case asked || v.look:
		for k := range needs {
			needs[k] = true
		}
	}
	for _, k := range t.Updates {
		needs[k] = true
	}
	if t.Feature > 0 {
		needs[t.Feature-1] = true
	}
	for _, k := range t.Models {
		needs[k] = true
	}
}

// unpack reads what packTasks and packModels wrote: the visit, nil if it is torn,
// and the clients to call.
func (s *Shard) unpack(p *parcel) (*visit, []int) {
	n := p.readInt()
	if n < 0 || n >= len(s.visits) || s.visits[n] == nil {
		return nil, nil
	}
	v := s.visits[n]
	clients, models := s.data.Clients(), v.exchange.Bank.Models()
	v.round = p.readInt()
	v.turn = p.readInt()
	v.look = p.readFlag()
	observed, exam := p.readFlag(), p.readFlag()
	parts := p.readInt()
	if p.torn || parts < 0 || parts > clients {
		return nil, nil
	}
	v.observed, v.exam = nil, nil
	if observed {
		v.observed = make([]float32, clients*v.columns)
	}
	if exam {
		tests, ok := s.data.(workload.Tested)
		if !ok {
			return nil, nil
		}
		v.exam = newExam(clients, tests.Classes(), make([]int, clients))
	}
	is := func(k int) bool { return k >= 0 && k < models }
	s.part = s.part[:0]
	for range parts {
		i := p.readInt()
		if i < 0 || i >= clients {
			return nil, nil
		}
		s.part = append(s.part, i)
		if exam {
			if v.exam.label[i] = p.readInt(); !is(v.exam.label[i]) || !v.unpackMemory(p, i) {
				return nil, nil
			}
			continue
		}
		t := &v.exchange.Tasks[i]
		t.Losses, t.Best = p.readFlag(), p.readFlag()
		t.Feature, t.Updates = p.readInt(), t.Updates[:0]
		if t.Feature < 0 || t.Feature > models {
			return nil, nil
		}
		for range p.readInt() {
			k := p.readInt()
			if p.torn || !is(k) {
				return nil, nil
			}
			t.Updates = append(t.Updates, k)
		}
		if t.Call = p.readInt(); t.Call > 0 && !p.readList(&t.With) {
			return nil, nil
		}
		if !v.unpackMemory(p, i) {
			return nil, nil
		}
	}
	for k := range models {
		if p.readFlag() {
			p.readFloats(v.exchange.Bank.Model(k))
		}
	}
	if p.torn {
		return nil, nil
	}
	return v, s.part
}

// packReplies writes what the clients answered.
func packReplies(p *writer, v *visit, part []int) {
	for _, i := range part {
		if e := v.exam; e != nil {
			p.doubles(e.loss[i : i+1])
			p.floats(e.accuracy[i : i+1])
			p.shorts(e.sheet(i))
			continue
		}
		t, r := &v.exchange.Tasks[i], &v.exchange.Replies[i]
		if v.observed != nil && (v.look || t.Losses || t.Best) {
			p.floats(v.observed[i*v.columns : (i+1)*v.columns])
		}
		if t.Losses || t.Best {
			p.doubles(r.Losses)
			p.int(r.Best)
		}
		for n := range v.updates(i) {
			p.floats(r.Updates[n])
		}
		if t.Feature > 0 {
			p.floats(r.Feature)
		}
		if t.Call > 0 {
			p.int(len(r.Answer))
			p.floats(r.Answer)
		}
	}
	if v.exam == nil {
		for _, i := range part {
			v.packMemory(p, i)
		}
	}
}

// updates is the number of updates that client i answers with.
func (v *visit) updates(i int) int {
	n := len(v.exchange.Tasks[i].Updates)
	if v.exchange.Tasks[i].Best {
		n++
	}
	return n
}

// unpackReplies reads what packReplies wrote, and reports whether it was whole.
func unpackReplies(reply Received, v *visit, part []int) bool {
	p := &parcel{Received: reply}
	x := v.exchange
	for _, i := range part {
		if e := v.exam; e != nil {
			p.readDoubles(e.loss[i : i+1])
			p.readFloats(e.accuracy[i : i+1])
			p.readShorts(e.sheet(i))
			continue
		}
		t, r := &x.Tasks[i], &x.Replies[i]
		if v.observed != nil {
			row := v.observed[i*v.columns : (i+1)*v.columns]
			if v.look || t.Losses || t.Best { // else what was seen last stays
				p.readFloats(row)
			}
		}
		if t.Losses || t.Best {
			p.readDoubles(r.Losses)
			r.Best = p.readInt()
			if r.Best < 0 || r.Best >= x.Bank.Models() {
				return false
			}
		}
		for n := range v.updates(i) {
			p.readFloats(x.Room(i, n))
		}
		if t.Feature > 0 {
			p.readFloats(x.RoomForFeature(i))
		}
		if t.Call > 0 && !p.readList(&r.Answer) {
			return false
		}
	}
	if v.exam == nil {
		if !v.memoriesLeft(*p, part) {
			return false
		}
		for _, i := range part {
			v.unpackMemory(p, i)
		}
	}
	return p.whole()
}

// memoriesLeft reports whether what some clients remember is all that is left to read.
// It is written only then: work that is done again begins with what was remembered
// before it.
func (v *visit) memoriesLeft(p parcel, part []int) bool {
	lists := len(part) * (int(bit(v.protocol.Keep)) + int(bit(v.device != nil)))
	lengths := 0 // of long lists, in bytes
	for range lists {
		if n := 4 * p.readInt(); n < long {
			p.take(n)
		} else {
			lengths += n
		}
	}
	return !p.torn && len(p.Small) == 0 && (p.Long == nil && lengths == 0 || p.Long != nil && p.Long.Len() == lengths)
}
