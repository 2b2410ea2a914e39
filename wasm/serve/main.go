//go:build !js

// Command serve serves the built site, its short links and their previews.
//
//	go run ./wasm/serve -dir .build/site
//	go run ./wasm/serve -dir .build/site -addr 0.0.0.0:8080 -origin https://flock.example.org
//
// Without -addr it takes the port in the environment variable PORT; without that, 8080 or
// the next free port. Behind a proxy that ends TLS, -origin is the public address.
//
//	main.go             flags, the server, starting and stopping
//	listener.go         bounds connections and slow readers
//	log.go              the outermost handler: common headers, panics, access log
//	store.go, check.go  links in a bbolt file, and a check for damage before it is opened
//	cache.go, limit.go  drawn pictures in memory, and rate limits
//	class.go            classes whose phones are the clients of a run
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
	addr := flag.String("addr", "", "host:port to listen on; without it port 8080, or the next free one")
	links := flag.String("links", defaultFile(), "file that keeps short links; empty for none")
	origin := flag.String("origin", "", "public address, such as https://flock.example.org")
	flag.Func("expire", "removed: links no longer expire by age", func(string) error {
		return fmt.Errorf("links no longer expire by age: beyond %d links the least recently used one is removed; "+
			"do not set this flag", maxLinksInFile)
	})
	logs := flag.Bool("log", false, "print a line for each request: time, method, path, status, bytes, seconds")
	addresses := flag.Bool("log-addresses", false, "as -log, with the address of each client")
	classes := classFlags(flag.CommandLine)
	printLicences := flag.Bool("licences", false,
		"print the licences of this program and its libraries, and exit")
	showVersion := flag.Bool("version", false, "print the version and exit")
	plain := flag.Usage
	flag.Usage = func() {
		if classes.open {
			classUsage(flag.CommandLine)
		} else {
			plain()
		}
	}
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
		fmt.Fprintf(os.Stderr, "serve: got the argument %q, want only flags; -h lists them\n", flag.Arg(0))
		os.Exit(2)
	}
	if classes.replay != "" {
		if err := classes.playAgain(os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := classes.settings.Check(); err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		log.Fatalf("%s holds no site; run make build in the folder of Flockscope's source, or name its site with -dir", *dir)
	}
	if err := checkOrigin(*origin); err != nil {
		log.Fatal(err)
	}
	host := "localhost"
	if classes.wanted() {
		host = "" // phones are on other machines
	}
	listener, err := listen(*addr, host, os.Getenv("PORT"))
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
	if classes.wanted() {
		if err := s.holdClasses(ctx, classes, *origin, listener.Addr(), os.Stdout); err != nil {
			log.Fatal(err)
		}
	}
	err = s.serve(ctx, listener)
	if err = errors.Join(err, s.close()); err != nil {
		log.Fatal(err)
	}
}

// Rate limits of one address, behind which a whole class may sit. In a day one client can
// push only a small part of the others' links out of the store.
const (
	postsPerMinute    = 60
	postsPerDay       = 2000
	drawingsPerMinute = 60
)

// cacheSize bounds the pictures in memory, in bytes.
const cacheSize = 32 << 20

// maxConns returns how many connections may be open at once, for a limit of file
// descriptors: each connection may also hold a file, and some descriptors are for the
// server itself. A lecture hall of 300 browsers opens 1800 connections.
func maxConns(descriptors int) int {
	return max(min((descriptors-100)/2, 2000), 50)
}

// A server holds the handler of all requests and the limits of connections.
type server struct {
	handler         http.Handler
	web             *web.Server       // part of the handler
	headers         map[string]string // headers of every answer
	close           func() error      // closes the store
	log             *accessLog        // nil for none
	maxConns        int               // connections open at once
	writeTimeout    time.Duration     // for each piece of an answer; see [boundedListener]
	shutdownTimeout time.Duration     // time for answers in progress when the server is stopped
}

// newServer opens the site and the links. Without a store of links, or if it cannot be
// opened, it serves all the rest; the page then makes long links.
func newServer(dir, links, origin string) *server {
	s := site.Open(dir)
	answers := &web.Server{Schema: web.Schema, Page: s.Page, Check: web.Check, Origin: origin,
		Pictures: newCache(cacheSize),
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
		maxConns: maxConns(descriptors()), writeTimeout: 30 * time.Second, shutdownTimeout: 5 * time.Second}
}

// checkOrigin refuses an origin that is not scheme://host, with a port or without.
func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
		return fmt.Errorf("-origin: got %q, want scheme and host, such as https://flock.example.org", strings.TrimSpace(origin))
	}
	return nil
}

// firstPort to lastPort are tried in turn when no port is given.
const firstPort, lastPort = 8080, 8179

// listen opens the address, or else the port of a host, or else its first free port.
func listen(addr, host, port string) (net.Listener, error) {
	if addr == "" && port != "" {
		addr = net.JoinHostPort(host, port)
	}
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	for p := firstPort; p <= lastPort; p++ {
		listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p)))
		if !errors.Is(err, syscall.EADDRINUSE) {
			return listener, err
		}
	}
	return nil, fmt.Errorf("every port from %d to %d is taken; choose one with -addr", firstPort, lastPort)
}

// serve answers requests until ctx ends. Answers under way may then finish within
// shutdownTimeout; closing the connections that are left is no error.
func (s *server) serve(ctx context.Context, listener net.Listener) error {
	bounded := &boundedListener{Listener: listener, maxConns: s.maxConns, writeTimeout: s.writeTimeout,
		headers: s.headers, log: s.log}
	h := s.httpServer()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(bounded) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		shutdown, cancel := context.WithTimeout(context.Background(), s.shutdownTimeout)
		defer cancel()
		err := h.Shutdown(shutdown)
		if errors.Is(err, context.DeadlineExceeded) {
			err = h.Close()
		}
		return err
	}
}

// httpServer returns the HTTP server. It bounds how long a client may take to send a
// request, and how long the head of a request may be.
func (s *server) httpServer() *http.Server {
	return &http.Server{Handler: withLog(s.handler, s.headers, s.log), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		DisableGeneralOptionsHandler: true}
}

// address returns the listener's address as a URL.
func address(addr net.Addr) string {
	tcp := addr.(*net.TCPAddr)
	host := tcp.IP.String()
	if tcp.IP.IsLoopback() || tcp.IP.IsUnspecified() {
		host = "localhost"
	}
	return fmt.Sprintf("http://%s/", net.JoinHostPort(host, strconv.Itoa(tcp.Port)))
}
