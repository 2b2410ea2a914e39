package engine

import (
	"encoding/binary"
	"math"
	"testing"
	"testing/synctest"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/wasm/engine/reader"
)

// slowRun has convolutional networks whose first evaluation takes long.
const slowRun = "data=shapes&net=resnet8&n=1200&C=2&exam=200&avg=gradient&b=1&probe=1&K=2&T=1&algos=fedavg,fedem,hcflplus"

func sendLimited(receive func([]byte), run uint32, limit float64, query string) {
	var m wire.Message
	m.Reset(run)
	m.Record(wire.Limit, func(dst []byte) []byte {
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(limit))
	})
	m.Text(wire.Run, query)
	receive(m.Bytes())
}

// TestStart: the first message of a run that begins slowly has the data and the start of each lane, without losses. The
// frames of round 0 follow, and no result changes.
func TestStart(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	send(receive, 1, wire.Run, slowRun)
	payload, counts := h.await(t, 1, wire.Start)
	if counts[wire.Begin] != 1 || counts[wire.Frame] > 0 {
		t.Errorf("with the start come %d headers and %d frames", counts[wire.Begin], counts[wire.Frame])
	}
	var f trace.Frame
	if rest, err := trace.DecodeFrame(&f, payload[1:]); err != nil || len(rest) > 0 {
		t.Fatal(err)
	}
	if f.Round != 0 || f.Clusters != 1 || !math.IsNaN(f.Loss) || !math.IsNaN(float64(f.Losses[1])) ||
		len(f.Confusion) != 2*10*10 {
		t.Errorf("the start is %+v", f)
	}
	_, counts = h.await(t, 1, wire.Frame)
	if counts[wire.Start] != 3 {
		t.Errorf("%d lanes have a start, want 3", counts[wire.Start])
	}
	h.await(t, 1, wire.Done)
	c, _ := catalog.Schema().Parse(slowRun)
	want, err := engine.Record(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range h.posted {
		_, records, _ := wire.Open(message)
		for kind, payload := range records {
			if kind != wire.End {
				continue
			}
			s, err := trace.DecodeSummary(payload[1:])
			if lane := payload[0]; err != nil || s.Fingerprint != want.Tracks[lane].Summary.Fingerprint {
				t.Errorf("lane %d: with a start it has another fingerprint (%v)", lane, err)
			}
		}
	}
	send(receive, 2, wire.Run, "data=digits&T=1&C=4&net=softmax&algos=fedavg")
	if _, counts := h.await(t, 2, wire.Done); counts[wire.Start] > 0 {
		t.Error("a short run has a start of its own")
	}
}

// TestLimit: of a run above the limit only the cost and the start are posted, whatever the models are.
func TestLimit(t *testing.T) {
	h := &fakeHost{news: make(chan struct{}, 1)}
	receive := Serve(h, reader.Reader{})
	for run, query := range []string{slowRun, "data=linreg&C=20&T=100&b=10&algos=fedavg"} {
		id := uint32(2*run + 1)
		sendLimited(receive, id, 100, query)
		payload, _ := h.await(t, id, wire.Cost)
		work := math.Float64frombits(binary.LittleEndian.Uint64(payload))
		memory := binary.LittleEndian.Uint64(payload[8:])
		if len(payload) != 16 || work < 20*100*10 || memory == 0 || memory > 1<<30 {
			t.Errorf("%s: %g multiply-adds and %d bytes", query, work, memory)
		}
		h.await(t, id, wire.Start)
		sendLimited(receive, id+1, 2*work, "data=linreg&C=20&T=1&b=10&algos=fedavg")
		h.await(t, id+1, wire.Done) // the runs before have ended
		if _, counts := h.await(t, id, wire.Start); counts[wire.Frame]+counts[wire.Done]+counts[wire.Refused] > 0 {
			t.Errorf("%s: posted %v", query, counts)
		}
	}
}

// TestPauseWithinRound: a paused run stops after the present client, in the middle of a round, and goes on.
func TestPauseWithinRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &fakeHost{news: make(chan struct{}, 1)}
		receive := Serve(h, reader.Reader{})
		pause := func(on byte) {
			var m wire.Message
			m.Reset(0)
			m.Record(wire.Pause, func(dst []byte) []byte { return append(dst, on) })
			receive(m.Bytes())
		}
		yields := 0
		h.round = func() {
			if yields++; yields == 2 {
				pause(1)
			}
		}
		send(receive, 1, wire.Run, "data=digits&C=40&n=400&T=1&b=4&exam=4&net=mlp&hidden=12&algos=fedavg")
		synctest.Wait()
		if yields != 2 {
			t.Errorf("the engine went on %d times after it was paused", yields-2)
		}
		for _, message := range h.posted {
			t.Errorf("it posted %d bytes", len(message))
		}
		pause(0)
		h.await(t, 1, wire.Done)
	})
}
