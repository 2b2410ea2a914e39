//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// The streams of NATS for this version of the engine.
var (
	cellsStream    = fmt.Sprintf("FLOCK_CELLS_%d", version.Engine)
	resultsStream  = fmt.Sprintf("FLOCK_RESULTS_%d", version.Engine)
	rejectedStream = fmt.Sprintf("FLOCK_REJECTED_%d", version.Engine)
)

// natsServer starts a server with its files in dir, at a port of its own for 0.
func natsServer(t *testing.T, dir string, port int, change func(*natsserver.Options)) *natsserver.Server {
	t.Helper()
	o := &natsserver.Options{JetStream: true, StoreDir: dir, Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true}
	if port == 0 {
		o.Port = natsserver.RANDOM_PORT
	}
	if change != nil {
		change(o)
	}
	srv, err := natsserver.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if !srv.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	return srv
}

// A running is a command line that runs in the background.
type running struct {
	stop  context.CancelFunc
	ended chan int
	out   bytes.Buffer
	errs  *heard
}

// heard is what a command says, to be waited for.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p)
	if h.more != nil {
		close(h.more)
		h.more = nil
	}
	return len(p), nil
}

// wait waits until a command has said something.
func (h *heard) wait(t *testing.T, text string) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		h.mu.Lock()
		said := h.text.String()
		if h.more == nil {
			h.more = make(chan struct{})
		}
		more := h.more
		h.mu.Unlock()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("it said %q, and nothing about %q", said, text)
		}
	}
}

func start(args ...string) *running {
	ctx, stop := context.WithCancel(context.Background())
	r := &running{stop: stop, ended: make(chan int, 1), errs: &heard{}}
	go func() { r.ended <- flock(ctx, args, &r.out, r.errs) }()
	return r
}

// done waits for the end of a command, with a code.
func (r *running) done(t *testing.T, want int) {
	t.Helper()
	select {
	case code := <-r.ended:
		if code != want {
			t.Fatalf("it ends with %d, want %d: %s", code, want, &r.errs.text)
		}
	case <-time.After(5 * time.Minute):
		r.stop()
		t.Fatalf("it does not end; it said %s", &r.errs.text)
	}
}

