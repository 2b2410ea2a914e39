//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A server with classes prints the links, lets phones in over WebSockets, and serves the site as before.
func TestServeClass(t *testing.T) {
	t.Parallel()
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	o := classFlags(flags)
	if err := flags.Parse([]string{"-class", "-digits", "1,8", "-each", "3"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var printed bytes.Buffer
	r := run(t, "", func(s *server) {
		err := s.holdClasses(ctx, o, "https://flock.example.org", &net.TCPAddr{IP: net.IPv4zero, Port: 80}, &printed)
		if err != nil {
			t.Fatal(err)
		}
	})
	code := regexp.MustCompile(`https://flock\.example\.org/c/([A-Z0-9]{6})\n`).FindStringSubmatch(printed.String())
	if code == nil || !strings.Contains(printed.String(), "https://flock.example.org/class/"+code[1]+"#") {
		t.Fatalf("it printed %s", printed.String())
	}
	conn, _, err := websocket.Dial(ctx, "ws://"+r.address+"/class/"+code[1]+"/phone", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.Write(ctx, websocket.MessageText, []byte(`{"type":"join"}`))
	if _, said, err := conn.Read(ctx); err != nil || !bytes.Contains(said, []byte(`"digits":[1,8]`)) {
		t.Errorf("the phone was told %s, %v", said, err)
	}
	for path, want := range map[string]string{"/c/" + code[1]: "phone.js", "/class/pages/train.js": "gradient",
		"/": "Flockscope"} {
		if _, answer := r.get(path); !strings.Contains(answer, want) {
			t.Errorf("GET %s has no %q", path, want)
		}
	}
	cancel() // ends the class, as the end of the server does
	if _, _, err := conn.Read(context.Background()); websocket.CloseStatus(err) != 4001 {
		t.Errorf("the class ended with %v", err)
	}
}

func TestClassFlags(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{"2", "2,2", "2,10", "2,x", ""} {
		flags := flag.NewFlagSet("serve", flag.ContinueOnError)
		flags.SetOutput(new(bytes.Buffer))
		o := classFlags(flags)
		if err := errors.Join(flags.Parse([]string{"-digits=" + digits}), o.settings.Check()); err == nil {
			t.Errorf("-digits=%s is no error", digits)
		}
	}
}

func TestOwnAddress(t *testing.T) {
	t.Parallel()
	all := func() ([]net.Addr, error) {
		return []net.Addr{&net.IPNet{IP: net.IPv4(127, 0, 0, 1)}, &net.IPNet{IP: net.ParseIP("fe80::1")},
			&net.IPNet{IP: net.IPv4(192, 168, 1, 7)}, &net.IPNet{IP: net.IPv4(10, 0, 0, 2)}}, nil
	}
	if got := fmt.Sprint(ownAddresses(&net.TCPAddr{IP: net.IPv6unspecified, Port: 80}, all)); got != "[192.168.1.7 10.0.0.2]" {
		t.Errorf("the addresses are %s", got)
	}
	if got := ownAddresses(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, all); got != nil {
		t.Errorf("of a server on one address they are %v", got)
	}
}

// A teacher who asks for help is told what to do, and gets the flags of a class alone.
func TestClassUsage(t *testing.T) {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	var out bytes.Buffer
	flags.SetOutput(&out)
	for _, name := range []string{"addr", "dir", "origin", "links"} {
		flags.String(name, "", "")
	}
	o := classFlags(flags)
	flags.Usage = func() { classUsage(flags) }
	if err := flags.Parse([]string{"-class", "-each", "3", "-h"}); err != flag.ErrHelp || !o.open {
		t.Fatal(err)
	}
	for _, want := range []string{"teacher's page", "-digits", "-each int", "(default 2)", "-origin", "flock serve -h"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the help lacks %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "-links") {
		t.Errorf("the help has flags that no class needs:\n%s", &out)
	}
}
