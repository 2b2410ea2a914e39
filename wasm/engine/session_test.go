package engine

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strings"
	"sync"
	"testing"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/wasm/engine/reader"
)

// fakeHost collects what is posted and yields after every round.
type fakeHost struct {
	mu     sync.Mutex
	posted [][]byte
	news   chan struct{}
	round  func() // called at every yield

	silent bool // Yield never asks for a post
}

func (h *fakeHost) Post(message []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.posted = append(h.posted, append([]byte(nil), message...))
	select {
	case h.news <- struct{}{}:
	default:
	}
}

func (h *fakeHost) Yield() bool {
	if h.round != nil {
		h.round()
	}
	return !h.silent
}

func (h *fakeHost) Shards(int, []wire.NamedFile) engine.Shards { return nil }

// await returns everything posted once a record of the kind about the run is there.
func (h *fakeHost) await(t *testing.T, run uint32, want wire.Kind) (payload []byte, counts map[wire.Kind]int) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		h.mu.Lock()
		counts = map[wire.Kind]int{}
		found := false
		for _, message := range h.posted {
			id, records, err := wire.Open(message)
			if err != nil {
				t.Fatal(err)
			}
			for kind, p := range records {
				if id == run {
					counts[kind]++
					if kind == want {
						payload, found = p, true
					}
				}
			}
		}
		h.mu.Unlock()
		if found {
			return payload, counts
		}
		select {
		case <-h.news:
		case <-deadline:
			t.Fatalf("no record %d of run %d came; got %v", want, run, counts)
		}
	}
}

func send(receive func([]byte), run uint32, kind wire.Kind, text string) {
	var m wire.Message
	m.Reset(run)
	m.Text(kind, text)
	receive(m.Bytes())
}

func sendFile(receive func([]byte), run uint32, text string) {
	var m wire.Message
	m.Reset(run)
	m.File("rows.csv", []byte(text))
	receive(m.Bytes())
}

// TestPackedResults: results that are compressed come back as text, damaged ones as far as they can be read and with a
// line that says so. They replace no files.
func TestPackedResults(t *testing.T) {
	const text = "\ufeff{\"cell\":\"a\"}\n{\"cell\":\"b\"}\n"
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	for _, tt := range []struct {
		data []byte
		want string
	}{
		{b.Bytes(), text},
		{b.Bytes()[:b.Len()-8], text + "\nunexpected EOF"},
	} {
		h := &fakeHost{news: make(chan struct{}, 1)}
		receive := Serve(h, reader.Reader{})
		var m wire.Message
		m.Reset(1)
		m.File("results.jsonl.gz", tt.data)
		receive(m.Bytes())
		payload, counts := h.await(t, 1, wire.Unpacked)
		if string(payload) != tt.want || counts[wire.Accepted]+counts[wire.Refused] > 0 {
			t.Errorf("the answer is %q, with %v; want %q", payload, counts, tt.want)
		}
	}
}

func TestRunStreams(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	send(receive, 3, wire.Run, "data=linreg&T=20&algos=cflgp,ifca")
	_, counts := h.await(t, 3, wire.Done)
	if counts[wire.Begin] != 1 || counts[wire.Frame] != 2*21 || counts[wire.End] != 2 {
		t.Errorf("got %d headers, %d frames, %d summaries, want 1, 42, 2", counts[wire.Begin], counts[wire.Frame],
			counts[wire.End])
	}
	if len(h.posted) < 20 {
		t.Errorf("got %d messages, want one a round", len(h.posted))
	}
}

// TestCounts: progress is posted within slow rounds, and never within others.
func TestCounts(t *testing.T) {
	defer func(was time.Duration) { countAfter = was }(countAfter)
	countAfter = 0
	for _, tt := range []struct {
		query string
		some  bool
	}{{"data=digits&C=24&T=2&b=10&algos=fedavg", true}, {"data=linreg&C=24&T=20&algos=fedavg", false}} {
		h := &fakeHost{news: make(chan struct{}, 1)}
		send(Serve(h, reader.Reader{}), 3, wire.Run, tt.query)
		payload, counts := h.await(t, 3, wire.Done)
		if tt.some {
			payload, counts = h.await(t, 3, wire.Count)
		}
		if (counts[wire.Count] > 0) != tt.some || tt.some &&
			(len(payload) != 5 || payload[0] != 0 || binary.LittleEndian.Uint32(payload[1:]) > 24) {
			t.Errorf("%s: %d counts, such as % x", tt.query, counts[wire.Count], payload)
		}
	}
}

func TestNewestRunWins(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	rounds := 0
	h.round = func() {
		if rounds++; rounds == 5 {
			send(receive, 2, wire.Run, "data=linreg&T=10&algos=fedavg")
		}
	}
	send(receive, 1, wire.Run, "data=linreg&T=5000&algos=fedavg")
	h.await(t, 2, wire.Done)
	if _, counts := h.await(t, 1, wire.Begin); counts[wire.Done] != 0 || counts[wire.Frame] > 10 {
		t.Errorf("the first run went on: %v", counts)
	}
}

