//go:build unix

package cluster

import (
	"fmt"
	"net"
	"regexp"
	"testing"

	"github.com/nats-io/nats.go"
)

// Beyond this computer nobody joins without the password that was given or made; on this
// computer none is asked for.
func TestListenPassword(t *testing.T) {
	for _, tt := range []struct {
		text, want string // what others are told, with . for any text
	}{
		{"127.0.0.1:0", `nats://127\.0\.0\.1:\d+`},
		{"ann:s3cret@127.0.0.1:0", `nats://ann:PASSWORD@127\.0\.0\.1:\d+`},
		{"0.0.0.0:0", `nats://flock:[A-Z2-7]{26}@[^/@ ]+:\d+`},
	} {
		l, err := ParseListen(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		srv, err := startServer(t.TempDir(), &l)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
		port := srv.Addr().(*net.TCPAddr).Port
		told := l.address(port)
		if !regexp.MustCompile("^" + tt.want + "$").MatchString(told) {
			t.Errorf("-listen %s: others are told %s", tt.text, told)
		}
		_, err = nats.Connect(fmt.Sprintf("nats://127.0.0.1:%d", port))
		if open := err == nil; open != (l.user == nil) {
			t.Errorf("-listen %s: a stranger gets %v", tt.text, err)
		}
		if l.user != nil {
			if _, err = nats.Connect(fmt.Sprintf("nats://%s:wrong@127.0.0.1:%d", l.user.Username(), port)); err == nil {
				t.Errorf("-listen %s: a wrong password is taken", tt.text)
			}
			password, _ := l.user.Password()
			conn, err := nats.Connect(fmt.Sprintf("nats://%s:%s@127.0.0.1:%d", l.user.Username(), password, port))
			if err != nil {
				t.Errorf("-listen %s: the right password is refused: %v", tt.text, err)
			} else {
				conn.Close()
			}
		}
	}
	for text, password := range map[string]bool{"localhost:4222": false, "[::1]:0": false, ":4222": true, "[::]:4222": true,
		"10.0.0.7:4222": true, "node7:4222": true, "127.0.0.1.example:4222": true} {
		if l, err := ParseListen(text); err != nil || (l.user != nil) != password || l.generated != password {
			t.Errorf("-listen %s: got %+v, %v; want a password: %v", text, l, err, password)
		}
	}
	for _, text := range []string{"4222", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "ann@0.0.0.0:1",
		"ann:@0.0.0.0:1", ":x@0.0.0.0:1"} {
		if _, err := ParseListen(text); err == nil {
			t.Errorf("-listen %s is taken", text)
		}
	}
}

// Kubernetes replaces $(NAME), and $$ by $.
func TestYAMLList(t *testing.T) {
	if got, want := yamlList([]string{"$(HOME)", "a, b", `"`}), `["$$(HOME)", "a, b", "\""]`; got != want {
		t.Errorf("a list of YAML is %s, want %s", got, want)
	}
}
