//go:build !js

package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// Cells and records travel in two streams of NATS JetStream for each version of the engine:
//
//	FLOCK_CELLS_12    flock.12.cells.DATA.SWEEP.CELL     a work queue
//	FLOCK_RESULTS_12  flock.12.results.SWEEP.CELL        records, kept for anyone to read
//	FLOCK_REJECTED_12 flock.12.rejected.>                messages that are no such record
//
// DATA is a hash of the files that the cell is about, or "none"; SWEEP one of the plan.
// There is one message per subject at most, so that a cell that is submitted twice is in
// the queue once, and a record that is sent twice is kept once. A cell leaves the queue
// when its record is kept. It goes to another worker when its own has fallen silent.
//
// Anyone who may write to the server can write anything. What is no record of the cell that
// its subject names is set aside, with the reason, and the cell is computed again.
const (
	cellsStream    = "FLOCK_CELLS_"
	resultsStream  = "FLOCK_RESULTS_"
	rejectedStream = "FLOCK_REJECTED_"
	noData         = "none"
)

// reasonHeader says of a message that was set aside why.
const reasonHeader = "Flock-Reason"

func streamNames(engine int) (cells, records string) {
	return cellsStream + strconv.Itoa(engine), resultsStream + strconv.Itoa(engine)
}

func dataToken(hash string) string {
	if hash == "" {
		return noData
	}
	return hash
}

// readResult reads the record of a message, which must be of the cell that its subject names.
func readResult(subject string, data []byte) (r plan.Record, err error) {
	r, err = plan.ParseRecord(data)
	if err == nil {
		err = checkRecord(&r)
	}
	if cell := subject[strings.LastIndexByte(subject, '.')+1:]; err == nil && r.Cell != cell {
		err = fmt.Errorf("is of another cell, %s", r.Cell)
	}
	return r, err
}

// setAside moves a message that is no record out of the stream of results. One that was
// replaced or moved meanwhile stays as it is.
func setAside(ctx context.Context, js jetstream.JetStream, subject string, data []byte, sequence uint64,
	why error) error {
	_, results := streamNames(version.Engine)
	stream, err := js.Stream(ctx, results)
	if err != nil {
		return err
	}
	switch err := stream.DeleteMsg(ctx, sequence); {
	case isGone(err):
		return nil
	case err != nil:
		return err
	}
	m := nats.NewMsg(strings.Replace(subject, ".results.", ".rejected.", 1))
	m.Data = data
	m.Header.Set(reasonHeader, fmt.Sprintf("%.500s", strings.Join(strings.Fields(why.Error()), " ")))
	js.PublishMsg(ctx, m) // the reason was told, so what cannot be kept is no harm
	return nil
}

// isGone reports whether a message is not there any more. Of a message that could not be
// deleted the client has the server's words alone.
func isGone(err error) bool {
	return errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) &&
		(strings.HasSuffix(err.Error(), " not found") || strings.HasSuffix(err.Error(), "no message found"))
}

// sweepToken returns a short hash of a plan.
func sweepToken(p *plan.Plan) string {
	h := fnv.New64a()
	io.WriteString(h, p.String())
	return fmt.Sprintf("%016x", h.Sum64())
}

// task is the message of a cell.
type task struct {
	plan.Cell
	Sweep string `json:"sweep"`
}

func (t *task) cellSubject() string {
	return fmt.Sprintf("flock.%d.cells.%s.%s.%s", t.Version, dataToken(t.Data), t.Sweep, t.ID)
}

func (t *task) resultSubject() string {
	return fmt.Sprintf("flock.%d.results.%s.%s", t.Version, t.Sweep, t.ID)
}

// natsFlags say how to connect. The names, and those of environment variables, are those
// of the command nats.
type natsFlags struct{ url, creds, ca, cert, key string }

func (n *natsFlags) add(fs *flag.FlagSet) {
	fs.StringVar(&n.url, "nats", "", "share the work by the NATS servers at these addresses, with commas between them")
	fs.StringVar(&n.creds, "creds", os.Getenv("NATS_CREDS"), "with -nats: a file of credentials")
	fs.StringVar(&n.ca, "tlsca", os.Getenv("NATS_CA"), "with -nats: a file of authorities to trust")
	fs.StringVar(&n.cert, "tlscert", os.Getenv("NATS_CERT"), "with -nats: a certificate of this client")
	fs.StringVar(&n.key, "tlskey", os.Getenv("NATS_KEY"), "with -nats: the key of the certificate")
}

