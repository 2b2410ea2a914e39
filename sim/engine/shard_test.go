package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// places are shards in this process: each a goroutine that is spoken to in
// copies of bytes. die decides, before each answer, whether a place is gone; then
// another one is there that knows nothing.
type places struct {
	in, out []chan engine.Incoming
	die     func(i int) bool
	near    bool // they say so
	asked   atomic.Int32
	heard   atomic.Int32 // answers, also of places that are gone
	owed    atomic.Int32 // the most answers that were not heard at a time

	prepared atomic.Int32 // clients, between two requests
}

func newPlaces(n int, die func(i int) bool) *places {
	p := &places{die: die}
	for range n {
		in, out := make(chan engine.Incoming, 8), make(chan engine.Incoming, 8)
		p.in, p.out = append(p.in, in), append(p.out, out)
		go p.serve(in, out)
	}
	return p
}

// carry copies a message, as a message between two programs does.
func carry(p engine.Message) engine.Incoming {
	return engine.Incoming{Small: bytes.Clone(p.Small), Long: bytes.NewReader(bytes.Join(p.Long, nil))}
}

func (p *places) serve(in <-chan engine.Incoming, out chan<- engine.Incoming) {
	var s engine.Shard
	defer s.Close()
	handled := 0
	for request := range in {
		reply, err := s.Handle(request, nil)
		if err != nil {
			close(out)
			return
		}
		out <- carry(reply)
		handled++
		for range handled % 3 {
			if s.Prepare() {
				p.prepared.Add(1)
			}
		}
	}
	close(out)
}

func (p *places) Count() int { return len(p.in) }

func (p *places) Ask(i int, request engine.Message) {
	p.owed.Store(max(p.owed.Load(), p.asked.Add(1)-p.heard.Load()))
	p.in[i] <- carry(request)
}

func (p *places) Answer(i int) (engine.Incoming, error) {
	reply, ok := <-p.out[i]
	p.heard.Add(1)
	if !ok || (p.die != nil && p.die(i)) {
		close(p.in[i])
		in, out := make(chan engine.Incoming, 8), make(chan engine.Incoming, 8)
		p.in[i], p.out[i] = in, out
		go p.serve(in, out)
		return engine.Incoming{}, errors.New("gone")
	}
	return reply, nil
}

func (p *places) Yield() { runtime.Gosched() }

func (p *places) Await(news <-chan struct{}) { <-news }

func (p *places) Near() bool { return p.near }

func (p *places) close() {
	for _, in := range p.in {
		close(in)
	}
}

// sharded are runs that between them send everything that travels.
var sharded = []string{
	"data=digits&C=7&n=700&T=6&every=2&exam=20&hidden=24&b=16&probe=16&algos=cflgp,ifca,clove,local",
	"data=digits&C=6&n=600&T=5&every=3&exam=20&hidden=24&b=16&probe=16&cr=50&nd=4&algos=cflgp,fedavg",
	"data=digits&C=6&n=600&T=4&every=3&exam=20&hidden=24&b=16&probe=16&nd=2&private=noise&clip=0.5&gauss=0.1&algos=clove,fedsoft,fedala,pacfl",
	"data=digits&C=6&n=600&T=4&every=3&exam=20&hidden=24&b=16&probe=16&private=noise&gauss=0.1&clock=on&deadline=0.7&algos=fedsoft,fedproto,fedala,fedpac",
	"data=garments&C=5&n=400&T=4&net=softmax&b=20&probe=30&avg=model&opt=adam&keep=kept&algos=clove,ifca,local",
	"data=digits&C=5&n=400&T=4&net=autoencoder&code=16,8,16&b=20&probe=20&avg=model&tau=2&opt=momentum&algos=cflgp,clove",
	"data=words&C=5&n=400&T=4&every=2&exam=20&algos=cflgp,clove",
	"data=wireless&C=5&n=300&T=3&every=2&exam=20&algos=cflgp,ifca",
	"data=digits&C=7&n=700&T=8&every=3&exam=20&hidden=24&b=4&probe=4&K=3&algos=cflgp",
}

func TestShardsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, query := range sharded {
		want := record(t, query, nil)
		for _, n := range []int{1, 2, 7} {
			p := newPlaces(n, nil)
			p.near = n != 7
			got := play(t, query, p)
			if p.asked.Load() == 0 {
				t.Errorf("%s: no shard was asked", query)
			}
			if p.prepared.Load() == 0 {
				t.Errorf("%s: no shard prepared anything", query)
			}
			p.close()
			same(t, fmt.Sprintf("%s with %d shards", query, n), got, want)
		}
	}
}