// jetStream connects to a server.
func jetStream(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// waitForResults waits until the stream of results holds so many, or more.
func waitForResults(t *testing.T, js jetstream.JetStream, n uint64) {
	t.Helper()
	late := time.Now().Add(2 * time.Minute)
	for {
		stream, err := js.Stream(context.Background(), resultsStream)
		if err == nil && stream.CachedInfo().State.Msgs >= n {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("there are no %d results: %v", n, err)
		}
	}
}

// A sweep by way of the server inside the program is the same sweep.
func TestEmbedded(t *testing.T) {
	want := quiet(t, sweepOf())
	for _, workers := range []string{"1", "3"} {
		if out, errs := says(t, 0, sweepOf("-workers", workers, "-jsonl")...); out != want || errs != "" {
			t.Errorf("%s workers compute something else, or say %q", workers, errs)
		}
	}
	name := filepath.Join(t.TempDir(), "a.flock")
	says(t, 0, sweepOf("-workers", "2", "-o", name)...)
	if exported(t, name) != want {
		t.Error("the file holds something else")
	}
}

// A sweep and its workers meet at a server, whoever comes first. Another sweep of the same
// plan finds the results there, without any worker.
func TestNATS(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	want := quiet(t, sweepOf())
	early := start("work", "-nats", url, "-workers", "1")
	early.errs.wait(t, "waiting for a sweep of version")
	sweep := start(sweepOf("-nats", url, "-jsonl")...)
	sweep.done(t, 0)
	if sweep.out.String() != want {
		t.Error("the results are others")
	}
	early.stop()
	early.done(t, exitStopped)
	early.errs.wait(t, "computed 64 cells")
	again := start(sweepOf("-nats", url, "-jsonl")...)
	again.done(t, 0)
	if again.out.String() != want {
		t.Error("the results that the server keeps are others")
	}
	idle := start("work", "-nats", url, "-idle", "1s")
	idle.done(t, 0)
	idle.errs.wait(t, "computed 0 cells")
}

// A message that comes twice counts once; one that is no cell, or another engine's, does
// no harm.
func TestOddMessages(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	js := jetStream(t, url)
	name := filepath.Join(t.TempDir(), "a.flock")
	ctx := context.Background()
	sweep := start(sweepOf("-nats", url, "-o", name)...)
	waitForQueue(t, js, 64)
	// A cell of the queue, once more, by hand.
	stream, err := js.Stream(ctx, cellsStream)
	if err != nil {
		t.Fatal(err)
	}
	first, err := stream.GetMsg(ctx, stream.CachedInfo().State.FirstSeq)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, first.Subject, first.Data); err == nil {
		t.Error("a cell is in the queue twice")
	}
	for i, text := range []string{"hello", `{"cell":"1","query":"T=5","version":1,"sweep":"x"}`} {
		if _, err := js.Publish(ctx, fmt.Sprintf("flock.%d.cells.none.x.%d", version.Engine, i),
			[]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := js.Publish(ctx, fmt.Sprintf("flock.%d.results.%s.hello", version.Engine, sweepTokenOf(t)),
		[]byte(`{"cell":`)); err != nil {
		t.Fatal(err)
	}
	worker := start("work", "-nats", url)
	sweep.done(t, 0)
	sweep.errs.wait(t, "a message with a record is cut off")
	worker.errs.wait(t, "a message is no cell")
	worker.stop()
	worker.done(t, exitStopped)
	if exported(t, name) != quiet(t, sweepOf()) {
		t.Error("the results are others")
	}
	for stream, want := range map[string]uint64{resultsStream: 64, rejectedStream: 1} {
		if s, err := js.Stream(ctx, stream); err != nil || s.CachedInfo().State.Msgs != want {
			t.Errorf("%s holds %d messages, want %d: %v", stream, s.CachedInfo().State.Msgs, want, err)
		}
	}
}

// sweepTokenOf returns the token of the plan of sweepOf.
func sweepTokenOf(t *testing.T) string {
	t.Helper()
	d := &plan.Draft{Query: "T=4&C=6&algos=ifca", Vary: []string{"dphi=5:40:5", "K=2,3"}, Seeds: 4}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	io.WriteString(h, p.String())
	return fmt.Sprintf("%016x", h.Sum64())
}

// waitForQueue waits until so many cells wait to be computed.
func waitForQueue(t *testing.T, js jetstream.JetStream, n uint64) {
	t.Helper()
	late := time.Now().Add(time.Minute)
	for {
		stream, err := js.Stream(context.Background(), cellsStream)
		if err == nil && stream.CachedInfo().State.Msgs >= n {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("there are no %d cells in the queue: %v", n, err)
		}
	}
}

// Servers that cannot be used are said to be so.
func TestBadServers(t *testing.T) {
	plain := natsServer(t, t.TempDir(), 0, func(o *natsserver.Options) { o.JetStream = false }).ClientURL()
	locked := natsServer(t, t.TempDir(), 0, func(o *natsserver.Options) {
		o.Username, o.Password = "ann", "secret"
	}).ClientURL()
	for _, tt := range []struct{ url, want string }{
		{plain, "has no JetStream"},
		{locked, "refuses these credentials"},
		{strings.Replace(locked, "://", "://ann:wrong@", 1), "refuses these credentials"},
	} {
		for _, args := range [][]string{sweepOf("-nats", tt.url), {"work", "-nats", tt.url}} {
			if _, errs := says(t, exitFailed, args...); !strings.Contains(errs, tt.want) ||
				strings.Contains(errs, "wrong@") {
				t.Errorf("flock %q says %q, want something about %q", args, errs, tt.want)
			}
		}
	}
	open := start("work", "-nats", strings.Replace(locked, "://", "://ann:secret@", 1), "-idle", "1s")
	open.done(t, 0)
}

// A worker of another version of the engine takes no cell, and says whose there are.
func TestOtherVersion(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	js := jetStream(t, url)
	if _, err := js.CreateStream(context.Background(),
		jetstream.StreamConfig{Name: "FLOCK_CELLS_7", Subjects: []string{"flock.7.cells.>"}}); err != nil {
		t.Fatal(err)
	}
	worker := start("work", "-nats", url, "-idle", "1s")
	worker.done(t, 0)
	worker.errs.wait(t, "here are sweeps of version 7, for another flock")
}

// larger is a sweep that takes some seconds.
func larger(more ...string) []string {
	return append([]string{"sweep", "T=20&C=12&algos=ifca,cflgp", "-vary", "dphi=5:50:5", "-vary", "K=2,3,4,5",
		"-seeds", "20"}, more...)
}

// Four workers, of which two are killed in the middle: the same results.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	js := jetStream(t, url)
	name := filepath.Join(t.TempDir(), "a.flock")
	sweep := start(larger("-nats", url, "-o", name, "-redeliver", "2s")...)
	var workers []*exec.Cmd
	for range 4 {
		w := program(t, "work", "-nats", url, "-workers", "1")
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		defer w.Process.Kill()
		workers = append(workers, w)
	}
	waitForResults(t, js, 100)
	workers[0].Process.Signal(syscall.SIGKILL)
	workers[0].Wait()
	waitForResults(t, js, 300)
	workers[1].Process.Signal(syscall.SIGKILL)
	workers[1].Wait()
	sweep.done(t, 0)
	for _, w := range workers[2:] {
		w.Process.Signal(syscall.SIGTERM)
		if code := exitCode(t, w.Wait()); code != exitStopped {
			t.Errorf("a worker that is told to stop ends with %d", code)
		}
	}
	if exported(t, name) != quiet(t, larger()) {
		t.Error("the results are others")
	}
}

// A server that goes away and comes back, once with its files and once without: the sweep
// and the worker wait, and the results are the same.
func TestServerGone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	want := quiet(t, larger())
	for _, lost := range []bool{false, true} {
		dir := t.TempDir()
		srv := natsServer(t, dir, 0, nil)
		port := srv.Addr().(*net.TCPAddr).Port
		name := filepath.Join(t.TempDir(), "a.flock")
		sweep := start(larger("-nats", srv.ClientURL(), "-o", name, "-redeliver", "2s")...)
		worker := start("work", "-nats", srv.ClientURL())
		waitForResults(t, jetStream(t, srv.ClientURL()), 50)
		srv.Shutdown()
		srv.WaitForShutdown()
		sweep.errs.wait(t, "the NATS server is gone")
		worker.errs.wait(t, "the NATS server is gone")
		if lost {
			dir = t.TempDir()
		}
		natsServer(t, dir, port, nil)
		sweep.done(t, 0)
		sweep.errs.wait(t, "the NATS server is back")
		worker.stop()
		worker.done(t, exitStopped)
		if exported(t, name) != want {
			t.Errorf("files lost: %v; the results are others", lost)
		}
	}
}

