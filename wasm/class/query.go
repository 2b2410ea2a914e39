//go:build !js

package class

import (
	"fmt"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/workload"
)

// Options are what a teacher chooses for a run.
type Options struct {
	Methods string  `json:"methods"` // comma-separated, as in algos=
	Rounds  int     `json:"rounds"`
	Noise   float64 `json:"noise"` // noise on updates, in clipping norms; 0 for neither noise nor clipping
	More    string  `json:"more"`  // further settings, as in a link
	Record  bool    `json:"record"`
}

// Side is the width and the height of a drawing, in pixels.
const Side = 28

// DefaultOptions are those of a run that the teacher has not changed.
var DefaultOptions = Options{Methods: "cflgp,fedavg", Rounds: 30}

// queryOf returns the query of a run with a number of clients. Data and model are fixed: the samples are the drawings of
// the phones, of which half are turned. Other settings can be replaced by o.More.
func queryOf(o Options, clients int) string {
	pairs := [][2]string{{"data", "samples"}, {"shift", "rotations"}, {"angles", "0,180"}, {"C", strconv.Itoa(clients)},
		{"net", "softmax"}, {"K", "2"}, {"lr", rate}, {"b", "100"}, {"probe", "100"}, {"T", strconv.Itoa(o.Rounds)},
		{"every", "1"}, {"algos", o.Methods}}
	if o.Noise > 0 {
		pairs = append(pairs, [2]string{"private", "noise"}, [2]string{"clip", "1"},
			[2]string{"gauss", strconv.FormatFloat(o.Noise, 'g', -1, 64)})
	}
	more := strings.Trim(o.More, "&? ")
	var q strings.Builder
	for n, p := range pairs {
		fixed := n < 5
		if fixed || !strings.Contains("&"+more, "&"+p[0]+"=") {
			fmt.Fprintf(&q, "&%s=%s", p[0], p[1])
		}
	}
	if more != "" {
		q.WriteString("&" + more)
	}
	return q.String()[1:]
}

// rate is the learning rate. On the digits of FEMNIST's writers, with six drawings each, CFL-GP keeps the two kinds of
// phones apart in more draws than with larger ones, and models are still good after 30 rounds; CLASS.md has the numbers.
const rate = "0.05"

// configOf returns the experiment of a query with its data, or an error that tells what to change.
func configOf(query string, group, held, digits []int) (experiment.Config, *workload.Remote, error) {
	c, problems := catalog.Schema().Parse(query)
	for _, p := range problems {
		if p.Unread != "K" { // every class has two kinds of phones, and some methods need no number of models
			return c, nil, p
		}
	}
	if c.Workload() != "samples" || c.Value("net") != "softmax" {
		return c, nil, fmt.Errorf("a class trains a softmax regression on its own drawings; leave out data= and net=")
	}
	var names []string
	for _, d := range digits {
		names = append(names, strconv.Itoa(d))
	}
	data, err := workload.NewRemote(group, held, Side, names)
	if err != nil {
		return c, nil, err
	}
	return c, data, engine.CheckRemote(c, data)
}
