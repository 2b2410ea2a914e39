//go:build !js

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// Queue distributes cells to workers in other processes, by NATS servers.
type Queue struct {
	Servers   Servers
	Replicas  int           // number of servers that store each message: 1, 3 or 5
	Redeliver time.Duration // time after which a cell of an unresponsive worker goes to another
	Workers   int           // runs at a time in this process, with an embedded server; 0: the servers are elsewhere
	Listen    *Listener     // address of the embedded server; nil: no other process may join

	created     time.Time  // creation time of the stream of records being read
	rejectedLog limitedLog // log of messages that are not records
	consuming   jetstream.ConsumeContext
	collectors  sync.WaitGroup
}

// maxQueued is the maximum number of cells in the queue.
const maxQueued = 10_000

// submitters is the number of cells that are submitted concurrently: each waits for the server's reply.
const submitters = 8

// resubmitAfter is the time without a record after which all cells in flight are submitted again. This only affects cells
// that a server has lost.
const resubmitAfter = time.Minute

// run submits the cells of a sweep to the queue and stores the records that arrive.
func (q *Queue) run(ctx context.Context, s *Sweep) error {
	conn, closeAll, err := q.connect(ctx, s)
	if err != nil {
		return err
	}
	defer closeAll()
	js, err := openJetStream(ctx, conn)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	var helpers sync.WaitGroup
	defer q.collectors.Wait()
	defer helpers.Wait()
	defer stop(nil)
	again := make(chan struct{}, 1)
	conn.SetReconnectHandler(func(nc *nats.Conn) {
		s.Log.Printf("the NATS server is back: %s", nc.ConnectedUrlRedacted())
		select {
		case again <- struct{}{}:
		default:
		}
	})
	if err := q.prepareWithRetry(ctx, js, s); err != nil {
		return jetStreamError(err)
	}
	if q.Workers > 0 {
		w := &Worker{js: js, Workers: q.Workers, File: s.file, Data: s.plan.Data, build: s.build}
		helpers.Go(func() {
			if err := w.run(ctx); err != nil && ctx.Err() == nil {
				stop(err)
			}
		})
	}
	return q.feed(ctx, stop, js, s, again)
}

// feed submits the cells and waits until all records are stored. It resubmits the cells in flight after a value on the
// channel again, and if nothing has arrived for a while.
func (q *Queue) feed(ctx context.Context, stop context.CancelCauseFunc, js jetstream.JetStream, s *Sweep,
	again <-chan struct{}) error {
	var busy sync.WaitGroup
	for range submitters {
		busy.Go(func() {
			if err := q.submit(ctx, js, s); err != nil {
				stop(err)
			}
		})
	}
	submitted := make(chan struct{})
	go func() {
		busy.Wait()
		close(submitted)
	}()
	quiet := time.NewTicker(resubmitAfter)
	defer quiet.Stop()
	for all := submitted; ; {
		changed := s.changes()
		if all == nil && s.computing() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			busy.Wait()
			return context.Cause(ctx)
		case <-all:
			all = nil
			continue
		case <-changed:
			quiet.Reset(resubmitAfter)
			continue
		case <-again:
		case <-quiet.C:
		}
		if q.resubmit(ctx, js, s) {
			quiet.Reset(resubmitAfter)
		} else { // the server is gone or not ready yet
			quiet.Reset(time.Second)
		}
	}
}

// connect connects to the servers, or to one inside this process.
func (q *Queue) connect(ctx context.Context, s *Sweep) (conn *nats.Conn, closeAll func(), err error) {
	if q.Workers == 0 {
		conn, err = q.Servers.connect(s.Log)
		if err != nil {
			return nil, nil, err
		}
		return conn, conn.Close, nil
	}
	dir, err := os.MkdirTemp("", "flock-nats-")
	if err != nil {
		return nil, nil, err
	}
	srv, err := startServer(dir, q.Listen)
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	shutDown := func() {
		srv.Shutdown()
		srv.WaitForShutdown()
		os.RemoveAll(dir)
	}
	options := []nats.Option{nats.InProcessServer(srv)}
	if l := q.Listen; l != nil {
		s.Log.Printf("others may join: flock work -nats %s", l.address(srv.Addr().(*net.TCPAddr).Port))
		if l.generated {
			s.Log.Printf("whoever has this address may join; it travels without encryption, so across networks of " +
				"others use a NATS server with TLS (-nats)")
		}
		if l.user != nil {
			password, _ := l.user.Password()
			options = append(options, nats.UserInfo(l.user.Username(), password))
		}
	}
	if conn, err = q.Servers.connect(nil, options...); err != nil {
		shutDown()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); shutDown() }, nil
}