// Three servers, each message on all of them, one of which stops: the same results.
func TestThreeServers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	ports := make([]int, 3)
	var routes []string
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		l.Close()
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	var servers []*natsserver.Server
	var urls []string
	// All start at once: a server waits for most of the others.
	for i := range ports {
		o := &natsserver.Options{JetStream: true, StoreDir: t.TempDir(), Host: "127.0.0.1",
			Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true,
			ServerName: fmt.Sprintf("s%d", i), Routes: natsserver.RoutesFromStr(strings.Join(routes, ",")),
			Cluster: natsserver.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}}
		srv, err := natsserver.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		srv.Start()
		t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
		servers = append(servers, srv)
	}
	late := time.Now().Add(time.Minute)
	for _, srv := range servers {
		if !srv.ReadyForConnections(time.Minute) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, srv.ClientURL())
	}
	for !servers[0].JetStreamIsLeader() && !servers[1].JetStreamIsLeader() && !servers[2].JetStreamIsLeader() {
		if time.Now().After(late) {
			t.Fatal("the servers find no leader")
		}
	}
	url := strings.Join(urls, ",")
	name := filepath.Join(t.TempDir(), "a.flock")
	sweep := start(larger("-nats", url, "-replicas", "3", "-o", name, "-redeliver", "2s")...)
	worker := start("work", "-nats", url)
	waitForResults(t, jetStream(t, url), 100)
	servers[0].Shutdown()
	servers[0].WaitForShutdown()
	sweep.done(t, 0)
	worker.stop()
	worker.done(t, exitStopped)
	if exported(t, name) != quiet(t, larger()) {
		t.Error("the results are others")
	}
}

