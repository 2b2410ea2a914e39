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

// classUsage says what to do, and lists the flags that concern a class.
func classUsage(flags *flag.FlagSet) {
	fmt.Fprint(flags.Output(), `flock class opens a class: the phones of your students are the clients of a run. It needs no accounts.

  1. Show the teacher's page, whose link it prints, on the projector.
  2. Phones scan the picture on that page and draw a few digits.
  3. Ask everybody for a prediction, start the run, and look at the screen.
  4. End the class on the page, or press Ctrl+C here. The server keeps nothing of it.

Phones must reach this computer: use the same network, or a server on the web with -origin.
wasm/class/CLASS.md says more.

`)
	few := flag.NewFlagSet("flock class", flag.ContinueOnError)
	few.SetOutput(flags.Output())
	for _, name := range []string{"addr", "dir", "digits", "each", "held", "origin", "replay"} {
		f := flags.Lookup(name)
		few.Var(f.Value, name, f.Usage)
		few.Lookup(name).DefValue = f.DefValue
	}
	few.PrintDefaults()
	fmt.Fprintln(flags.Output(), "\nFurther flags are those of flock serve; flock serve -h lists them.")
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
	var others []string
	if o.settings.Address = origin; origin == "" {
		if found := ownAddresses(addr, net.InterfaceAddrs); len(found) > 0 {
			for i, ip := range found {
				found[i] = "http://" + net.JoinHostPort(ip, strconv.Itoa(addr.(*net.TCPAddr).Port))
			}
			base, others = found[0], found[1:]
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
	if len(others) > 0 {
		fmt.Fprintf(out, "If they cannot, start again with another address of this computer: -origin %s\n",
			strings.Join(others, " or -origin "))
	}
	return nil
}

// ownAddresses returns the addresses of this machine in its networks; none if the server listens on one address only, or
// there is no network.
func ownAddresses(addr net.Addr, all func() ([]net.Addr, error)) (found []string) {
	if tcp, ok := addr.(*net.TCPAddr); !ok || !tcp.IP.IsUnspecified() {
		return nil
	}
	addresses, err := all()
	if err != nil {
		return nil
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			found = append(found, n.IP.String())
		}
	}
	return found
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