// maxRejectedBytes is the maximum size of all rejected messages that are kept, in bytes; the oldest are dropped.
const maxRejectedBytes = 16 << 20

// prepare creates the streams, and the queue for workers that have the files of the plan.
func (q *Queue) prepare(ctx context.Context, js jetstream.JetStream, s *Sweep) error {
	cells, records := streamNames(version.Engine)
	err := createStream(ctx, js, jetstream.StreamConfig{
		Name: cells, Subjects: []string{fmt.Sprintf("flock.%d.cells.>", version.Engine)},
		Retention:         jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, Replicas: q.Replicas,
		Description: "cells of sweeps that wait to be computed",
	})
	if err != nil {
		return err
	}
	err = createStream(ctx, js, jetstream.StreamConfig{
		Name: records, Subjects: []string{fmt.Sprintf("flock.%d.results.>", version.Engine)},
		MaxMsgsPerSubject: 1, Replicas: q.Replicas,
		Description: "results of sweeps, one per cell",
	})
	if err != nil {
		return err
	}
	err = createStream(ctx, js, jetstream.StreamConfig{
		Name: rejectedStream + strconv.Itoa(version.Engine), Subjects: []string{fmt.Sprintf("flock.%d.rejected.>", version.Engine)},
		MaxBytes: maxRejectedBytes, Replicas: q.Replicas,
		Description: "messages that are no results of sweeps, with the reason",
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateConsumer(ctx, cells, queueConfig(s.plan.Data, q.Redeliver))
	return err
}

// prepareWithRetry calls prepare and collect, and repeats them if the server does not answer in time: it may be busy or
// unreachable for a while.
func (q *Queue) prepareWithRetry(ctx context.Context, js jetstream.JetStream, s *Sweep) error {
	const tries = 10
	for try := 1; ; try++ {
		err := q.prepare(ctx, js, s)
		if err == nil {
			err = q.collect(ctx, js, s)
		}
		late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
		if !late || try == tries || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// collect stores the plan's records in the stream, waits until they are stored, and then continues with new records. It
// does nothing if the stream is being read already; a server that lost its files has a new stream.
func (q *Queue) collect(ctx context.Context, js jetstream.JetStream, s *Sweep) error {
	_, name := streamNames(version.Engine)
	stream, err := js.Stream(ctx, name)
	if err != nil || stream.CachedInfo().Created.Equal(q.created) {
		return err
	}
	if q.consuming != nil {
		q.consuming.Stop()
	}
	filter := fmt.Sprintf("flock.%d.results.%s.>", version.Engine, sweepToken(s.plan))
	consumer, err := js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}})
	if err != nil {
		return err
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return err
	}
	last := stream.CachedInfo().State.LastSeq // last of the earlier messages
	caughtUp := make(chan struct{})
	var once sync.Once
	if info.NumPending == 0 {
		once.Do(func() { close(caughtUp) })
	}
	var received atomic.Int64
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		received.Add(1)
		meta, err := m.Metadata()
		if err != nil {
			return
		}
		if meta.NumPending == 0 || meta.Sequence.Stream >= last {
			defer once.Do(func() { close(caughtUp) })
		}
		q.receive(ctx, js, s, m, meta.Sequence.Stream, meta.Sequence.Stream <= last)
	})
	if err != nil {
		return err
	}
	q.consuming, q.created = consuming, stream.CachedInfo().Created
	context.AfterFunc(ctx, consuming.Stop)
	q.collectors.Go(func() { <-consuming.Closed() })
	awaitAll(ctx, consumer, caughtUp, &received)
	s.awaitKept(ctx) // otherwise cells whose records are in transit would be submitted
	return nil
}

// receive stores the record of a message. old means that the message is from before the sweep.
func (q *Queue) receive(ctx context.Context, js jetstream.JetStream, s *Sweep, m jetstream.Msg, sequence uint64,
	old bool) {
	r, err := readResult(m.Subject(), m.Data())
	if err == nil {
		err = s.contradicts(ctx, &r)
	}
	if err != nil {
		q.reject(ctx, js, s, m, sequence, err)
		return
	}
	if s.Retry && r.Error != "" && old { // the cell is to be computed again
		_, name := streamNames(version.Engine)
		if stream, err := js.Stream(ctx, name); err == nil {
			stream.Purge(ctx, jetstream.WithPurgeSubject(m.Subject()))
		}
		return
	}
	if ctx.Err() == nil {
		s.keep(r)
	}
}

