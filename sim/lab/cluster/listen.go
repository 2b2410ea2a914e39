//go:build !js

package cluster

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
)

// Listener is the address at which others can reach the server in this process, and their credentials.
type Listener struct {
	host      string // "" for all addresses of this computer
	port      int    // 0 for any
	user      *url.Userinfo
	generated bool   // the password was generated here
	loopback  bool   // only programs on this computer can reach it
	text      string // text as given, without a password
}

// ParseListen reads [NAME:PASSWORD@]ADDRESS:PORT. Other computers could send wrong results or take cells. So if they
// can reach the address and no password is given, one is generated.
func ParseListen(text string) (l Listener, err error) {
	who, where, given := cutLast(text, "@")
	host, port, err := net.SplitHostPort(where)
	l.port, _ = strconv.Atoi(port)
	if err != nil || port != strconv.Itoa(l.port) || l.port < 0 || l.port > 65535 {
		return l, inputErrorf("-listen: got %q, want address:port, such as 127.0.0.1:4222 or name:password@0.0.0.0:4222",
			where)
	}
	l.host, l.text = host, where
	ip := net.ParseIP(host)
	l.loopback = host == "localhost" || ip != nil && ip.IsLoopback()
	if given {
		name, password, _ := strings.Cut(who, ":")
		if name == "" || password == "" {
			return l, inputErrorf("-listen: got a credential without a name or a password before %s, want name:password@%s",
				where, where)
		}
		l.user = url.UserPassword(name, password)
	} else if !l.loopback {
		l.user, l.generated = url.UserPassword("flock", rand.Text()), true
	}
	return l, nil
}

// cutLast splits a text at the last mark. Without a mark, found is false and after is the whole text.
func cutLast(text, mark string) (before, after string, found bool) {
	i := strings.LastIndex(text, mark)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(mark):], true
}

// address returns the address with which workers join, once the port is known. It omits a password that the user gave.
func (l *Listener) address(port int) string {
	host := l.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname()
		host = cmp.Or(name, "HOST")
	}
	u := url.URL{Scheme: "nats", Host: net.JoinHostPort(host, strconv.Itoa(port)), User: l.user}
	if l.user != nil && !l.generated {
		u.User = nil
		return fmt.Sprintf("nats://%s:PASSWORD@%s", url.PathEscape(l.user.Username()), u.Host)
	}
	return u.String()
}

// startServer starts a server inside this process. If the listener is nil, no other process can reach it.
func startServer(dir string, l *Listener) (*natsserver.Server, error) {
	options := &natsserver.Options{JetStream: true, StoreDir: dir, DontListen: l == nil, NoSigs: true, NoLog: true}
	if l != nil {
		free, err := net.Listen("tcp", l.text) // listen first: the server would not report the error
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