// connect connects to the servers, and tells when they go away and come back.
func (n *natsFlags) connect(errs io.Writer, more ...nats.Option) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("flock"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				fmt.Fprintf(errs, "flock: the NATS server is gone (%v); waiting for it, nothing is lost\n", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			fmt.Fprintln(errs, "flock: the NATS server is back:", c.ConnectedUrlRedacted())
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what fails is tried again
	}
	if n.creds != "" {
		options = append(options, nats.UserCredentials(n.creds))
	}
	if n.ca != "" {
		options = append(options, nats.RootCAs(n.ca))
	}
	if n.cert != "" || n.key != "" {
		options = append(options, nats.ClientCert(n.cert, n.key))
	}
	c, err := nats.Connect(n.url, append(options, more...)...)
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("no NATS server answers at %s; start one with nats-server -js, or mend the address",
			redacted(n.url))
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("the NATS server at %s refuses these credentials (-creds, -tlscert, or name and password in the address)", redacted(n.url))
	case errors.As(err, new(x509.UnknownAuthorityError)), errors.As(err, new(x509.HostnameError)),
		errors.As(err, new(x509.CertificateInvalidError)):
		return nil, fmt.Errorf("the certificate of the NATS server at %s cannot be trusted (%v); give the file of its "+
			"authority with -tlsca, and the name that the certificate is for", redacted(n.url), err)
	case err != nil && strings.HasPrefix(n.url, "tls://") && n.broken(err):
		return nil, fmt.Errorf("the NATS server at %s ends the connection (%v); if it asks for certificates of its clients, "+
			"give one that it trusts with -tlscert and -tlskey", redacted(n.url), err)
	case err != nil: // %v, since a broken connection is no broken pipe behind flock
		return nil, fmt.Errorf("NATS at %s: %v", redacted(n.url), err)
	}
	return c, nil
}

// broken reports whether a server that speaks TLS has ended a connection, as it does with
// clients that have no certificate. What the client then sees depends on who is faster.
func (n *natsFlags) broken(err error) bool {
	return strings.Contains(err.Error(), "remote error: tls: ") || errors.Is(err, io.EOF) ||
		errors.Is(err, nats.ErrConnectionClosed) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// redacted returns addresses without passwords.
func redacted(urls string) string {
	list := strings.Split(urls, ",")
	for i, url := range list {
		if scheme, rest, ok := strings.Cut(url, "://"); ok {
			list[i] = scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
		} else {
			list[i] = url[strings.LastIndex(url, "@")+1:]
		}
	}
	return strings.Join(list, ",")
}

// openJetStream returns the JetStream of a server, or an error if it has none.
func openJetStream(ctx context.Context, conn *nats.Conn) (jetstream.JetStream, error) {
	js, err := jetstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		return nil, jetStreamError(err)
	}
	return js, nil
}

// jetStreamError says what to do about an error of JetStream.
func jetStreamError(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders),
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return errors.New("the NATS server has no JetStream, which keeps cells and results: start it with nats-server -js")
	}
	return fmt.Errorf("NATS JetStream: %w", err)
}

// cluster is the place of cells that workers elsewhere compute.
type cluster struct {
	flags     natsFlags
	replicas  int
	redeliver time.Duration
	// An embedded server and its workers; 0 for none.
	workers int
	listen  *listener // nil if nobody else may join

	created    time.Time // when the stream of records was made that is read
	rejected   sayings   // about messages that are no records
	consuming  jetstream.ConsumeContext
	collectors sync.WaitGroup
}

// cluster reads the flags of a cluster.
func (s *sweepFlags) cluster(workers int) (place, error) {
	c := &cluster{flags: s.nats}
	if s.nats.url != "" && s.workers != "" {
		return nil, errors.New("with -nats others compute: start them with flock work -nats URL, and leave -workers away here")
	}
	if s.shard != "" {
		return nil, errors.New("-shard divides what workers of NATS share anyway; leave one of the two away")
	}
	if s.nats.url == "" {
		c.workers = workers
	}
	var err error
	if s.listen != "" {
		listen, err := parseListen(s.listen)
		if err != nil {
			return nil, err
		}
		c.listen = &listen
	}
	if c.replicas, err = whole("-replicas", s.replicas, 5); err != nil {
		return nil, err
	}
	if c.redeliver, err = time.ParseDuration(s.redeliver); err != nil || c.redeliver < time.Second {
		return nil, fmt.Errorf("-redeliver: got %q, want a time of at least 1s, such as 30s or 5m", s.redeliver)
	}
	return c, nil
}

