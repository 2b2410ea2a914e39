//go:build !js

// Command serve serves the built site, its short links and their previews.
//
//	go run ./wasm/serve -dir .build/site
//	go run ./wasm/serve -dir .build/site -addr 0.0.0.0:8080 -origin https://flock.example.org
//
// Without -addr it takes the port in the environment variable PORT; without
// that, 8080 or the next free port. Behind a proxy that speaks TLS, -origin
// says what the address is that people see.
//
// The files: gate.go looks after connections, log.go is the outermost handler,
// store.go and check.go keep links, cache.go keeps pictures, limit.go counts.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"flockscope/sim/licences"
	"flockscope/sim/version"
	"flockscope/wasm/site"
	"flockscope/wasm/web"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("serve: ")
	dir := flag.String("dir", ".build/site", "directory of the built site")
	addr := flag.String("addr", "", "host:port to listen on")
	links := flag.String("links", defaultFile(), "file that keeps short links; empty for none")
	origin := flag.String("origin", "", "address that people see, such as https://flock.example.org")
	flag.Func("expire", "no longer there: links do not expire by age", func(string) error {
		return fmt.Errorf("links do not expire by age any more: of %d the one unused for longest makes room; "+
			"leave this flag out", mostLinks)
	})
	logs := flag.Bool("log", false, "print a line for each request: time, method, path, status, bytes, seconds")
	addresses := flag.Bool("log-addresses", false, "as -log, with the address of each client")
	printLicences := flag.Bool("licences", false,
		"print the licences of everything that this program is made of, and end")
	showVersion := flag.Bool("version", false, "print the version and end")
	flag.Parse()
	if *printLicences {
		if _, err := os.Stdout.WriteString(licences.Text); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *showVersion {
		fmt.Println(version.Text("flock-serve"))
		return
	}
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "serve: %q is not expected here; -h lists the flags\n", flag.Arg(0))
		os.Exit(2)
	}
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		log.Fatalf("%s holds no site; run: make build", *dir)
	}
	if err := checkOrigin(*origin); err != nil {
		log.Fatal(err)
	}
	listener, err := listen(*addr, os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	s := newServer(*dir, *links, *origin)
	if *logs || *addresses {
		s.log = newAccessLog(os.Stdout, *addresses)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	fmt.Printf("Flockscope is at %s\n", address(listener.Addr()))
	err = s.serve(ctx, listener)
	if err = errors.Join(err, s.close()); err != nil {
		log.Fatal(err)
	}
}

// What a client may do. A class may sit behind one address. In a day nobody alone can
// push more than a small part of the others' links out of the store.
const (
	postsPerMinute    = 60
	postsPerDay       = 2000
	drawingsPerMinute = 60
)

// cacheRoom is what kept pictures may take, in bytes.
const cacheRoom = 32 << 20

// connections returns how many connections may be open at once, where so many files
// and connections are allowed together: each may hold a file, too, and some are for
// the server itself. A lecture hall of 300 browsers opens 1800.
func connections(descriptors int) int {
	return max(min((descriptors-100)/2, 2000), 50)
}

// A server is all that answers.
type server struct {
	handler  http.Handler
	web      *web.Server       // a part of the handler
	headers  map[string]string // of every answer
	close    func() error      // of what is open, when nothing is to be answered any more
	log      *accessLog        // nil for none
	most     int               // connections open at once
	patience time.Duration     // for a client that does not read what it asked for
	grace    time.Duration     // for answers that are on their way when the server is told to stop
}

// newServer opens the site and the links. Where there is no store of links, or it
// cannot be opened, it serves all the rest: the page then makes long links.
func newServer(dir, links, origin string) *server {
	s := site.Open(dir)
	answers := &web.Server{Schema: web.Schema, Page: s.Page, Check: web.Check, Origin: origin,
		Pictures: newCache(cacheRoom),
		Posts:    limiters{newLimiter(postsPerMinute, time.Minute), newLimiter(postsPerDay, 24*time.Hour)},
		Drawings: newLimiter(drawingsPerMinute, time.Minute)}
	close := func() error { return nil }
	if links != "" {
		kept, err := openStore(links)
		if err != nil {
			log.Printf("short links do not work: %v; -links picks another file", err)
			answers.Store = closedStore{err}
		} else {
			answers.Store, answers.Key = kept, kept.key
			close = kept.Close
		}
	}
	headers := maps.Clone(web.Headers)
	if strings.HasPrefix(origin, "https://") {
		maps.Copy(headers, web.SecureHeaders)
	}
	return &server{handler: s.Handler(answers), web: answers, headers: headers, close: close,
		most: connections(descriptors()), patience: 30 * time.Second, grace: 5 * time.Second}
}

// checkOrigin refuses what is not the beginning of an address.
func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
		return fmt.Errorf("-origin: got %q, want something like https://flock.example.org", strings.TrimSpace(origin))
	}
	return nil
}

// firstPort is tried when nobody asked for a port, lastPort is where it stops.
const firstPort, lastPort = 8080, 8179

// listen opens the address, or else the port, or else the first free port.
func listen(addr, port string) (net.Listener, error) {
	if addr == "" && port != "" {
		addr = net.JoinHostPort("localhost", port)
	}
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	for p := firstPort; p <= lastPort; p++ {
		listener, err := net.Listen("tcp", net.JoinHostPort("localhost", strconv.Itoa(p)))
		if !errors.Is(err, syscall.EADDRINUSE) {
			return listener, err
		}
	}
	return nil, fmt.Errorf("every port from %d to %d is taken; choose one with -addr", firstPort, lastPort)
}

// serve answers until ctx ends. Then answers that are on their way may finish
// within the time of grace; whoever has not fetched theirs by then is cut off,
// which is no error.
func (s *server) serve(ctx context.Context, listener net.Listener) error {
	g := &gate{Listener: listener, most: s.most, patience: s.patience, headers: s.headers, log: s.log}
	h := s.protocol()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(g) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		shutdown, cancel := context.WithTimeout(context.Background(), s.grace)
		defer cancel()
		err := h.Shutdown(shutdown)
		if errors.Is(err, context.DeadlineExceeded) {
			err = h.Close()
		}
		return err
	}
}

// protocol returns what speaks HTTP for the server. It bounds how long a client may take
// to ask for something, and how much its request's head may be.
func (s *server) protocol() *http.Server {
	return &http.Server{Handler: outermost(s.handler, s.headers, s.log), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true}
}

// address returns the listener's address as a person would type it.
func address(addr net.Addr) string {
	tcp := addr.(*net.TCPAddr)
	host := tcp.IP.String()
	if tcp.IP.IsLoopback() || tcp.IP.IsUnspecified() {
		host = "localhost"
	}
	return fmt.Sprintf("http://%s/", net.JoinHostPort(host, strconv.Itoa(tcp.Port)))
}