func TestFiles(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	send(receive, 1, wire.Run, "data=csv&algos=fedavg")
	if text, _ := h.await(t, 1, wire.Refused); !strings.Contains(string(text), "client,x,y") {
		t.Errorf("without a file: %q", text)
	}
	sendFile(receive, 2, "a,1,2\na,2,3\nb,1,x\n")
	if text, _ := h.await(t, 2, wire.Refused); !strings.HasPrefix(say.Text(say.Message(text)), "rows.csv: line 3") {
		t.Errorf("a broken file: %q", text)
	}
	sendFile(receive, 3, "a,1,2\na,2,3\nb,1,2\nc,1,1\n")
	if text, _ := h.await(t, 3, wire.Accepted); say.Text(say.Message(text)) != "csv 4 rows of 3 clients, groups unknown" {
		t.Errorf("a good file: %q", text)
	}
	send(receive, 4, wire.Run, "data=csv&K=2&algos=fedavg,ifca")
	payload, _ := h.await(t, 4, wire.Begin)
	header, err := trace.DecodeHeader(payload)
	if err != nil {
		t.Fatal(err)
	}
	if header.Clients != 3 || header.HasTruth() {
		t.Errorf("header: %d clients, truth %v, want 3, false", header.Clients, header.HasTruth())
	}
	h.await(t, 4, wire.Done)
	send(receive, 5, wire.Run, "data=csv&K=9&algos=ifca")
	if text, _ := h.await(t, 5, wire.Refused); !strings.Contains(string(text), "K") {
		t.Errorf("K above the file's clients: %q", text)
	}
}

// TestNoReader: a program without a reader refuses files, and goes on.
func TestNoReader(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, nil)
	sendFile(receive, 1, "a,1,2\na,2,3\nb,1,2\nc,1,1\n")
	if text, _ := h.await(t, 1, wire.Refused); !strings.Contains(string(text), "reads no files") {
		t.Errorf("refused by %q", text)
	}
	send(receive, 2, wire.Run, "data=linreg&T=2&algos=fedavg")
	h.await(t, 2, wire.Done)
}

// TestRoles: an engine says what the columns of a table are, and takes other roles.
func TestRoles(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	rows := "site,a,b,species\n" + strings.Repeat("s1,1,2,x\ns2,2,3,y\ns1,,3,x\ns2,5,1,y\n", 5)
	for i, tt := range []struct{ roles, settings, words string }{
		{"", "samples&split=writers&C=2&K=2&shift=none&avg=model&tau=10&lr=0.5 ", "15 samples of 2 numbers in 2 classes by 2 writers. 5 rows with missing values are ignored. Defaults that fit this file: K=2, avg=model, tau=10, lr=0.5"},
		{"cols=site:ignore&na=mean&kept=1", "samples&C=10&K=4&shift=none&cols=site:ignore&na=mean ", "20 samples of 2 numbers in 2 classes. 5 missing values are filled by the means of their columns. Defaults that fit this file: C=10"},
		{"cols=species:ignore,b:number", "samples&split=writers&C=2&K=2&shift=none&net=linear&cols=species:ignore,b:number&avg=model&tau=10&lr=0.2 ", ""},
		{"cols=species:ignore", "", ""},
	} {
		var m wire.Message
		m.Reset(uint32(i + 1))
		m.File("rows.csv", []byte(rows))
		m.Text(wire.Roles, tt.roles)
		receive(m.Bytes())
		columns, _ := h.await(t, uint32(i+1), wire.Columns)
		if lines := strings.Split(string(columns), "\n"); len(lines) != 4 ||
			!strings.HasPrefix(say.Text(lines[0]), "1\t1\tsite\tsite\tcategory\t2 values\t0\ts1, s2\t") {
			t.Errorf("%s: the columns are %q", tt.roles, lines)
		}
		if tt.settings == "" {
			if text, _ := h.await(t, uint32(i+1), wire.Refused); !strings.Contains(say.Text(say.Message(text)), "cols=4:label") &&
				!strings.Contains(string(text), "tells what to predict") {
				t.Errorf("%s: refused by %q", tt.roles, text)
			}
			continue
		}
		text, _ := h.await(t, uint32(i+1), wire.Accepted)
		if !strings.HasPrefix(say.Text(say.Message(text)), tt.settings+tt.words) {
			t.Errorf("%s: %q, want %q", tt.roles, text, tt.settings+tt.words)
		}
	}
}

