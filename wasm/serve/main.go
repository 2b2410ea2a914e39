//go:build !js

// Command serve serves the built site, its short links and their previews.
//
//	go run ./wasm/serve -dir .build/site
//	go run ./wasm/serve -dir .build/site -addr 0.0.0.0:8080 -origin https://flock.example.org
//
// Without -addr it takes the port in the environment variable PORT; without
// that, 8080 or the next free port. Behind a proxy that speaks TLS, -origin
// says what the address is that people see.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
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
	printLicences := flag.Bool("licences", false, "print the licences of everything that this program is made of, and end")
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
	handler, done := handler(*dir, *links, *origin)
	err = serve(listener, handler)
	done()
	if err != nil {
		log.Fatal(err)
	}
}

// What a client may do in a minute. A class may sit behind one address.
const (
	postsAMinute    = 60
	drawingsAMinute = 60
)

// cacheRoom is what kept answers may take, in bytes.
const cacheRoom = 32 << 20

// handler returns what answers, and what to call when nothing is to be
// answered any more. Without a place for links it serves all the rest: the page
// then makes long links.
func handler(dir, links, origin string) (http.Handler, func()) {
	s := site.Open(dir)
	server := &web.Server{Schema: web.Schema, Page: s.Page, Check: checkRun, Origin: origin,
		Posts: newLimiter(postsAMinute), Drawings: newLimiter(drawingsAMinute)}
	done := func() {}
	if links != "" {
		kept, key, err := openStore(links)
		if err != nil {
			log.Printf("there are no short links: %v; -links picks another file", err)
		} else {
			server.Store, server.Key = kept, key
			done = func() { kept.Close() }
		}
	}
	return newCache(s.Handler(server), s.Version, cacheRoom), done
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

// serve answers until the process is told to stop, then lets the answers that
// are on their way finish.
func serve(listener net.Listener, handler http.Handler) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Printf("Flockscope is at %s\n", address(listener.Addr()))
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		stop() // a second signal ends the process at once
		shutdown, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return server.Shutdown(shutdown)
	}
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
