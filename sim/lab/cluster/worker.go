//go:build !js

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

// Worker computes cells that NATS servers distribute.
type Worker struct {
	Workers int            // concurrent runs
	Idle    time.Duration  // time without a cell after which the worker ends; 0 waits forever
	File    *workload.File // samples, for sweeps about files
	Data    string         // hash of the samples; "" for none
	Log     *Log

	js          jetstream.JetStream
	build       string // build of the program
	computed    atomic.Int64
	rejectedLog limitedLog   // log of messages that are neither cells nor records
	last        atomic.Int64 // time of the last cell, in nanoseconds
}

// Work computes cells of the servers' queue until ctx is done, or until no cell has arrived for the time Idle.
func (w *Worker) Work(ctx context.Context, servers *Servers) error {
	conn, err := servers.connect(w.Log)
	if err != nil {
		return err
	}
	defer conn.Close()
	if w.js, err = openJetStream(ctx, conn); err != nil {
		return err
	}
	w.build = version.Text("flock")
	w.Log.Printf("working for %s, %s at a time", conn.ConnectedUrlRedacted(), say.Amount(w.Workers, "run"))
	err = w.run(ctx)
	w.Log.Printf("computed %s", say.Amount(int(w.computed.Load()), "cell"))
	conn.FlushTimeout(5 * time.Second)
	return err
}

// run is Work with a connection to a queue.
func (w *Worker) run(ctx context.Context) error {
	w.last.Store(time.Now().UnixNano())
	queue, err := w.queue(ctx)
	if err != nil || queue == nil {
		return err
	}
	// Twice as many messages as runs, so that no run waits for the network.
	runs := make(chan struct{}, w.Workers)
	var busy sync.WaitGroup
	for range 2 * w.Workers {
		busy.Go(func() {
			for ctx.Err() == nil && !w.isIdle() {
				waiting, enough := context.WithTimeout(ctx, w.wait())
				m, err := queue.Next(jetstream.FetchContext(waiting))
				enough()
				if err == nil {
					w.last.Store(time.Now().UnixNano())
					w.compute(ctx, m, runs, queue.CachedInfo().Config.AckWait)
					w.last.Store(time.Now().UnixNano())
				} else if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) &&
					!errors.Is(err, context.DeadlineExceeded) {
					select { // the server is gone or is being replaced
					case <-ctx.Done():
					case <-time.After(time.Second):
					}
				}
			}
		})
	}
	busy.Wait()
	return ctx.Err()
}

// wait returns how long to wait for a cell before checking whether to continue.
func (w *Worker) wait() time.Duration {
	if w.Idle > 0 {
		return min(max(w.Idle/4, time.Second), 2*time.Second)
	}
	return 2 * time.Second
}

func (w *Worker) isIdle() bool {
	return w.Idle > 0 && time.Since(time.Unix(0, w.last.Load())) > w.Idle
}