// awaitAll waits until a consumer has received all messages. The last message may be removed before it arrives, so it
// also asks the server.
func awaitAll(ctx context.Context, consumer jetstream.Consumer, caughtUp <-chan struct{}, received *atomic.Int64) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for before := int64(-1); ; {
		select {
		case <-caughtUp:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
			now := received.Load()
			info, err := consumer.Info(ctx)
			if err == nil && info.NumPending == 0 && now == before {
				return
			}
			before = now
		}
	}
}

// reject sets aside a message that is not a record, and submits its cell again if the sweep waits for it.
func (q *Queue) reject(ctx context.Context, js jetstream.JetStream, s *Sweep, m jetstream.Msg, sequence uint64,
	why error) {
	q.rejectedLog.printf(s.Log, "a message with a record %.300v; it is set aside in %s%d: %s", why, rejectedStream,
		version.Engine, printable(m.Subject()))
	subject := m.Subject()
	cell, waits := s.waitsFor(subject[strings.LastIndexByte(subject, '.')+1:])
	untilDone(ctx, func() error {
		if err := setAside(ctx, js, subject, m.Data(), sequence, why); err != nil {
			return err
		}
		if waits {
			return q.publish(ctx, js, s, &cell)
		}
		return nil
	})
}

// submit puts cells into the queue until there are no more cells.
func (q *Queue) submit(ctx context.Context, js jetstream.JetStream, s *Sweep) error {
	for {
		for {
			changed := s.changes()
			if s.computing() < maxQueued {
				break
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return nil
			}
		}
		cell, ok, err := s.next(ctx)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if !ok {
			return nil
		}
		if err := q.publish(ctx, js, s, &cell); err != nil {
			return err
		}
	}
}

// publish puts one cell into the queue, as soon as a server is reachable.
func (q *Queue) publish(ctx context.Context, js jetstream.JetStream, s *Sweep, cell *plan.Cell) error {
	t := task{Cell: *cell, Sweep: sweepToken(s.plan)}
	data, err := json.Marshal(&t)
	if err != nil {
		return err
	}
	return untilDone(ctx, func() error {
		_, err := js.Publish(ctx, t.cellSubject(), data)
		for ; isQueued(err); _, err = js.Publish(ctx, t.cellSubject(), data) {
			// The subject has a message already, usually of this cell.
			if is, err := q.isThere(ctx, js, &t, data); is || err != nil {
				return err
			}
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
			q.prepare(ctx, js, s) // the server has restarted without its files
		}
		return err
	})
}

// isThere reports whether a cell is in the queue. It removes any other message with the cell's subject.
func (q *Queue) isThere(ctx context.Context, js jetstream.JetStream, t *task, data []byte) (bool, error) {
	cells, _ := streamNames(version.Engine)
	stream, err := js.Stream(ctx, cells)
	if err != nil {
		return false, err
	}
	there, err := stream.GetLastMsgForSubject(ctx, t.cellSubject())
	switch {
	case isGone(err):
		return false, nil
	case err != nil:
		return false, err
	case bytes.Equal(there.Data, data):
		return true, nil
	}
	if err := stream.DeleteMsg(ctx, there.Sequence); err != nil && !isGone(err) {
		return false, err
	}
	return false, nil
}

// resubmit submits all cells in flight again, and reports whether it succeeded. If the stream has the record of a cell,
// it stores that instead: a server that restarts with old files gives new records sequence numbers that the consumer
// has already passed.
func (q *Queue) resubmit(ctx context.Context, js jetstream.JetStream, s *Sweep) bool {
	if q.prepare(ctx, js, s) != nil || q.collect(ctx, js, s) != nil {
		return false
	}
	_, records := streamNames(version.Engine)
	stream, err := js.Stream(ctx, records)
	if err != nil {
		return false
	}
	for _, cell := range s.cellsInFlight() {
		t := task{Cell: cell, Sweep: sweepToken(s.plan)}
		if m, err := stream.GetLastMsgForSubject(ctx, t.resultSubject()); err == nil {
			if r, err := readResult(m.Subject, m.Data); err == nil {
				s.keep(r)
				continue
			}
		}
		if q.publish(ctx, js, s, &cell) != nil {
			return false
		}
	}
	return true
}

// isQueued reports whether an error means that the cell's subject already has a message in the queue.
func isQueued(err error) bool {
	const queued = 10077
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == queued
}