// TestTry plays a run whose end alone is wanted: it is that of the run that
// streams, and a file is read where the run needs one.
func TestTry(t *testing.T) {
	const query = "data=linreg&T=20&algos=cflgp,ifca"
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	send(receive, 1, wire.Measure, query)
	payload, counts := h.await(t, 1, wire.Measured)
	if len(h.posted) != 1 || counts[wire.Frame] != 0 {
		t.Errorf("got %d messages and %v, want one record", len(h.posted), counts)
	}
	run, err := plan.ParseRecord(payload)
	if err != nil || len(run.Lanes) != 2 {
		t.Fatalf("got %+v, %v, want a run of two lanes", run, err)
	}
	send(receive, 2, wire.Run, query)
	payload, _ = h.await(t, 2, wire.End)
	s, err := trace.DecodeSummary(payload[1:])
	if err != nil {
		t.Fatal(err)
	}
	if o := run.Run().Lanes[payload[0]]; o.Fingerprint != s.Fingerprint || o.ARI != s.ARI || o.Settled != s.Settled {
		t.Errorf("tried, a lane ends as %+v, run it ends as %+v", o, s)
	}
	send(receive, 3, wire.Measure, "data=csv&algos=fedavg")
	if text, _ := h.await(t, 3, wire.Refused); !strings.Contains(string(text), "client,x,y") {
		t.Errorf("without a file: %q", text)
	}
	sendFile(receive, 4, "a,1,2\na,2,3\nb,1,2\nc,1,1\n")
	h.await(t, 4, wire.Accepted)
	send(receive, 5, wire.Measure, "data=csv&K=2&algos=fedavg,ifca")
	h.await(t, 5, wire.Measured)
}

// A newer job ends the one under way, which then says nothing.
func TestNewestTryWins(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	rounds := 0
	h.round = func() {
		if rounds++; rounds == 5 {
			send(receive, 2, wire.Measure, "data=linreg&T=10&algos=fedavg")
		}
	}
	send(receive, 1, wire.Measure, "data=linreg&T=5000&algos=fedavg")
	if _, counts := h.await(t, 2, wire.Measured); len(counts) != 1 || len(h.posted) != 1 {
		t.Errorf("the first job went on: %d messages", len(h.posted))
	}
}

// TestLookedAtRoundComesFirst plays a run whose host never asks for a post: only the round that the page
// shows is posted before its end.
func TestLookedAtRoundComesFirst(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1), silent: true}
	receive := Serve(h, reader.Reader{})
	var m wire.Message
	m.Reset(1)
	m.Record(wire.ShownRound, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(dst, 7) })
	m.Text(wire.Run, "data=linreg&T=50&algos=cflgp,ifca")
	receive(m.Bytes())
	h.await(t, 1, wire.Done)
	if len(h.posted) != 2 {
		t.Fatalf("got %d messages, want 2", len(h.posted))
	}
	_, records, err := wire.Open(h.posted[0])
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	for kind := range records {
		if kind == wire.Frame {
			frames++
		}
	}
	if want := 2 * 8; frames != want {
		t.Errorf("the first message has %d frames, want %d: rounds 0 to 7 of two lanes", frames, want)
	}
}

// TestHold: a run waits while the page is out of sight, and ends as it would have.
func TestHold(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	hold := func(on byte) {
		var m wire.Message
		m.Reset(0)
		m.Record(wire.Pause, func(dst []byte) []byte { return append(dst, on) })
		receive(m.Bytes())
	}
	held := make(chan struct{})
	rounds := 0
	h.round = func() {
		if rounds++; rounds == 5 {
			hold(1)
			close(held)
		}
	}
	send(receive, 1, wire.Run, "data=linreg&T=20&algos=fedavg")
	<-held
	h.await(t, 1, wire.Begin)
	hold(1) // twice is once
	hold(0)
	if _, counts := h.await(t, 1, wire.Done); counts[wire.Frame] != 21 {
		t.Errorf("a run that was held has %d frames, want 21", counts[wire.Frame])
	}

	// One that is not wanted any more does not wait for ever.
	rounds, held = 0, make(chan struct{})
	send(receive, 2, wire.Run, "data=linreg&T=20&algos=fedavg")
	<-held
	h.mu.Lock()
	h.posted = nil
	h.mu.Unlock()
	h.round = nil
	send(receive, 3, wire.Run, "data=linreg&T=1&algos=fedavg")
	h.await(t, 3, wire.Begin)
	hold(0)
	if _, counts := h.await(t, 3, wire.Done); counts[wire.Frame] != 2 {
		t.Errorf("the run after it has %d frames, want 2", counts[wire.Frame])
	}
}

// A refused setting is named, with what it expects.
func TestRefusedSetting(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, nil)
	var m wire.Message
	m.Reset(3)
	m.Text(wire.Run, "data=digits&net=own&layers=conv16-pool2-pool40")
	receive(m.Bytes())
	got, _ := h.await(t, 3, wire.RefusedSetting)
	key, why, _ := strings.Cut(string(got), " ")
	if want := "Expected: layers that fit together (layer 3, pool40: a"; key != "layers" || !strings.HasPrefix(say.Message(why).String(), want) {
		t.Errorf("of %q it says %q, want %q …", key, say.Message(why), want)
	}
	h.await(t, 3, wire.Refused)
}
