//go:build !js

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"flockscope/wasm/class"
)

// classOptions are the flags of classes.
type classOptions struct {
	open, anybody bool
	replay        string // a recording to play again
	settings      class.Settings
}

func classFlags(flags *flag.FlagSet) *classOptions {
	o := &classOptions{settings: class.DefaultSettings}
	flags.BoolVar(&o.open, "class", false,
		"open a class and print the teacher's link; listens on all addresses, so that phones find it")
	flags.BoolVar(&o.anybody, "classes", false, "let everybody open a class at /class/")
	flags.Func("digits", "what phones of a class draw (default 2,4,7)", func(text string) (err error) {
		o.settings.Digits, err = digits(text)
		return err
	})
	flags.IntVar(&o.settings.Each, "each", o.settings.Each, "drawings of each digit that a phone trains on")
	flags.IntVar(&o.settings.Held, "held", o.settings.Held, "drawings of each digit that a phone holds out for evaluations")
	flags.StringVar(&o.replay, "replay", "", "play the recording of a class again, compare fingerprints, and exit")
	return o
}

func digits(text string) (list []int, err error) {
	for _, part := range strings.Split(text, ",") {
		d, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("want digits with commas between them, such as 2,4,7")
		}
		list = append(list, d)
	}
	return list, nil
}

func (o *classOptions) wanted() bool { return o.open || o.anybody }

// holdClasses adds classes to the server, opens one if that is wanted, and prints its links.
func (s *server) holdClasses(ctx context.Context, o *classOptions, origin string, addr net.Addr, out io.Writer) error {
	base := strings.TrimSuffix(address(addr), "/")
	if o.settings.Address = origin; origin == "" {
		if ip := ownAddress(addr, net.InterfaceAddrs); ip != "" {
			base = "http://" + net.JoinHostPort(ip, strconv.Itoa(addr.(*net.TCPAddr).Port))
			o.settings.Address = base
		}
	} else {
		base = origin
	}
	classes := class.NewServer(ctx, o.settings, o.anybody)
	site := s.handler
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/class/") || r.URL.Path == "/c" || strings.HasPrefix(r.URL.Path, "/c/") {
			classes.ServeHTTP(w, r)
			return
		}
		site.ServeHTTP(w, r)
	})
	if !o.open {
		return nil
	}
	c, err := classes.Open()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "The teacher's page, whose link is a secret, is at %s%s\n", base, c.TeacherPath())
	fmt.Fprintf(out, "Phones open %s/c/%s\n", base, c.Code)
	return nil
}

// ownAddress returns an address of this machine in its network; "" if the server listens on one address only, or there is
// no network.
func ownAddress(addr net.Addr, all func() ([]net.Addr, error)) string {
	if tcp, ok := addr.(*net.TCPAddr); !ok || !tcp.IP.IsUnspecified() {
		return ""
	}
	addresses, err := all()
	if err != nil {
		return ""
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return ""
}

// playAgain plays a recording again, and compares fingerprints.
func (o *classOptions) playAgain(w io.Writer) error {
	data, err := os.ReadFile(o.replay)
	if err != nil {
		return err
	}
	recorded, played, err := class.Replay(context.Background(), data)
	if err != nil {
		return fmt.Errorf("%s: %w", o.replay, err)
	}
	if !slices.Equal(recorded, played) {
		return fmt.Errorf("%s: the fingerprints were %s, and are now %s", o.replay, strings.Join(recorded, " "),
			strings.Join(played, " "))
	}
	_, err = fmt.Fprintf(w, "The run has the fingerprints that it had in class: %s\n", strings.Join(played, " "))
	return err
}
