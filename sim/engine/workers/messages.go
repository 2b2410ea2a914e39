package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/workload"
)

// Messages between a pool and a shard: jobs one way, replies the other.

// packTasks writes a job for some clients, without the models.
func packTasks(p *encoder, v *Job, part []int) {
	p.int(v.Lane)
	p.int(v.Round)
	p.int(v.Sequence)
	p.flag(v.ObserveAll)
	p.flag(v.Observed != nil)
	p.flag(v.Evaluation != nil)
	if v.Evaluation != nil {
		p.int(len(v.Broadcast))
		p.floats(v.Broadcast)
	}
	p.int(len(part))
	for _, i := range part {
		p.int(i)
		if v.Evaluation != nil {
			p.int(v.Evaluation.label[i])
			v.packMemory(p, i)
			continue
		}
		t := &v.Exchange.Tasks[i]
		p.flag(t.Losses)
		p.flag(t.PickBest)
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

// packModels writes the models that some clients need and that were not sent for this job yet.
func packModels(p *encoder, v *Job, part []int, sent []bool) {
	needs := make([]bool, v.Exchange.Bank.Models())
	for _, i := range part {
		v.markNeeded(needs, i)
	}
	for k, need := range needs {
		send := need && !sent[k]
		p.flag(send)
		if send {
			p.floats(v.Exchange.Bank.Model(k))
			sent[k] = true
		}
	}
}

// packMemory writes the state that client i keeps between rounds.
func (v *Job) packMemory(p *encoder, i int) {
	r := &v.Exchange.Replies[i]
	if v.Protocol.Keep {
		p.int(len(r.OptimiserState))
		p.floats(r.OptimiserState)
	}
	if v.Device != nil {
		p.int(len(r.ClientState))
		p.floats(r.ClientState)
	}
}

// unpackMemory reads what packMemory wrote, and reports whether it was complete.
func (v *Job) unpackMemory(p *decoder, i int) bool {
	r := &v.Exchange.Replies[i]
	return (!v.Protocol.Keep || p.readList(&r.OptimiserState)) && (v.Device == nil || p.readList(&r.ClientState))
}

// markNeeded marks the models that client i needs for a job.
func (v *Job) markNeeded(needs []bool, i int) {
	if v.Evaluation != nil {
		if _, ok := v.Device.(fl.Ensemble); ok {
			for k := range needs {
				needs[k] = true
			}
		}
		needs[v.Evaluation.label[i]] = true
		return
	}
	t := &v.Exchange.Tasks[i]
	asked := t.Losses || t.PickBest
	switch {
	case v.ObserveAll && v.Personal && !asked:
		needs[i] = true
	case asked || v.ObserveAll:
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

// unpack reads what packTasks and packModels wrote: the job, nil if the message is invalid, and its
// clients.
func (s *Shard) unpack(p *decoder) (*Job, []int) {
	n := p.readInt()
	if n < 0 || n >= len(s.Jobs) || s.Jobs[n] == nil {
		return nil, nil
	}
	v := s.Jobs[n]
	clients, models := s.data.Clients(), v.Exchange.Bank.Models()
	v.Round = p.readInt()
	v.Sequence = p.readInt()
	v.ObserveAll = p.readFlag()
	observed, evaluated := p.readFlag(), p.readFlag()
	v.Broadcast = v.Broadcast[:0]
	if evaluated && !p.readList(&v.Broadcast) {
		return nil, nil
	}
	parts := p.readInt()
	if p.failed || parts < 0 || parts > clients {
		return nil, nil
	}
	v.Observed, v.Evaluation = nil, nil
	if observed {
		v.Observed = make([]float32, clients*v.Columns)
	}
	if evaluated {
		tests, ok := s.data.(workload.Evaluated)
		if !ok {
			return nil, nil
		}
		v.Evaluation = NewEvaluation(clients, tests.Classes(), make([]int, clients), s.set.Liars)
	}
	s.Part = s.Part[:0]
	for range parts {
		i := p.readInt()
		if i < 0 || i >= clients {
			return nil, nil
		}
		s.Part = append(s.Part, i)
		if evaluated {
			label := p.readInt()
			if label < 0 || label >= models || !v.unpackMemory(p, i) {
				return nil, nil
			}
			v.Evaluation.label[i] = label
			continue
		}
		if !unpackTask(p, &v.Exchange.Tasks[i], models) || !v.unpackMemory(p, i) {
			return nil, nil
		}
	}
	for k := range models {
		if p.readFlag() {
			p.readFloats(v.Exchange.Bank.Model(k))
		}
	}
	if p.failed {
		return nil, nil
	}
	return v, s.Part
}

// unpackTask reads a task of packTasks, and reports whether it is valid for a number of models.
func unpackTask(p *decoder, t *fl.Task, models int) bool {
	t.Losses, t.PickBest = p.readFlag(), p.readFlag()
	t.Feature, t.Updates = p.readInt(), t.Updates[:0]
	if t.Feature < 0 || t.Feature > models {
		return false
	}
	for range p.readInt() {
		k := p.readInt()
		if p.failed || k < 0 || k >= models {
			return false
		}
		t.Updates = append(t.Updates, k)
	}
	t.Call = p.readInt()
	return t.Call <= 0 || p.readList(&t.With)
}

// packReplies writes the replies of some clients.
func packReplies(p *encoder, v *Job, part []int) {
	for _, i := range part {
		if e := v.Evaluation; e != nil {
			p.doubles(e.Loss[i : i+1])
			p.floats(e.Accuracy[i : i+1])
			p.shorts(e.confusionOf(i))
			if e.Fooled != nil {
				p.floats(e.Fooled[i : i+1])
			}
			continue
		}
		t, r := &v.Exchange.Tasks[i], &v.Exchange.Replies[i]
		if v.Observed != nil && (v.ObserveAll || t.Losses || t.PickBest) {
			p.floats(v.Observed[i*v.Columns : (i+1)*v.Columns])
		}
		if t.Losses || t.PickBest {
			p.doubles(r.Losses)
			p.int(r.Picked)
			p.float(r.Lead)
			p.float(r.Noise)
		}
		for n := range v.updates(i) {
			p.floats(r.Updates[n])
		}
		if v.updates(i) > 0 {
			p.float(r.Length)
		}
		if t.Feature > 0 {
			p.floats(r.Feature)
		}
		if t.Call > 0 {
			p.int(len(r.Answer))
			p.floats(r.Answer)
		}
		if !t.Empty() {
			p.long(r.Computed)
		}
	}
	if v.Evaluation == nil {
		for _, i := range part {
			v.packMemory(p, i)
		}
	}
}

// updates returns the number of updates that client i replies with.
func (v *Job) updates(i int) int {
	n := len(v.Exchange.Tasks[i].Updates)
	if v.Exchange.Tasks[i].PickBest {
		n++
	}
	return n
}

// unpackReplies reads what packReplies wrote, and reports whether it was complete.
func unpackReplies(reply Incoming, v *Job, part []int) bool {
	p := &decoder{Incoming: reply}
	x := v.Exchange
	for _, i := range part {
		if e := v.Evaluation; e != nil {
			p.readDoubles(e.Loss[i : i+1])
			p.readFloats(e.Accuracy[i : i+1])
			p.readShorts(e.confusionOf(i))
			if e.Fooled != nil {
				p.readFloats(e.Fooled[i : i+1])
			}
			continue
		}
		t, r := &x.Tasks[i], &x.Replies[i]
		if v.Observed != nil {
			row := v.Observed[i*v.Columns : (i+1)*v.Columns]
			if v.ObserveAll || t.Losses || t.PickBest { // otherwise the last values stay
				p.readFloats(row)
			}
		}
		if t.Losses || t.PickBest {
			p.readDoubles(r.Losses)
			r.Picked = p.readInt()
			if r.Picked < 0 || r.Picked >= x.Bank.Models() {
				return false
			}
			r.Lead, r.Noise = p.readFloat(), p.readFloat()
		}
		for n := range v.updates(i) {
			p.readFloats(x.Buffer(i, n))
		}
		if v.updates(i) > 0 {
			r.Length = p.readFloat()
		}
		if t.Feature > 0 {
			p.readFloats(x.FeatureBuffer(i))
		}
		if t.Call > 0 && !p.readList(&r.Answer) {
			return false
		}
		if !t.Empty() {
			r.Computed = p.readLong()
		}
	}
	if v.Evaluation == nil {
		if !v.onlyMemoriesLeft(*p, part) {
			return false
		}
		for _, i := range part {
			v.unpackMemory(p, i)
		}
	}
	return p.complete()
}

// onlyMemoriesLeft reports whether the rest of a message is exactly the states of some clients. Only then are states
// overwritten, because repeated work must begin with the earlier state.
func (v *Job) onlyMemoriesLeft(p decoder, part []int) bool {
	lists := len(part) * (int(bit(v.Protocol.Keep)) + int(bit(v.Device != nil)))
	lengths := 0 // of long lists, in bytes
	for range lists {
		if n := 4 * p.readInt(); n < longList {
			p.take(n)
		} else {
			lengths += n
		}
	}
	return !p.failed && len(p.Small) == 0 && (p.Long == nil && lengths == 0 || p.Long != nil && p.Long.Len() == lengths)
}
