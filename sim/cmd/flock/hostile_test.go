//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// hostile makes messages that are no results of the cell that they are sent for.
type hostile struct {
	random  *rand.Rand
	records []string // of the sweep: one per cell
}

// next returns the record of some cell, and nonsense in its place.
func (h *hostile) next() (record, nonsense string) {
	i := h.random.IntN(len(h.records))
	r, other := h.records[i], h.records[(i+1+h.random.IntN(len(h.records)-1))%len(h.records)]
	switch h.random.IntN(14) {
	case 0:
		b := make([]byte, h.random.IntN(2000))
		for i := range b {
			b[i] = byte(h.random.Uint32())
		}
		return r, string(b)
	case 1:
		return r, ""
	case 2:
		return r, r[:h.random.IntN(len(r)-1)]
	case 3: // of another cell: out of order
		return r, other
	case 4:
		return r, r + r
	case 5:
		return r, strings.Replace(r, `"ari":`, `"ari":7,"was":`, 1)
	case 6:
		return r, strings.Replace(r, `"loss":`, `"loss":-1e308,"was":`, 1)
	case 7:
		return r, strings.Replace(r, `"lane":"ifca"`, `"lane":"fedavg"`, 1)
	case 8:
		return r, r[:strings.Index(r, `"fingerprint"`)] + `"fingerprint":"0000-0000"` + r[strings.Index(r, `,"lanes"`):]
	case 9:
		return r, []string{"null", "[]", "{}", "7", `"x"`, `{"cell":5}`, `{"cell":null,"lanes":{}}`}[h.random.IntN(7)]
	case 10:
		return r, strings.Repeat("[", 1+h.random.IntN(100_000))
	case 11: // as large as a server takes
		return r, `{"cell":"` + strings.Repeat("x", 900_000-h.random.IntN(1000)) + `"}`
	case 12:
		return r, strings.Replace(r, `"lanes":[`, `"lanes":[{},`, 1)
	}
	return r, strings.Replace(r, `"version":`, `"version":1`, 1)
}

// Whatever is sent in place of results and of cells, with the server killed and workers
// killed meanwhile: the sweep ends, with the same bytes as one that nobody disturbs.
func TestHostileMessages(t *testing.T) {
	args, messages := sweepOf, 300
	if !testing.Short() {
		args, messages = larger, 5000
	}
	want := quiet(t, args())
	h := &hostile{rand.New(rand.NewPCG(13, 5000)), slices.Collect(strings.Lines(want))}
	dir := t.TempDir()
	srv := natsServer(t, dir, 0, nil)
	url, port := srv.ClientURL(), srv.Addr().(*net.TCPAddr).Port
	conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond),
		nats.ReconnectBufSize(-1))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var token string
	send := func(n int) {
		t.Helper()
		for range n {
			record, nonsense := h.next()
			r, err := plan.ParseRecord([]byte(strings.TrimSpace(record)))
			if err != nil {
				t.Fatal(err)
			}
			subject := fmt.Sprintf("flock.%d.results.%s.%s", version.Engine, token, r.Cell)
			switch h.random.IntN(10) {
			case 0: // in place of a cell
				subject = fmt.Sprintf("flock.%d.cells.none.%s.%s", version.Engine, token, r.Cell)
			case 1: // for no cell
				subject = fmt.Sprintf("flock.%d.results.%s.%d", version.Engine, token, h.random.IntN(100))
			}
			conn.Publish(subject, []byte(nonsense)) // fails while the server is away
		}
		conn.FlushTimeout(time.Minute)
	}
	name := filepath.Join(t.TempDir(), "a.flock")
	first := start(args("-nats", url, "-o", name, "-redeliver", "2s")...)
	js := jetStream(t, url)
	waitForQueue(t, js, uint64(len(h.records)))

	stream, err := js.Stream(context.Background(), cellsStream)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stream.GetMsg(context.Background(), stream.CachedInfo().State.FirstSeq)
	if err != nil {
		t.Fatal(err)
	}
	token = strings.Split(m.Subject, ".")[4]
	send(messages / 2)
	// Nonsense in the queue from before the sweep, too: the sweep begins anew.
	first.stop()
	first.done(t, exitStopped)
	if err := stream.Purge(context.Background()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		send(messages / 100)
	}
	sweep := start(args("-nats", url, "-o", name, "-redeliver", "2s")...)
	var workers []*exec.Cmd
	for range 3 {
		w := program(t, "work", "-nats", url, "-workers", "1")
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		defer w.Process.Kill()
		workers = append(workers, w)
	}
	all := uint64(len(h.records))
	waitForResults(t, js, all/4)
	send(messages / 10)
	workers[0].Process.Signal(syscall.SIGKILL)
	workers[0].Wait()
	waitForResults(t, js, all/2)
	if !testing.Short() { // it takes some seconds until all have noticed
		srv.Shutdown()
		srv.WaitForShutdown()
		natsServer(t, dir, port, nil)
	}
	send(messages / 10)
	waitForResults(t, js, all*3/4)
	workers[1].Process.Signal(syscall.SIGKILL)
	workers[1].Wait()
	send(messages / 10)
	sweep.done(t, 0)
	if exported(t, name) != want {
		t.Error("the results are others")
	}
	// Results that were there may have been replaced since: who collects them sees that.
	send(messages / 20)
	again := start(args("-nats", url, "-jsonl", "-redeliver", "2s")...)
	again.done(t, 0)
	if again.out.String() != want {
		t.Error("collected again, the results are others")
	}
	again.errs.wait(t, "it is set aside in FLOCK_REJECTED_")
	workers[2].Process.Signal(syscall.SIGTERM)
	if code := exitCode(t, workers[2].Wait()); code != exitStopped {
		t.Errorf("a worker that is told to stop ends with %d", code)
	}
}

