package workers

import (
	"errors"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/workload"
)

// Shard does the work of some of the clients of a run that another program plays (see [Shards]).
type Shard struct {
	data  workload.Workload
	set   *Settings
	plans []fl.Plan
	local *localClients
	Jobs  []*Job // by lane
	Part  []int  // clients of the present request
	job   *Job   // job of the present request; nil before the first
	reply encoder

	round  int   // latest requested round
	served []int // clients of that round that were requested here, ascending
	ready  []int // those of them whose next round is prepared
}

// ErrBroken is returned for an invalid request.
var ErrBroken = errors.New("engine: the request to a shard is invalid")

// Handle carries out a request and returns the reply, which is valid until the next request. file is the user's file;
// nil for none.
func (s *Shard) Handle(request Incoming, file *workload.File) (Message, error) {
	p := &decoder{Incoming: request}
	if p.readFlag() {
		if err := s.begin(p, file); err != nil {
			return Message{}, err
		}
	}
	if s.local == nil {
		return Message{}, ErrBroken
	}
	if p.readFlag() && !s.openLane(p) {
		return Message{}, ErrBroken
	}
	s.release()
	v, part := s.unpack(p)
	if v == nil {
		return Message{}, ErrBroken
	}
	s.job = v
	s.local.run(v, part)
	s.noteServed(v, part)
	s.reply.reset()
	packReplies(&s.reply, v, part)
	return s.reply.Message, nil
}

// release frees the buffers of the last reply.
func (s *Shard) release() {
	if s.job == nil {
		return
	}
	for _, i := range s.Part {
		s.job.Exchange.Release(i)
	}
	s.job = nil
}

// begin starts the clients of a run.
func (s *Shard) begin(p *decoder, file *workload.File) error {
	s.Close()
	query := p.readText()
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.First(problems); err != nil {
		return err
	}
	var err error
	if s.data, s.plans, err = catalog.Build(c, file); err != nil {
		return err
	}
	CollectGarbage(s.data, s.plans)
	s.set = ReadSettings(c, s.data)
	s.local = newLocalClients(s.data, s.set, len(s.plans))
	s.Jobs = make([]*Job, len(s.plans))
	return nil
}

// openLane prepares for the jobs of a lane.
func (s *Shard) openLane(p *decoder) bool {
	n, models, coordinates := p.readInt(), p.readInt(), p.readInt()
	if p.failed || n < 0 || n >= len(s.plans) || models != s.plans[n].Models || coordinates > s.data.Model().Size() {
		return false
	}
	plan := s.plans[n]
	bank := fl.NewBank(models, s.data.Model().Size())
	x := fl.NewExchange(s.data.Clients(), &bank)
	for range coordinates {
		at := p.readInt()
		if at < 0 || at >= bank.Size {
			return false
		}
		x.Coordinates = append(x.Coordinates, int32(at))
	}
	v := &Job{Lane: n, Exchange: x, Protocol: plan.Protocol, Device: plan.Device, Probe: s.set.Probes[n],
		Columns: models, Personal: plan.Personal, Local: plan.Local, SharesTrunk: plan.SharesTrunk,
		Done: make(chan struct{}, 1)}
	if plan.Personal {
		v.Columns = 1
	}
	s.Jobs[n] = v
	return !p.failed
}

// noteServed records the clients of a round: most of them will be requested here in the next round, too.
func (s *Shard) noteServed(v *Job, part []int) {
	if v.Evaluation != nil {
		return
	}
	if v.Round != s.round {
		s.round, s.served, s.ready = v.Round, s.served[:0], s.ready[:0]
	}
	for _, i := range part {
		if at, there := slices.BinarySearch(s.served, i); !there {
			s.served = slices.Insert(s.served, at, i)
		}
	}
}

// Prepare draws the samples that one client will need in the next round, and reports whether there was something to
// prepare. It is meant for idle time and does not change replies. Clients are prepared in ascending order, in which
// they will be requested.
func (s *Shard) Prepare() bool {
	if s.local == nil || s.round == s.set.Rounds {
		return false
	}
	at := slices.IndexFunc(s.served, func(i int) bool { return !slices.Contains(s.ready, i) })
	if at < 0 {
		return false
	}
	if !s.local.prepare(s.served[at], s.round+1) {
		s.ready = append(s.ready[:0], s.served...) // no room for more
		return false
	}
	s.ready = append(s.ready, s.served[at])
	return true
}

// Close stops the clients.
func (s *Shard) Close() {
	if s.local != nil {
		s.local.close()
		s.local, s.job, s.Jobs = nil, nil, nil
		s.round, s.served, s.ready = 0, s.served[:0], s.ready[:0]
	}
}