// mostUnderWay is how many cells are in the queue at a time, at most.
const mostUnderWay = 10_000

// submitters is how many cells are submitted at once: each waits for the server's word.
const submitters = 8

// patience is how long nothing may arrive before all that is under way is submitted
// again, which does nothing but for cells that a server has lost.
const patience = time.Minute

func (c *cluster) run(ctx context.Context, s *sweeper) error {
	conn, closeAll, err := c.connect(ctx, s)
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
	defer c.collectors.Wait()
	defer helpers.Wait()
	defer stop(nil)
	again := make(chan struct{}, 1)
	conn.SetReconnectHandler(func(nc *nats.Conn) {
		fmt.Fprintln(s.errs, "flock: the NATS server is back:", nc.ConnectedUrlRedacted())
		select {
		case again <- struct{}{}:
		default:
		}
	})
	if err := c.begin(ctx, js, s); err != nil {
		return jetStreamError(err)
	}
	if c.workers > 0 {
		w := &worker{js: js, workers: c.workers, file: s.file, data: s.plan.Data, build: s.build, errs: io.Discard}
		helpers.Go(func() {
			if err := w.run(ctx); err != nil && ctx.Err() == nil {
				stop(err)
			}
		})
	}
	var busy sync.WaitGroup
	for range submitters {
		busy.Go(func() {
			if err := c.submit(ctx, js, s); err != nil {
				stop(err)
			}
		})
	}
	submitted := make(chan struct{})
	go func() {
		busy.Wait()
		close(submitted)
	}()
	quiet := time.NewTicker(patience)
	defer quiet.Stop()
	for all := submitted; ; {
		landed := s.landing()
		if all == nil && s.underWay() == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			busy.Wait()
			return context.Cause(ctx)
		case <-all:
			all = nil
			continue
		case <-landed:
			quiet.Reset(patience)
			continue
		case <-again:
		case <-quiet.C:
		}
		if c.resubmit(ctx, js, s) {
			quiet.Reset(patience)
		} else { // the server is gone, or not yet all there
			quiet.Reset(time.Second)
		}
	}
}

// connect connects to the servers, or to one inside this program.
func (c *cluster) connect(ctx context.Context, s *sweeper) (conn *nats.Conn, closeAll func(), err error) {
	if c.workers == 0 {
		conn, err = c.flags.connect(s.errs)
		if err != nil {
			return nil, nil, err
		}
		return conn, conn.Close, nil
	}
	dir, err := os.MkdirTemp("", "flock-nats-")
	if err != nil {
		return nil, nil, err
	}
	srv, err := startServer(dir, c.listen)
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
	if l := c.listen; l != nil {
		fmt.Fprintf(s.errs, "flock: others may join: flock work -nats %s\n", l.address(srv.Addr().(*net.TCPAddr).Port))
		if l.made {
			fmt.Fprintln(s.errs, "flock: whoever has this address may join; it travels without encryption, so across networks of "+
				"others use a NATS server with TLS (-nats)")
		}
		if l.user != nil {
			password, _ := l.user.Password()
			options = append(options, nats.UserInfo(l.user.Username(), password))
		}
	}
	if conn, err = c.flags.connect(io.Discard, options...); err != nil {
		shutDown()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); shutDown() }, nil
}

// startServer starts a server inside this program. Without a listener nobody else can
// reach it.
func startServer(dir string, l *listener) (*natsserver.Server, error) {
	options := &natsserver.Options{JetStream: true, StoreDir: dir, DontListen: l == nil, NoSigs: true, NoLog: true}
	if l != nil {
		free, err := net.Listen("tcp", l.text) // the server would not say what is wrong
		if err != nil {
			return nil, fmt.Errorf("-listen: %w", err)
		}
		free.Close()
		if options.Host, options.Port = l.host, l.port; l.port == 0 {
			options.Port = natsserver.RANDOM_PORT
		}
		if l.user != nil {
			options.Username = l.user.Username()
			options.Password, _ = l.user.Password()
		}
	}
	srv, err := natsserver.NewServer(options)
	if err != nil {
		return nil, err
	}
	srv.Start()
	if !srv.ReadyForConnections(10 * time.Second) {
		srv.Shutdown()
		return nil, errors.New("the NATS server inside this program does not start within 10 s")
	}
	return srv, nil
}

