//go:build !js

package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// listener is where the server inside this program can be reached, and by whom.
type listener struct {
	host     string // "" for all addresses of this computer
	port     int    // 0 for any
	user     *url.Userinfo
	made     bool   // the password was made here
	loopback bool   // nobody but programs on this computer can reach it
	text     string // as it was given, without a password
}

// parseListen reads [NAME:PASSWORD@]ADDRESS:PORT. Beyond this computer anybody could send
// results, or take cells, so there a password is made where none is given.
func parseListen(text string) (l listener, err error) {
	who, where, given := cutLast(text, "@")
	host, port, err := net.SplitHostPort(where)
	l.port, _ = strconv.Atoi(port)
	if err != nil || port != strconv.Itoa(l.port) || l.port < 0 || l.port > 65535 {
		return l, badInput(fmt.Errorf("-listen: got %q, want address:port, such as 127.0.0.1:4222 or name:password@0.0.0.0:4222",
			where))
	}
	l.host, l.text = host, where
	ip := net.ParseIP(host)
	l.loopback = host == "localhost" || ip != nil && ip.IsLoopback()
	if given {
		name, password, _ := strings.Cut(who, ":")
		if name == "" || password == "" {
			return l, badInput(fmt.Errorf("-listen: got a credential without a name or a password before %s, want name:password@%s",
				where, where))
		}
		l.user = url.UserPassword(name, password)
	} else if !l.loopback {
		l.user, l.made = url.UserPassword("flock", rand.Text()), true
	}
	return l, nil
}

// cutLast cuts a text at the last mark; found is false, and after all of it, without one.
func cutLast(text, mark string) (before, after string, found bool) {
	i := strings.LastIndex(text, mark)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(mark):], true
}

// address is what workers are given to join, once the port is known. A password that
// somebody gave is not repeated.
func (l *listener) address(port int) string {
	host := l.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		name, _ := os.Hostname()
		host = cmp.Or(name, "HOST")
	}
	u := url.URL{Scheme: "nats", Host: net.JoinHostPort(host, strconv.Itoa(port)), User: l.user}
	if l.user != nil && !l.made {
		u.User = nil
		return fmt.Sprintf("nats://%s:PASSWORD@%s", url.PathEscape(l.user.Username()), u.Host)
	}
	return u.String()
}