// A result that could be, but is not, in place of one that is kept does not stop the sweep:
// the run, played again, tells which of the two is right.
func TestForgedResult(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	name := filepath.Join(t.TempDir(), "a.flock")
	worker := start("work", "-nats", url)
	first := start(sweepOf("-nats", url, "-o", name)...)
	first.done(t, 0)
	worker.stop()
	worker.done(t, exitStopped)
	want := exported(t, name)
	js := jetStream(t, url)

	stream, err := js.Stream(context.Background(), resultsStream)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stream.GetMsg(context.Background(), stream.CachedInfo().State.FirstSeq)
	if err != nil {
		t.Fatal(err)
	}
	forged := regexp.MustCompile(`"loss":[0-9.]+`).ReplaceAllString(string(m.Data), `"loss":0.001`)
	if _, err := js.Publish(context.Background(), m.Subject, []byte(forged)); err != nil {
		t.Fatal(err)
	}
	second := start(sweepOf("-nats", url, "-o", name)...)
	second.done(t, 0)
	second.errs.wait(t, "a message with a record contradicts the result that is kept")
	if exported(t, name) != want {
		t.Error("the results are others")
	}
}

// What is printed of an address to listen at has no password that the user gave.
func TestListenPassword(t *testing.T) {
	for _, text := range []string{"ann:s3cret@nowhere", "ann:s3,cret@nowhere", "ann:s3@cret@nowhere"} {
		if _, errs := says(t, exitInput, sweepOf("-workers", "1", "-listen", text)...); strings.Contains(errs, "s3") {
			t.Errorf("it says %q", errs)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, errs := says(t, exitFailed, sweepOf("-workers", "1", "-listen", "ann:s3cret@"+taken.Addr().String())...)
	if !strings.Contains(errs, taken.Addr().String()) || !strings.Contains(errs, "in use") || strings.Contains(errs, "s3cret") {
		t.Errorf("at a port that is taken it says %q", errs)
	}
	// The sweep itself, and a worker with what it prints.
	name := filepath.Join(t.TempDir(), "a.flock")
	sweep := start(sweepOf("-workers", "1", "-listen", "0.0.0.0:0", "-o", name)...)
	sweep.errs.wait(t, "others may join: flock work -nats nats://flock:")
	sweep.done(t, 0)
	if exported(t, name) != quiet(t, sweepOf()) {
		t.Error("the results are others")
	}
}

// What is told of messages holds nothing that a terminal obeys, whatever they are called.
func TestHostileSubjects(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	js := jetStream(t, url)
	sweep := start(sweepOf("-nats", url, "-jsonl")...)
	waitForQueue(t, js, 64)
	for _, where := range []string{"results." + sweepTokenOf(t), "cells.none.x"} {
		subject := fmt.Sprintf("flock.%d.%s.\x1b[2J\a", version.Engine, where)
		if _, err := js.Publish(context.Background(), subject, []byte("{\"cell\":\"\x1b[31m\"}")); err != nil {
			t.Fatal(err)
		}
	}
	worker := start("work", "-nats", url)
	sweep.done(t, 0)
	worker.errs.wait(t, "it is removed")
	worker.stop()
	worker.done(t, exitStopped)
	for _, r := range []*running{sweep, worker} {
		if said := r.errs.text.String(); strings.ContainsAny(said, "\x1b\a") || !strings.Contains(said, `\x1b[2J\a`) {
			t.Errorf("it says %q", said)
		}
	}
}
