//go:build !js

package main

import (
	"errors"
	"flag"
)

type natsFlags struct{ url string }

func (n *natsFlags) add(fs *flag.FlagSet) { fs.StringVar(&n.url, "nats", "", "") }

func (s *sweepFlags) cluster(workers int) (place, error) {
	return local{workers}, errors.ErrUnsupported
}