// createStream makes a stream, or changes it. Where two programs are the first of an account
// at the same moment, the server may have no folder for the account yet (seen with 2.15.2:
// "error creating store for stream"), so what fails in this way is asked for again.
func createStream(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) error {
	const noStore, tries, pause = 10049, 20, 100 * time.Millisecond
	for try := 1; ; try++ {
		_, err := js.CreateOrUpdateStream(ctx, config)
		var api *jetstream.APIError
		if try == tries || !errors.As(err, &api) || api.ErrorCode != noStore {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// mostRejected is how many bytes of messages are kept that were set aside: the newest.
const mostRejected = 16 << 20

// prepare makes the streams, and the queue for workers that have the files of the plan.
func (c *cluster) prepare(ctx context.Context, js jetstream.JetStream, s *sweeper) error {
	cells, records := streamNames(version.Engine)
	err := createStream(ctx, js, jetstream.StreamConfig{
		Name: cells, Subjects: []string{fmt.Sprintf("flock.%d.cells.>", version.Engine)},
		Retention:         jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, Replicas: c.replicas,
		Description: "cells of sweeps that wait to be computed",
	})
	if err != nil {
		return err
	}
	err = createStream(ctx, js, jetstream.StreamConfig{
		Name: records, Subjects: []string{fmt.Sprintf("flock.%d.results.>", version.Engine)},
		MaxMsgsPerSubject: 1, Replicas: c.replicas,
		Description: "results of sweeps, one per cell",
	})
	if err != nil {
		return err
	}
	err = createStream(ctx, js, jetstream.StreamConfig{
		Name: rejectedStream + strconv.Itoa(version.Engine), Subjects: []string{fmt.Sprintf("flock.%d.rejected.>", version.Engine)},
		MaxBytes: mostRejected, Replicas: c.replicas,
		Description: "messages that are no results of sweeps, with the reason",
	})
	if err != nil {
		return err
	}
	_, err = js.CreateOrUpdateConsumer(ctx, cells, queueConfig(s.plan.Data, c.redeliver))
	return err
}

// begin prepares and collects, once more where the server does not answer in time: it may be
// busy, or be gone for a while.
func (c *cluster) begin(ctx context.Context, js jetstream.JetStream, s *sweeper) error {
	const tries = 10
	for try := 1; ; try++ {
		err := c.prepare(ctx, js, s)
		if err == nil {
			err = c.collect(ctx, js, s)
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

// queueConfig describes the queue for cells about some files.
func queueConfig(data string, redeliver time.Duration) jetstream.ConsumerConfig {
	token := dataToken(data)
	return jetstream.ConsumerConfig{Durable: "workers-" + token, FilterSubject: fmt.Sprintf("flock.%d.cells.%s.>",
		version.Engine, token),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: redeliver, MaxDeliver: -1, MaxAckPending: mostUnderWay}
}

// collect keeps the records of the plan that the stream has, waits until it has these,
// and goes on with those that come. It does nothing for a stream that is read already: a
// server that lost its files has another one.
func (c *cluster) collect(ctx context.Context, js jetstream.JetStream, s *sweeper) error {
	_, stream := streamNames(version.Engine)
	records, err := js.Stream(ctx, stream)
	if err != nil || records.CachedInfo().Created.Equal(c.created) {
		return err
	}
	if c.consuming != nil {
		c.consuming.Stop()
	}
	filter := fmt.Sprintf("flock.%d.results.%s.>", version.Engine, sweepToken(s.plan))
	consumer, err := js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}})
	if err != nil {
		return err
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return err
	}
	last := records.CachedInfo().State.LastSeq // of what was there before
	caught := make(chan struct{})
	var once sync.Once
	if info.NumPending == 0 {
		once.Do(func() { close(caught) })
	}
	var received atomic.Int64
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		received.Add(1)
		meta, err := m.Metadata()
		if err != nil {
			return
		}
		if meta.NumPending == 0 || meta.Sequence.Stream >= last {
			defer once.Do(func() { close(caught) })
		}
		r, err := readResult(m.Subject(), m.Data())
		if err == nil {
			err = s.contradicts(ctx, &r)
		}
		if err != nil {
			c.reject(ctx, js, s, m, meta.Sequence.Stream, err)
			return
		}
		if s.retry && r.Error != "" && meta.Sequence.Stream <= last { // it is to be computed again
			records.Purge(ctx, jetstream.WithPurgeSubject(m.Subject()))
			return
		}
		if ctx.Err() == nil {
			s.keep(r)
		}
	})
	if err != nil {
		return err
	}
	c.consuming, c.created = consuming, records.CachedInfo().Created
	context.AfterFunc(ctx, consuming.Stop)
	c.collectors.Go(func() { <-consuming.Closed() })
	// The last message may be gone before it comes, so the server is asked as well.
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for before, waits := int64(-1), true; waits; {
		select {
		case <-caught:
			waits = false
		case <-ctx.Done():
			waits = false
		case <-look.C:
			now := received.Load()
			info, err := consumer.Info(ctx)
			waits, before = err != nil || info.NumPending > 0 || now != before, now
		}
	}
	s.awaitKept(ctx) // or cells whose records are on their way would be submitted
	return nil
}

// printable returns a subject as it can be shown: anyone can put what a terminal obeys into one.
func printable(subject string) string {
	if quoted := strconv.Quote(subject); quoted != `"`+subject+`"` {
		return quoted
	}
	return subject
}

// sayings says things one by one, but not thousands of them.
type sayings struct{ n atomic.Int64 }

func (s *sayings) say(errs io.Writer, format string, args ...any) {
	const most = 20
	switch n := s.n.Add(1); {
	case n <= most:
		fmt.Fprintf(errs, "flock: "+format+"\n", args...)
	case n == most+1:
		fmt.Fprintln(errs, "flock: there are more such messages; they are treated alike, and not told")
	}
}

// reject sets a message aside that is no record, and has its cell computed again if the
// sweep waits for it.
func (c *cluster) reject(ctx context.Context, js jetstream.JetStream, s *sweeper, m jetstream.Msg, sequence uint64,
	why error) {
	c.rejected.say(s.errs, "a message with a record %.300v; it is set aside in %s%d: %s", why, rejectedStream,
		version.Engine, printable(m.Subject()))
	subject := m.Subject()
	cell, waits := s.waitsFor(subject[strings.LastIndexByte(subject, '.')+1:])
	untilDone(ctx, func() error {
		if err := setAside(ctx, js, subject, m.Data(), sequence, why); err != nil {
			return err
		}
		if waits {
			return c.publish(ctx, js, s, &cell)
		}
		return nil
	})
}

// submit puts cells into the queue until there are no more.
func (c *cluster) submit(ctx context.Context, js jetstream.JetStream, s *sweeper) error {
	for {
		for {
			landed := s.landing()
			if s.underWay() < mostUnderWay {
				break
			}
			select {
			case <-landed:
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
		if err := c.publish(ctx, js, s, &cell); err != nil {
			return err
		}
	}
}

// isQueued reports whether an error is that of a cell whose place in the queue is taken.
func isQueued(err error) bool {
	const queued = 10077
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == queued
}

// publish puts one cell into the queue, as soon as there is a server.
func (c *cluster) publish(ctx context.Context, js jetstream.JetStream, s *sweeper, cell *plan.Cell) error {
	t := task{Cell: *cell, Sweep: sweepToken(s.plan)}
	data, err := json.Marshal(&t)
	if err != nil {
		return err
	}
	return untilDone(ctx, func() error {
		_, err := js.Publish(ctx, t.cellSubject(), data)
		for ; isQueued(err); _, err = js.Publish(ctx, t.cellSubject(), data) {
			// Something is there: this cell, as a rule.
			if is, err := c.isThere(ctx, js, &t, data); is || err != nil {
				return err
			}
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
			c.prepare(ctx, js, s) // the server began anew without its files
		}
		return err
	})
}

// isThere reports whether a cell is in the queue. Anything else is removed from its place.
func (c *cluster) isThere(ctx context.Context, js jetstream.JetStream, t *task, data []byte) (bool, error) {
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

// untilDone tries something every second until it succeeds or ctx is done.
func untilDone(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, nats.ErrConnectionClosed) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// resubmit submits all that is under way once more, and reports whether it could. What the
// stream has of it already is kept: a server that came back with files from before numbers
// results as it has numbered others, and those the stream of records passes over.
func (c *cluster) resubmit(ctx context.Context, js jetstream.JetStream, s *sweeper) bool {
	if c.prepare(ctx, js, s) != nil || c.collect(ctx, js, s) != nil {
		return false
	}
	_, records := streamNames(version.Engine)
	stream, err := js.Stream(ctx, records)
	if err != nil {
		return false
	}
	for _, cell := range s.underWayCells() {
		t := task{Cell: cell, Sweep: sweepToken(s.plan)}
		if m, err := stream.GetLastMsgForSubject(ctx, t.resultSubject()); err == nil {
			if r, err := readResult(m.Subject, m.Data); err == nil {
				s.keep(r)
				continue
			}
		}
		if c.publish(ctx, js, s, &cell) != nil {
			return false
		}
	}
	return true
}