// A shard that dies takes nothing with it: its clients' work is done again.
func TestShardsDie(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		query := sharded[int(seed)%len(sharded)]
		want := record(t, query, nil)
		r, died := rand.New(rand.NewPCG(seed, 0)), 0
		var turns sync.Mutex
		p := newPlaces(3, func(int) bool {
			turns.Lock()
			defer turns.Unlock()
			if r.IntN(3) > 0 {
				return false
			}
			died++
			return true
		})
		got := play(t, query, p)
		p.close()
		if died == 0 {
			t.Errorf("seed %d: nobody died", seed)
		}
		same(t, fmt.Sprintf("seed %d: %s after %d deaths", seed, query, died), got, want)
	}
}

// garbler spoils some answers of shards that live on.
type garbler struct {
	*places
	mu      sync.Mutex
	random  *rand.Rand
	spoiled int
}

func (g *garbler) Answer(i int) (engine.Incoming, error) {
	reply, err := g.places.Answer(i)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil || g.random.IntN(4) > 0 {
		return reply, err
	}
	g.spoiled++
	if n := len(reply.Small); n > 0 && g.random.IntN(2) == 0 {
		reply.Small = reply.Small[:g.random.IntN(n)]
	} else {
		reply.Small = append(reply.Small, 1)
	}
	return reply, nil
}

// A shard with invalid replies loses no work either, whether it continues or stops.
func TestShardsTalkNonsense(t *testing.T) {
	t.Parallel()
	for seed := range uint64(len(sharded)) {
		query := sharded[seed]
		deaths := rand.New(rand.NewPCG(seed, 1))
		var turns sync.Mutex
		p := newPlaces(3, func(int) bool {
			turns.Lock()
			defer turns.Unlock()
			return seed%2 == 1 && deaths.IntN(8) == 0
		})
		g := &garbler{places: p, random: rand.New(rand.NewPCG(seed, 2))}
		got := play(t, query, g)
		if g.spoiled == 0 {
			t.Errorf("seed %d: no answer was spoiled", seed)
		}
		if asked, heard := p.asked.Load(), p.heard.Load(); seed%2 == 0 && asked != heard {
			t.Errorf("seed %d: shards were asked %d times, and heard %d times", seed, asked, heard)
		}
		p.close()
		same(t, fmt.Sprintf("seed %d: %s with %d spoiled answers", seed, query, g.spoiled), got, record(t, query, nil))
	}
}

// message is what was sent to a shard.
type message struct{ small, long []byte }

func (m message) received(small, long int) engine.Incoming {
	return engine.Incoming{Small: bytes.Clone(m.small[:small]), Long: bytes.NewReader(m.long[:long])}
}

// listener keeps what a shard is asked.
type listener struct {
	*places
	heard []message
}

func (l *listener) Ask(i int, request engine.Message) {
	l.heard = append(l.heard, message{bytes.Clone(request.Small), bytes.Join(request.Long, nil)})
	l.places.Ask(i, request)
}

// requests returns what a shard is asked in a run.
func requests(t *testing.T, query string) []message {
	t.Helper()
	l := &listener{places: newPlaces(1, nil)}
	defer l.close()
	play(t, query, l)
	if len(l.heard) < 3 {
		t.Fatalf("%s: the shard is asked %d times", query, len(l.heard))
	}
	return l.heard
}

