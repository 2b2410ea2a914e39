package main

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"flockscope/sim/engine"
	"flockscope/sim/say"
)

var _ = register(command{
	name: "export", args: "[-o FILE] [-rounds] QUERY", run: export,
	doc: "what a run is made of and what came out, as NumPy arrays; -o run.npz",
})

// export writes the inputs and results of a run to an NPZ file: a ZIP archive of NumPy arrays, with a description of
// each.
func export(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("export")
	path := fs.String("o", "run.npz", "the file to write")
	rounds := fs.Bool("rounds", false, "with the models of every round")
	c, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	f, err := newFile(*path, "-o")
	if err != nil {
		return err
	}
	e, err := engine.Export(ctx, c, file, *rounds)
	if err != nil && !errors.Is(err, context.Canceled) { // the engine rejects a run that is not possible
		err = badInput(err)
	}
	if err == nil {
		err = writeNPZ(f, e)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(*path)
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s; run.json and README.txt in it say what they are\n", *path,
		say.Amount(len(e.Arrays), "array"))
	return err
}

// newFile creates a file, which must not exist yet; flag is the one that names it.
func newFile(path, flag string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, badInput(fmt.Errorf("%s exists already; name another file with %s", path, flag))
	} else if err != nil {
		return nil, badInput(err)
	}
	return f, nil
}

// manifest is the content of run.json.
type manifest struct {
	Format  int    `json:"format"`
	Query   string `json:"query"`
	Clients int    `json:"clients"`
	Rounds  int    `json:"rounds"`
	Groups  int    `json:"groups"` // 0 if unknown
	Batch   int    `json:"b"`
	// The settings that the run reads, by key; those of a lane are in the lane.
	Settings   map[string]string `json:"settings"`
	Parameters []parameterPart   `json:"parameters,omitempty"`
	Lanes      []manifestLane    `json:"lanes"`
	Arrays     []manifestArray   `json:"arrays"`
}

// parameterPart is a range of a network's parameter vector, from Low to High − 1.
type parameterPart struct {
	Name string `json:"name"`
	Low  int    `json:"low"`
	High int    `json:"high"`
}

type manifestLane struct {
	Lane        string  `json:"lane"`
	Algorithm   string  `json:"algorithm"`
	Models      int     `json:"models"`
	Parameters  int     `json:"parameters"`
	Rate        float64 `json:"lr"`
	Epochs      int     `json:"tau"` // 0: clients send gradients
	Probe       int     `json:"probe"`
	Diverged    *int    `json:"diverged,omitempty"` // round of the divergence
	Fingerprint string  `json:"fingerprint"`

	Settings map[string]string `json:"settings"`
}

type manifestArray struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
	Doc   string `json:"doc"`
}

// readme is README.txt up to the list of arrays.
const readme = `A run of Flockscope, for others to repeat with code of their own.

The experiment: %s

numpy.load opens the arrays below by their names; numpy.load(path)["run.json"] is a text that says the same as this one,
for programs, and what the settings of each lane come to. Lanes, clients, models, rounds and samples count from 0.

A client's loss is the mean over samples of: the squared error, where a number is predicted; the cross-entropy in nats,
where there are classes; the mean squared error over a sample's numbers, where it is rebuilt. A line has the parameters
slope and offset, or the slope alone. A network has one vector of them, in parts that run.json lists; the weights of a dense
layer are a matrix inputs × outputs, row by row, those of a convolution filters × (channels × rows × columns).

With tau = 0 a client's update is the gradient of its loss on its minibatch, and a model moves by lr times the mean update
of its clients. Otherwise a client trains a copy, tau times through its samples in the given order, b at a time, and a
model becomes the mean of these copies. The engine computes gradients of networks in 32 bits, means in 64.
A client that trains starts a fresh optimiser, unless keep=kept: SGD; momentum v <- 0.9 v + g and theta <- theta - lr v; or Adam with 0.9, 0.999
and 1e-8. Settings are in run.json: those of the run, and those that each lane reads.

Everything random comes from SplitMix64, one stream for each purpose and each place in the run:

    M = 2**64 - 1
    def mix(x):
        x = (x + 0x9E3779B97F4A7C15) & M
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & M
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & M
        return x ^ x >> 31
    class Stream:
        def __init__(self, seed, purpose, a, b=0):
            self.state = mix(mix(mix(mix(seed ^ 0x9E3779B97F4A7C15) ^ purpose) ^ a) ^ b)
        def word(self):
            w, self.state = mix(self.state), (self.state + 0x9E3779B97F4A7C15) & M
            return w
        def uniform(self): return (self.word() >> 11) / 2**53                     # in [0, 1)
        def below(self, n): return self.word() * n >> 64                          # whole, in [0, n)
        def normal(self): return scipy.special.ndtri(((self.word() >> 12) + 0.5) / 2**52)

The samples, their order, the start models, and who takes part are in the arrays. The rest is drawn from these streams, with the
seeds sd (data), sm (models) and sa (algorithm), t from 0 and round = t + 1:

    noise on updates (private=noise)    (sa, 9, 65536 round + exchange, 65536 client + update): one normal number for each
                                        parameter; exchanges of a round, and updates of a client in one, count from 0:
                                        first those of its own model, then of a model for all to be compared by
    where k-means starts                (sa, 4, t, 0), in methods that find several clusterings in a round (sa, 4, t, 1 and up)
    labels before the first round       (sa, 3, client, 0): below(K)
    what a client draws for itself      (sd, 10, round, client)
    who lies                            (sd, 16, 0, 0)
    the noise of a lie (lie=noise)      (sd, 16, 65536 round + exchange, 65536 client + lie): one normal number for each parameter
    who is moved to small clusters (rr) (sa, 14, t, exchange)
    coordinates compared (cr)           (sa, 6, 0, 0)
    fixed projection of inputs          (sm, 12, 0, 0): inputs × dims normal numbers, row by row, over √inputs; and how far
                                        from the mean Gaussians begin, in standard deviations (sm, 12, 1 + Gaussian, 0)

A shuffle, or a part of one, is: for j in range(n): k = j + below(len(a) - j); swap a[j] and a[k]. k-means starts by greedy
k-means++: the first centre is point below(n); then all draws of a start are uniform(), 2 + floor(ln k) candidates for each further
centre; a candidate is the first point at which the running sum of squared distances reaches uniform() times their sum. Ten
starts, at most 300 steps of Lloyd each, one stream for all; the least inertia wins, the first on ties.

Arrays:
`

