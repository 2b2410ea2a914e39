// Command serve serves the built site.
//
//	go run ./wasm/serve -dir .build/site
//	go run ./wasm/serve -dir .build/site -addr 0.0.0.0:8080
//
// Without -addr it takes the port in the environment variable PORT; without
// that, 8080 or the next free port.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"flockscope/wasm/site"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("serve: ")
	dir := flag.String("dir", ".build/site", "directory of the built site")
	addr := flag.String("addr", "", "host:port to listen on")
	flag.Parse()
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		log.Fatalf("%s holds no site; run: make build", *dir)
	}
	listener, err := listen(*addr, os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	if err := serve(listener, site.Handler(*dir)); err != nil {
		log.Fatal(err)
	}
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
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
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
