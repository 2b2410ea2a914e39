//go:build !js

package cluster

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"

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
// DATA is a hash of the data files of the cell, or "none"; SWEEP is a hash of the plan. There is at most one message
// per subject, so that a cell that is submitted twice is in the queue once, and a record that is sent twice is kept
// once. A cell leaves the queue when its record is stored. If its worker stops responding, it goes to another worker.
//
// Anyone who may write to the server can write anything. A message that is not a record of the cell that its subject
// names is set aside, with the reason, and the cell is computed again.
const (
	cellsStream    = "FLOCK_CELLS_"
	resultsStream  = "FLOCK_RESULTS_"
	rejectedStream = "FLOCK_REJECTED_"
	noData         = "none"
)

// reasonHeader is the header of a rejected message that states the reason.
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

// readResult reads the record in a message. It must be a record of the cell that the subject names.
func readResult(subject string, data []byte) (r plan.Record, err error) {
	r, err = plan.ParseRecord(data)
	if err == nil {
		err = CheckRecord(&r)
	}
	if cell := subject[strings.LastIndexByte(subject, '.')+1:]; err == nil && r.Cell != cell {
		err = fmt.Errorf("is of another cell, %s", r.Cell)
	}
	return r, err
}

// setAside moves a message that is not a record from the stream of results to that of rejected messages, unless the
// message has been replaced or moved meanwhile.
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
	js.PublishMsg(ctx, m) // if this fails, at least the log has the reason
	return nil
}

// isGone reports whether an error means that a message no longer exists. After a failed deletion, the client only has
// the server's text.
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

// task is the message of a cell in the queue.
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

// Servers are the settings for connecting to NATS.
type Servers struct {
	URLs  string // separated by commas
	Creds string // file of credentials; "" for none
	CA    string // file of trusted certificate authorities
	Cert  string // client certificate
	Key   string // key of the client certificate
}

// connect connects to the servers, and logs when the connection is lost and restored.
func (n *Servers) connect(log *Log, more ...nats.Option) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("flock"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Printf("the NATS server is gone (%v); waiting for it, nothing is lost", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			log.Printf("the NATS server is back: %s", c.ConnectedUrlRedacted())
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // failed operations are retried
	}
	if n.Creds != "" {
		options = append(options, nats.UserCredentials(n.Creds))
	}
	if n.CA != "" {
		options = append(options, nats.RootCAs(n.CA))
	}
	if n.Cert != "" || n.Key != "" {
		options = append(options, nats.ClientCert(n.Cert, n.Key))
	}
	c, err := nats.Connect(n.URLs, append(options, more...)...)
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("no NATS server answers at %s; start one with nats-server -js, or mend the address",
			redacted(n.URLs))
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("the NATS server at %s refuses these credentials (-creds, -tlscert, or name and password in the address)", redacted(n.URLs))
	case errors.As(err, new(x509.UnknownAuthorityError)), errors.As(err, new(x509.HostnameError)),
		errors.As(err, new(x509.CertificateInvalidError)):
		return nil, fmt.Errorf("the certificate of the NATS server at %s cannot be trusted (%v); give the file of its "+
			"authority with -tlsca, and the name that the certificate is for", redacted(n.URLs), err)
	case err != nil && strings.HasPrefix(n.URLs, "tls://") && n.broken(err):
		return nil, fmt.Errorf("the NATS server at %s ends the connection (%v); if it asks for certificates of its clients, "+
			"give one that it trusts with -tlscert and -tlskey", redacted(n.URLs), err)
	case err != nil: // %v instead of %w, so that a broken connection is not mistaken for a broken standard output
		return nil, fmt.Errorf("NATS at %s: %v", redacted(n.URLs), err)
	}
	return c, nil
}

// broken reports whether a server that speaks TLS has ended a connection, as it does with clients that have no
// certificate. What the client then sees depends on who is faster.
func (n *Servers) broken(err error) bool {
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

// jetStreamError adds advice to an error of JetStream.
func jetStreamError(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders),
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return errors.New("the NATS server has no JetStream, which keeps cells and results: start it with nats-server -js")
	}
	return fmt.Errorf("NATS JetStream: %w", err)
}

// createStream creates or changes a stream. If two programs are the first of an account at the same moment, the server
// may have no folder for the account yet (seen with 2.15.2: "error creating store for stream"), so this error is
// retried.
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

// queueConfig returns the configuration of the queue for cells about some files.
func queueConfig(data string, redeliver time.Duration) jetstream.ConsumerConfig {
	token := dataToken(data)
	return jetstream.ConsumerConfig{Durable: "workers-" + token, FilterSubject: fmt.Sprintf("flock.%d.cells.%s.>",
		version.Engine, token),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: redeliver, MaxDeliver: -1, MaxAckPending: maxQueued}
}

// untilDone calls try every second until it succeeds or ctx is done.
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

// printable returns a subject without control characters: anyone can put such characters into one, and a terminal
// executes them.
func printable(subject string) string {
	if quoted := strconv.Quote(subject); quoted != `"`+subject+`"` {
		return quoted
	}
	return subject
}