// queue waits until somebody has submitted cells for workers with the same samples.
func (w *Worker) queue(ctx context.Context) (jetstream.Consumer, error) {
	cells, _ := streamNames(version.Engine)
	logged := false
	for ctx.Err() == nil && !w.isIdle() {
		queue, err := w.js.Consumer(ctx, cells, queueConfig(w.Data, time.Second).Durable)
		switch {
		case err == nil:
			return queue, nil
		case !logged:
			logged = true
			w.Log.Printf("waiting for a sweep of version %d of the engine%s%s", version.Engine, w.about(), w.others(ctx))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return nil, ctx.Err()
}

// about describes the sweeps that a worker serves, "" for all.
func (w *Worker) about() string {
	if w.Data == "" {
		return ""
	}
	return " about these files"
}

// others lists the other engine versions with sweeps on the server.
func (w *Worker) others(ctx context.Context) string {
	var versions []string
	names := w.js.StreamNames(ctx)
	for name := range names.Name() {
		if v, ok := strings.CutPrefix(name, cellsStream); ok && v != fmt.Sprint(version.Engine) {
			versions = append(versions, v)
		}
	}
	if len(versions) == 0 {
		return ""
	}
	slices.Sort(versions)
	return "; here are sweeps of version " + strings.Join(versions, ", ") + ", for another flock"
}

// maxDeliveries is the number of times that a cell is delivered without a record before it counts as failed. Stopped
// workers count, too.
const maxDeliveries = 20

// compute computes the cell of a message, unless it has a record, and sends the record. The cell leaves the queue only
// after that.
func (w *Worker) compute(ctx context.Context, m jetstream.Msg, runs chan struct{}, redeliver time.Duration) {
	stop := heartbeat(m, max(redeliver/3, 100*time.Millisecond)) // another program may have created the queue
	defer stop()
	var t task
	if err := json.Unmarshal(m.Data(), &t); err != nil || t.Version != version.Engine ||
		t.cellSubject() != m.Subject() {
		w.discard(m)
		return
	}
	deliveries := uint64(1)
	if meta, err := m.Metadata(); err == nil {
		deliveries = meta.NumDelivered
	}
	if deliveries > 1 {
		if has, err := w.has(ctx, &t); has && err == nil {
			m.Ack()
			return
		}
	}
	var r plan.Record
	if err := t.Read(catalog.Schema().Parse); err != nil {
		r = t.Failed(err.Error())
	} else if deliveries > maxDeliveries {
		r = t.Failed(fmt.Sprintf("%d workers in a row brought no result; it may need more memory than they have",
			maxDeliveries))
	} else {
		select {
		case runs <- struct{}{}:
		case <-ctx.Done():
			m.Nak()
			return
		}
		var ended bool
		r, ended = computeCell(ctx, &t.Cell, w.File, w.build)
		<-runs
		if !ended {
			m.Nak() // make it available to another worker at once
			return
		}
	}
	if r.Error != "" && !isCell(&r) {
		w.discard(m)
		return
	}
	if w.send(ctx, &t, &r) {
		w.computed.Add(1)
		m.Ack()
	}
}

// discard removes a message from the queue that is not a cell.
func (w *Worker) discard(m jetstream.Msg) {
	w.rejectedLog.printf(w.Log, "a message is no cell; it is removed: %s", printable(m.Subject()))
	m.Term()
}

// isCell reports whether a record belongs to the cell that it names.
func isCell(r *plan.Record) bool {
	data, err := r.AppendJSON(nil)
	if err == nil {
		_, err = plan.ParseRecord(data)
	}
	return err == nil
}

// heartbeat tells the server that a cell is being computed, until the returned function is called.
func heartbeat(m jetstream.Msg, every time.Duration) (stop func()) {
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				m.InProgress()
			}
		}
	}()
	return func() { close(ended) }
}

// has reports whether the stream has the record of a cell. It sets aside any other message with the record's subject.
func (w *Worker) has(ctx context.Context, t *task) (bool, error) {
	_, records := streamNames(version.Engine)
	stream, err := w.js.Stream(ctx, records)
	if err != nil {
		return false, err
	}
	m, err := stream.GetLastMsgForSubject(ctx, t.resultSubject())
	if isGone(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = readResult(m.Subject, m.Data)
	if err == nil {
		return true, nil
	}
	w.rejectedLog.printf(w.Log, "a message with a record %.300v; it is set aside: %s", err, printable(m.Subject))
	return false, setAside(ctx, w.js, m.Subject, m.Data, m.Sequence, err)
}

// send puts a record into the stream, as soon as a server is reachable, and reports whether the stream has a record of
// this cell.
func (w *Worker) send(ctx context.Context, t *task, r *plan.Record) (sent bool) {
	data, err := r.AppendJSON(nil)
	if err != nil {
		return false
	}
	untilDone(ctx, func() error {
		// A worker that is told to stop still delivers its results.
		ctx := context.WithoutCancel(ctx)
		for try := 0; ; try++ {
			_, err := w.js.Publish(ctx, t.resultSubject(), data, jetstream.WithExpectLastSequencePerSubject(0))
			var refused *jetstream.APIError
			taken := errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
				refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
			if taken { // another worker was faster, or another program sent an invalid message
				sent, err = w.has(ctx, t)
			} else {
				sent = err == nil
			}
			if sent || err != nil || try == maxReplaced {
				return err
			}
		}
	})
	return sent
}

// maxReplaced is how many messages a worker sets aside to store its record before it gives up; the cell is then
// delivered again.
const maxReplaced = 100
