//go:build !js

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"flockscope/sim/lab/datafiles"
	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "work", args: "-nats URL", run: work,
	doc: "compute cells of sweeps that NATS servers share out; -workers N, -idle TIME, -data FILE",
})

// work computes cells of sweeps until it is told to stop.
func work(ctx context.Context, args []string, _, errs io.Writer) error {
	fs := newFlags("work")
	var flags natsFlags
	flags.add(fs)
	workers := fs.Int("workers", min(runtime.NumCPU(), maxWorkers), "runs at a time")
	idle := fs.Duration("idle", 0, "end when there has been nothing to do for so long; 0 waits for ever")
	var files paths
	fs.Var(&files, "data", "the files of samples, of a sweep that is about files")
	if err := fs.Parse(args); err != nil {
		return badInput(err)
	}
	if flags.url == "" || fs.NArg() > 0 {
		return badInput(errors.New("say where the NATS servers are, such as flock work -nats nats://127.0.0.1:4222"))
	}
	if *workers < 1 || *workers > maxWorkers {
		return badInput(fmt.Errorf("-workers: got %d, want a whole number from 1 to %d", *workers, maxWorkers))
	}
	w := &worker{workers: *workers, idle: *idle, build: version.Text("flock"), errs: &lockedWriter{w: errs}}
	var err error
	if len(files) > 0 {
		if w.data, err = datafiles.Hash(files); err == nil {
			w.file, err = datafiles.Open(files)
		}
		if err != nil {
			return badInput(err)
		}
	}
	conn, err := flags.connect(w.errs)
	if err != nil {
		return err
	}
	defer conn.Close()
	if w.js, err = openJetStream(ctx, conn); err != nil {
		return err
	}
	fmt.Fprintf(w.errs, "flock: working for %s, %s at a time\n", conn.ConnectedUrlRedacted(), say.Amount(w.workers, "run"))
	err = w.run(ctx)
	fmt.Fprintf(w.errs, "flock: computed %s\n", say.Amount(int(w.computed.Load()), "cell"))
	conn.FlushTimeout(5 * time.Second)
	return err
}

// worker computes cells of one queue.
type worker struct {
	js       jetstream.JetStream
	workers  int
	idle     time.Duration
	file     *workload.File
	data     string // a hash of the file; "" for none
	build    string
	errs     io.Writer
	computed atomic.Int64
	odd      sayings      // about messages that are neither cells nor records
	last     atomic.Int64 // when there was something to do, in nanoseconds
}