// A request that is cut anywhere is an error, changes nothing, and the shard then does
// what it is asked in whole.
func TestShardRefusesInvalidRequests(t *testing.T) {
	for _, query := range []string{
		"data=digits&C=4&n=60&T=2&exam=20&every=1&hidden=24&b=8&probe=8&cr=100&algos=cflgp",
		"data=digits&C=4&n=60&T=2&net=softmax&b=8&probe=8&avg=model&opt=adam&keep=kept&algos=ifca",
	} {
		var clean, cut engine.Shard
		for n, request := range requests(t, query) {
			for size := range len(request.small) {
				if n == 0 && size > 0 && size%16 > 0 && size < len(request.small)-1 {
					continue // each time the run begins anew
				}
				if _, err := cut.Handle(request.received(size, len(request.long)), nil); err == nil {
					t.Fatalf("%s: request %d is served when it has %d of %d bytes", query, n, size, len(request.small))
				}
			}
			for _, size := range []int{0, len(request.long) / 2, len(request.long) - 1} {
				if size < 0 || size == len(request.long) {
					continue
				}
				if _, err := cut.Handle(request.received(len(request.small), size), nil); err == nil {
					t.Errorf("%s: request %d is served when it has %d of %d bytes of lists", query, n, size,
						len(request.long))
				}
			}
			want, err := clean.Handle(request.received(len(request.small), len(request.long)), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cut.Handle(request.received(len(request.small), len(request.long)), nil)
			if err != nil || !bytes.Equal(got.Small, want.Small) ||
				!bytes.Equal(bytes.Join(got.Long, nil), bytes.Join(want.Long, nil)) {
				t.Errorf("%s: request %d is answered otherwise after it came cut, %v", query, n, err)
			}
		}
		clean.Close()
		cut.Close()
		if _, err := clean.Handle(engine.Incoming{Small: []byte{0, 0}}, nil); err == nil {
			t.Errorf("%s: a closed shard answers", query)
		}
	}
}

// A shard that begins with another run knows nothing of the one before.
func TestShardBeginsAnotherRun(t *testing.T) {
	const query = "data=digits&C=%d&n=60&T=3&net=softmax&b=8&probe=8&algos=fedavg"
	var s engine.Shard
	defer s.Close()
	if s.Prepare() {
		t.Error("a shard that nobody asked for anything prepares a client")
	}
	for _, clients := range []int{7, 4, 7} {
		all := requests(t, fmt.Sprintf(query, clients))
		handle := func(requests []message) {
			for n, request := range requests {
				if _, err := s.Handle(request.received(len(request.small), len(request.long)), nil); err != nil {
					t.Fatalf("%d clients, request %d: %v", clients, n, err)
				}
			}
		}
		handle(all[:clients])
		prepared := 0
		for s.Prepare() {
			prepared++
		}
		if prepared == 0 || prepared > clients {
			t.Errorf("of %d clients %d are prepared", clients, prepared)
		}
		if handle(all[clients:]); s.Prepare() {
			t.Error("after the last round a client is prepared")
		}
		s.Close()
		if s.Prepare() {
			t.Error("a closed shard prepares a client")
		}
	}
}

// A small model stays where it is: its answer is faster than a message.
func TestShardsAreLeftAlone(t *testing.T) {
	p := newPlaces(2, nil)
	defer p.close()
	play(t, "data=linreg&T=4", p)
	if n := p.asked.Load(); n != 0 {
		t.Errorf("shards were asked %d times for a line's two parameters", n)
	}
}

// early watches a run whose shards begin with rounds before their time.
type early struct {
	recording
	places *places
	began  int // rounds that shards had begun with when the one before was over
	moved  int // of these, how many began on a wrong guess
}

func (e *early) Frame(lane int, f *trace.Frame) {
	e.recording.Frame(lane, f)
	if e.places.asked.Load() == e.places.heard.Load() {
		return
	}
	if e.began++; f.Events&trace.Moved != 0 {
		e.moved++
	}
}

// Where one lane plays, shards begin with what comes next while the server clusters. What they did
// is of use where no client is moved, and thrown away otherwise. Where an evaluation is due they
// begin with that, and then with the round.
func TestShardsBeginEarly(t *testing.T) {
	const rounds = 16
	query := fmt.Sprintf("data=digits&C=9&n=700&T=%d&every=3&exam=20&hidden=24&b=4&probe=4&P=2&K=3&algos=cflgp", rounds)
	want := record(t, query, nil)
	for _, n := range []int{1, 2, 4} {
		e := &early{places: newPlaces(n, nil)}
		run(t, query, e.places, e)
		e.places.close()
		same(t, fmt.Sprintf("with %d shards", n), &e.recording, want)
		if e.began != rounds-1 || e.moved == 0 {
			t.Errorf(
				"%d shards began early with %d rounds, want all %d that follow another; %d of them on a wrong guess, want some", n,
				e.began, rounds-1, e.moved)
		}
		if asked, heard := e.places.asked.Load(), e.places.heard.Load(); asked != heard {
			t.Errorf("%d shards were asked %d times, and heard %d times", n, asked, heard)
		}
	}
}

// Where nothing travels, what shards do before its time they are asked client by
// client: each answer is sent when it is there. Elsewhere few messages are better.
func TestShardsAreAskedOneByOne(t *testing.T) {
	for _, near := range []bool{false, true} {
		p := newPlaces(1, nil)
		p.near = near
		play(t, "data=digits&C=13&n=700&T=8&exam=20&hidden=24&b=4&probe=4&K=3&algos=cflgp", p)
		p.close()
		if many := p.owed.Load() > 3; many != near {
			t.Errorf("near is %v: a shard owed up to %d answers", near, p.owed.Load())
		}
	}
}

// Whichever the method, a round that shards have begun with early comes to the same.
func TestShardsBeginEarlyWithAll(t *testing.T) {
	const rounds = 6
	for _, name := range algorithms() {
		query := fmt.Sprintf("data=digits&C=6&n=600&T=%d&every=2&exam=20&hidden=24&b=16&probe=16&algos=%s",
			rounds, name)
		e := &early{places: newPlaces(2, nil)}
		run(t, query, e.places, e)
		e.places.close()
		same(t, query, &e.recording, record(t, query, nil))
		if want := rounds - 1; slices.Contains([]string{"fedavg", "ifca", "clove", "cflgp"}, name) && e.began != want {
			t.Errorf("%s: shards began early with %d rounds, want %d", query, e.began, want)
		}
	}
}

// A server that finds out how many clusters there are makes models of one, and some
// clients may stay with that: nothing that was seen of the models before counts.
func TestShardsSeeNewModels(t *testing.T) {
	t.Parallel()
	for seed := 1; seed <= 40; seed++ {
		query := fmt.Sprintf(
			"data=digits&C=6&n=600&T=6&every=5&exam=20&hidden=24&b=16&probe=16&findk=elbow&solo=2&sd=%d&sa=%d&algos=cflgp", seed,
			seed)
		p := newPlaces(1, nil)
		same(t, query, play(t, query, p), record(t, query, nil))
		p.close()
	}
}

// A run that is called off leaves no answer behind that the next one would take for
// its own.
func TestShardsOweNothing(t *testing.T) {
	p := newPlaces(2, nil)
	defer p.close()
	for stop := range 6 {
		ctx, cancel := context.WithCancel(context.Background())
		r := &recording{onRound: func(t int) {
			if t == stop {
				cancel()
			}
		}}
		if err := engine.RunLanes(ctx, parse(t, sharded[len(sharded)-1]), nil, []int{0}, p, r); err == nil {
			t.Fatalf("a run goes on that was called off in round %d", stop)
		}
		if asked, heard := p.asked.Load(), p.heard.Load(); asked != heard {
			t.Fatalf("after round %d shards were asked %d times, and heard %d times", stop, asked, heard)
		}
	}
	same(t, "after runs that were called off", play(t, sharded[0], p), record(t, sharded[0], nil))
}

func play(t *testing.T, query string, shards engine.Shards) *recording {
	t.Helper()
	r := new(recording)
	run(t, query, shards, r)
	return r
}

func run(t *testing.T, query string, shards engine.Shards, sink engine.Sink) {
	t.Helper()
	c := parse(t, query)
	lanes := make([]int, len(c.Lanes()))
	for i := range lanes {
		lanes[i] = i
	}
	if err := engine.RunLanes(context.Background(), c, nil, lanes, shards, sink); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want *recording) {
	t.Helper()
	if g, w := got.fingerprints(), want.fingerprints(); !slices.Equal(g, w) {
		t.Errorf("%s: the lanes come to %x, want %x as without shards", what, g, w)
	}
	for lane, frames := range want.lanes { // fingerprints leave these out
		for n := range min(len(frames), len(got.lanes[lane])) {
			g, w := &got.lanes[lane][n], &frames[n]
			if !slices.Equal(g.Lead, w.Lead) || !slices.Equal(g.Noise, w.Noise) || !slices.Equal(g.Pull, w.Pull) ||
				!slices.Equal(g.Alone, w.Alone) || !slices.Equal(g.Replies, w.Replies) || g.Gap != w.Gap ||
				g.Computed != w.Computed || g.Theory != w.Theory {
				t.Errorf("%s: lane %d, round %d: other measurements than without shards", what, lane, n)
				break
			}
		}
	}
}

// Bytes that are no request end in an error.
func FuzzShard(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{1, 3, 0, 0, 0, 'a', '=', 'b'}, []byte{1})
	f.Fuzz(func(t *testing.T, small, long []byte) {
		var s engine.Shard
		defer s.Close()
		s.Handle(engine.Incoming{Small: small, Long: bytes.NewReader(long)}, nil)
	})
}