// writeNPZ writes a run as an NPZ file.
func writeNPZ(w io.Writer, e *engine.Exported) error {
	z := zip.NewWriter(w)
	m := manifest{Format: 1, Query: e.Header.Query, Clients: e.Header.Clients, Rounds: e.Header.Rounds,
		Groups: e.Header.Groups, Batch: e.Batch, Settings: e.Settings}
	for _, p := range e.Parts {
		m.Parameters = append(m.Parameters, parameterPart{p.Name, p.Lo, p.Hi})
	}
	for i, l := range e.Header.Lanes {
		lane := manifestLane{Lane: l.ID, Algorithm: l.Algorithm, Models: l.Models, Parameters: l.Size, Rate: e.Rate[i],
			Epochs: e.Epochs[i], Settings: e.LaneSettings[i],
			Probe: e.Probe[i], Fingerprint: fmt.Sprintf("%016x", e.Summaries[i].Fingerprint)}
		if d := e.Summaries[i].Diverged; d >= 0 {
			lane.Diverged = &d
		}
		m.Lanes = append(m.Lanes, lane)
	}
	var text strings.Builder
	fmt.Fprintf(&text, readme, m.Query)
	for _, a := range e.Arrays {
		kind, err := writeArray(z, a)
		if err != nil {
			return err
		}
		m.Arrays = append(m.Arrays, manifestArray{a.Name, kind, a.Shape, a.Doc})
		fmt.Fprintf(&text, "\n%s, %s %v\n    %s\n", a.Name, kind, a.Shape, a.Doc)
	}
	list, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	for _, file := range [][2]string{{"run.json", string(list) + "\n"}, {"README.txt", text.String()}} {
		f, err := z.Create(file[0])
		if err == nil {
			_, err = io.WriteString(f, file[1])
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// writeArray adds an array in NumPy's format, version 1.0, and returns its type.
func writeArray(z *zip.Writer, a engine.Array) (kind string, err error) {
	switch a.Values.(type) {
	case []float32:
		kind = "<f4"
	case []float64:
		kind = "<f8"
	case []int32:
		kind = "<i4"
	default:
		return "", fmt.Errorf("array %s: NumPy's format has no type %T here", a.Name, a.Values)
	}
	f, err := z.Create(a.Name + ".npy")
	if err != nil {
		return "", err
	}
	sizes := make([]string, len(a.Shape))
	for i, n := range a.Shape {
		sizes[i] = fmt.Sprint(n)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", kind, strings.Join(sizes, ", "))
	// Magic, version and length take ten bytes; everything before the numbers is padded to a multiple of 64.
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	prefix := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	if _, err := f.Write(append(prefix, header...)); err != nil {
		return "", err
	}
	return kind, binary.Write(f, binary.LittleEndian, a.Values)
}