// run computes cells until ctx is done, or nothing has come for as long as idle says.
func (w *worker) run(ctx context.Context) error {
	w.last.Store(time.Now().UnixNano())
	queue, err := w.queue(ctx)
	if err != nil || queue == nil {
		return err
	}
	// Twice as many messages as runs, so that no run waits for the network.
	runs := make(chan struct{}, w.workers)
	var busy sync.WaitGroup
	for range 2 * w.workers {
		busy.Go(func() {
			for ctx.Err() == nil && !w.bored() {
				waiting, enough := context.WithTimeout(ctx, w.wait())
				m, err := queue.Next(jetstream.FetchContext(waiting))
				enough()
				if err == nil {
					w.last.Store(time.Now().UnixNano())
					w.take(ctx, m, runs, queue.CachedInfo().Config.AckWait)
					w.last.Store(time.Now().UnixNano())
				} else if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) &&
					!errors.Is(err, context.DeadlineExceeded) {
					select { // the server is gone, or is being made anew
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

// wait is how long to wait for a cell before looking whether to go on.
func (w *worker) wait() time.Duration {
	if w.idle > 0 {
		return min(max(w.idle/4, time.Second), 2*time.Second)
	}
	return 2 * time.Second
}

func (w *worker) bored() bool {
	return w.idle > 0 && time.Since(time.Unix(0, w.last.Load())) > w.idle
}

// queue waits until somebody has submitted cells for such a worker.
func (w *worker) queue(ctx context.Context) (jetstream.Consumer, error) {
	cells, _ := streamNames(version.Engine)
	said := false
	for ctx.Err() == nil && !w.bored() {
		queue, err := w.js.Consumer(ctx, cells, queueConfig(w.data, time.Second).Durable)
		switch {
		case err == nil:
			return queue, nil
		case !said:
			said = true
			fmt.Fprintf(w.errs, "flock: waiting for a sweep of version %d of the engine%s%s\n", version.Engine,
				w.about(), w.others(ctx))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return nil, ctx.Err()
}

// about says which sweeps a worker is for, where it is not for all.
func (w *worker) about() string {
	if w.data == "" {
		return ""
	}
	return " about these files"
}

// others says which other versions have sweeps here.
func (w *worker) others(ctx context.Context) string {
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

// mostDeliveries is how often a cell is given to workers, none of which brings a record,
// before it counts as failed: workers that are stopped count as well as those that die.
const mostDeliveries = 20

// take computes the cell of a message, unless somebody has, and sends its record; only
// then does the cell leave the queue.
func (w *worker) take(ctx context.Context, m jetstream.Msg, runs chan struct{}, redeliver time.Duration) {
	stop := heartbeat(m, max(redeliver/3, 100*time.Millisecond)) // somebody else may have made the queue
	defer stop()
	var t task
	if err := json.Unmarshal(m.Data(), &t); err != nil || t.Version != version.Engine ||
		t.cellSubject() != m.Subject() {
		w.noCell(m)
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
	if err := t.Read(parseQuery); err != nil {
		r = t.Failed(err.Error())
	} else if deliveries > mostDeliveries {
		r = t.Failed(fmt.Sprintf("%d workers in a row brought no result; it may need more memory than they have",
			mostDeliveries))
	} else {
		select {
		case runs <- struct{}{}:
		case <-ctx.Done():
			m.Nak()
			return
		}
		var ended bool
		r, ended = computeCell(ctx, &t.Cell, w.file, w.build)
		<-runs
		if !ended {
			m.Nak() // for another worker, at once
			return
		}
	}
	if r.Error != "" && !isCell(&r) {
		w.noCell(m)
		return
	}
	if w.send(ctx, &t, &r) {
		w.computed.Add(1)
		m.Ack()
	}
}

// noCell removes a message from the queue that is no cell.
func (w *worker) noCell(m jetstream.Msg) {
	w.odd.say(w.errs, "a message is no cell; it is removed: %s", printable(m.Subject()))
	m.Term()
}

// isCell reports whether a record is one of the cell that it names.
func isCell(r *plan.Record) bool {
	data, err := r.AppendJSON(nil)
	if err == nil {
		_, err = plan.ParseRecord(data)
	}
	return err == nil
}

// heartbeat tells the server that a cell is being computed until stop is called.
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

// has reports whether the stream has the record of a cell. What has its place without being
// it is set aside.
func (w *worker) has(ctx context.Context, t *task) (bool, error) {
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
	w.odd.say(w.errs, "a message with a record %.300v; it is set aside: %s", err, printable(m.Subject))
	return false, setAside(ctx, w.js, m.Subject, m.Data, m.Sequence, err)
}

// send puts a record into the stream, as soon as there is a server, and reports whether
// it is there, from whomever.
func (w *worker) send(ctx context.Context, t *task, r *plan.Record) (sent bool) {
	data, err := r.AppendJSON(nil)
	if err != nil {
		return false
	}
	untilDone(ctx, func() error {
		// A worker that is told to stop still hands in what it has computed.
		ctx := context.WithoutCancel(ctx)
		for try := 0; ; try++ {
			_, err := w.js.Publish(ctx, t.resultSubject(), data, jetstream.WithExpectLastSequencePerSubject(0))
			var refused *jetstream.APIError
			taken := errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
				refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
			if taken { // another worker was faster, or somebody sends nonsense
				sent, err = w.has(ctx, t)
			} else {
				sent = err == nil
			}
			if sent || err != nil || try == mostReplaced {
				return err
			}
		}
	})
	return sent
}

// mostReplaced is how often a worker makes room for a record before it lets go of the cell,
// which then comes again.
const mostReplaced = 100

// lockedWriter lets several goroutines write.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