// A sweep about files takes workers that have them; a cell that fails there is a failed
// cell here, and -retry has it computed again.
func TestNATSFiles(t *testing.T) {
	url := natsServer(t, t.TempDir(), 0, nil).ClientURL()
	path := files(t, map[string]string{"good.csv": samples(true)})["good.csv"]
	name := filepath.Join(t.TempDir(), "a.flock")
	other := start("work", "-nats", url)
	worker := start("work", "-nats", url, "-data", path)
	worker.errs.wait(t, "waiting for a sweep of version")
	worker.errs.wait(t, "about these files")
	args := []string{"sweep", "-nats", url, "T=3&algos=ifca", "-data", path, "-vary", "K=2,9", "-seeds", "2",
		"-o", name}
	for _, retry := range []bool{false, true} {
		if retry {
			args = append(args, "-retry")
		}
		sweep := start(args...)
		sweep.done(t, exitFailed)
		sweep.errs.wait(t, "2 of 4 cells failed")
	}
	for _, w := range []*running{worker, other} {
		w.stop()
		w.done(t, exitStopped)
	}
	worker.errs.wait(t, "computed 6 cells")
	other.errs.wait(t, "computed 0 cells")
}

// A server that is back with files from before holds results under numbers that the sweep
// has read already: it asks for what it waits for, and the results are the same.
func TestServerOfBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	ctx := context.Background()
	want := quiet(t, sweepOf())
	dir, before := t.TempDir(), t.TempDir()
	srv := natsServer(t, dir, 0, nil)
	port, url := srv.Addr().(*net.TCPAddr).Port, srv.ClientURL()
	name := filepath.Join(t.TempDir(), "a.flock")
	sweep := start(sweepOf("-nats", url, "-o", name, "-redeliver", "2s")...)
	waitForQueue(t, jetStream(t, url), 64)
	stop := func() { srv.Shutdown(); srv.WaitForShutdown() }
	stop()
	if err := os.CopyFS(before, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	srv = natsServer(t, dir, port, nil)
	lines := strings.Split(strings.TrimSpace(want), "\n")
	send := func(lines []string) {
		t.Helper()
		js := jetStream(t, url)
		for _, line := range lines {
			r, err := plan.ParseRecord([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			subject := fmt.Sprintf("flock.%d.results.%s.%s", version.Engine, sweepTokenOf(t), r.Cell)
			if _, err := js.Publish(ctx, subject, []byte(line)); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweep.errs.wait(t, "the NATS server is back")
	send(lines[:30])
	read := func() bool { // whether the sweep has got them
		stream, err := jetStream(t, url).Stream(ctx, resultsStream)
		if err != nil {
			t.Fatal(err)
		}
		for c := range stream.ListConsumers(ctx).Info() {
			if c.Delivered.Stream >= 30 {
				return true
			}
		}
		return false
	}
	for late := time.Now().Add(time.Minute); !read(); {
		if time.Now().After(late) {
			t.Fatal("the results do not arrive")
		}
	}
	stop()
	natsServer(t, before, port, nil)
	send(lines[30:])
	sweep.done(t, 0)
	if exported(t, name) != want {
		t.Error("the results are others")
	}
}
