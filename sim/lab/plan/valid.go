package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/version"
)

// Records come from files, from servers and from other programs, which may be broken or lie. [ParseRecord] refuses
// numbers that no run can have; [Record.Fits] those that the run of the record's own query cannot have. Whether the
// numbers are correct can only be found by replaying the run, as flock verify does.

// rounding is the tolerance at the ends of a range, for the rounding of sums.
const rounding = 1e-6

// The kinds of ranges.
const (
	share  = iota + 1 // 0 to 1
	rand              // −1 to 1
	amount            // at least 0
	client            // a whole number from 0 to the number of clients
	round             // a whole number from 0 to the number of rounds
)

// ranges has the range of each number of a lane and of a record.
var ranges = map[string]int{
	"ari": rand, "ari_participants": rand, "nmi": share, "purity": share, "accuracy": share, "weakest": share, "val": share, "test": share,
	"misplaced": client, "clusters": client, "settled": round, "found": round, "round": round, "diverged": round,
	"loss": amount, "worst": amount, "price": amount, "down": amount, "up": amount, "time": amount,
	"floats": amount, "seconds": amount, "computed": amount, "attack": share, "classes": amount, "models": amount,
	"ari10": rand, "ari10_participants": rand, "first90": round, "first90_participants": round, "first90of": round,
	"peak": round, "stable": round, "stopped": round, "best_round": round, "most_clusters": client, "gap": amount, "rounds": round,
	"best": share, "best_val": share, "best_test": share, "test_then": share, "val_then": share, "transmissions": amount,
}

// invalidError says that a record has an impossible value.
type invalidError struct{ cell, where, field, got, want string }

func (w *invalidError) Error() string {
	return fmt.Sprintf("cannot be right: record %s has %s%s = %s; allowed is %s", w.cell, w.where, w.field, w.got, w.want)
}

// check returns an error if a number of the record is out of its range: rounds above T and clients above C, where −1
// means unknown.
func (r *Record) check(rounds, clients int) error {
	bad := func(where, field, got, want string) error { return &invalidError{r.Cell, where, field, got, want} }
	ranges := func(where string, members []member) error {
		for _, m := range members {
			v, has := number(m.value)
			if !has {
				continue
			}
			low, high, want := 0.0, math.MaxFloat64, "a finite number of at least 0"
			switch ranges[m.key] {
			case share:
				high, want = 1, "a number from 0 to 1"
			case rand:
				low, high, want = -1, 1, "a number from -1 to 1"
			case client:
				high, want = upTo(clients)
			case round:
				high, want = upTo(rounds)
			case 0:
				continue
			}
			if !(v >= low-rounding && v <= high+rounding) {
				return bad(where, m.key, say.Figures(v, 15), want)
			}
		}
		return nil
	}
	if err := ranges("", r.members()); err != nil {
		return err
	}
	for _, m := range [][2]string{{"query", r.Query}, {"data", r.Data}, {"error", r.Error}, {"build", r.Build}} {
		// a terminal might execute control characters
		if r.Version == version.Engine && strings.ContainsFunc(m[1], unicode.IsControl) {
			return bad("", m[0], param.Quote(m[1]), "a text without control characters")
		}
	}
	if len(r.Lanes) == 0 {
		return nil // the cell failed
	}
	prints := make([]uint64, len(r.Lanes))
	for i := range r.Lanes {
		l := &r.Lanes[i]
		where := "in lane " + strconv.Quote(l.Lane) + " "
		if err := ranges(where, l.members()); err != nil {
			return err
		}
		for _, v := range l.Clients {
			if !(v >= 0 && v <= 1+rounding) {
				return bad(where, "clients", say.Figures(float64(v), 7), "numbers from 0 to 1")
			}
		}
		for name, list := range map[string][]float32{"reached": l.Reached, "reached_computed": l.ReachedComputed,
			"curve_ari": l.CurveARI, "curve_clusters": l.CurveClusters, "curve_score": l.CurveScore,
			"curve_floats": l.CurveFloats, "curve_computed": l.CurveComputed, "contents": l.Contents,
			"losses": l.Losses} {
			if len(list) > maxContents {
				return bad(where, name, strconv.Itoa(len(list))+" numbers", "at most "+strconv.Itoa(maxContents))
			}
		}
		if field, got, want := l.disagrees(); field != "" && r.Version == version.Engine {
			return bad(where, field, got, want)
		}
		if clients >= 0 && len(l.Clients) > clients {
			return bad(where, "clients", strconv.Itoa(len(l.Clients))+" numbers", "one for each of "+strconv.Itoa(clients))
		}
		var err error
		if prints[i], err = strconv.ParseUint(l.Fingerprint, 16, 64); err != nil ||
			l.Fingerprint != fmt.Sprintf("%016x", prints[i]) {
			return bad(where, "fingerprint", quoted(l.Fingerprint), "16 hexadecimal digits")
		}
	}
	if r.Version == version.Engine && r.Fingerprint != trace.Result(prints) {
		return bad("", "fingerprint", quoted(r.Fingerprint), trace.Result(prints)+", which is that of its lanes")
	}
	return nil
}

// disagrees returns a field that contradicts another one, its value, and what is allowed; "" for none.
func (l *Lane) disagrees() (field, got, want string) {
	below := func(a, b *float64) bool { return a != nil && b != nil && *a < *b-float64(rounding*(1+*b)) }
	switch {
	case (l.Found == nil) != (l.Price == nil):
		return "price", shown(l.Price), "null where found is null, and nowhere else"
	case l.Settled != nil && (l.Found == nil || *l.Found > *l.Settled):
		return "settled", strconv.Itoa(*l.Settled), "a round in which the clustering had been found"
	case below(l.Worst, l.Loss):
		return "worst", shown(l.Worst), "a number of at least loss, " + shown(l.Loss)
	case below(l.Accuracy, l.Weakest):
		return "weakest", shown(l.Weakest), "a number of at most accuracy, " + shown(l.Accuracy)
	}
	return "", "", ""
}

func shown(v *float64) string {
	if v == nil {
		return "null"
	}
	return say.Figures(*v, 15)
}

// upTo returns the upper end of a range of whole numbers, as a number and in words.
func upTo(most int) (float64, string) {
	if most < 0 {
		return math.MaxInt32, "a whole number of at least 0"
	}
	return float64(most), "a whole number from 0 to " + strconv.Itoa(most)
}

// quoted quotes a text from elsewhere for a message.
func quoted(text string) string {
	const most = 40
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// number returns the numeric value of a member.
func number(value any) (v float64, has bool) {
	switch p := value.(type) {
	case *int:
		return float64(*p), true
	case *float64:
		return *p, true
	case **int:
		if *p != nil {
			return float64(**p), true
		}
	case **float64:
		if *p != nil {
			return **p, true
		}
	}
	return 0, false
}

// Fits returns an error if the record cannot be one of the experiment of its query:
// another query, other lanes, or more rounds or clients than there are.
func (r *Record) Fits(c *experiment.Config) error {
	if query := c.String(); r.Query != query {
		return &invalidError{r.Cell, "", "query", quoted(r.Query), "the canonical form, " + query}
	}
	return r.fits(newLimits(c))
}

// A Checker checks records of any queries, each as [Record.Fits] does. It caches parsed queries, because records of a
// sweep mostly differ in their seeds.
type Checker struct {
	schema *experiment.Schema
	mu     sync.Mutex
	known  map[string]limits
}

// NewChecker returns a checker of records of this version of the engine. Records of other versions pass, because their
// queries may mean something else here.
func NewChecker(schema *experiment.Schema) *Checker {
	return &Checker{schema: schema, known: map[string]limits{}}
}

// maxCached is the maximum number of cached queries.
const maxCached = 10_000

// Check returns an error if a record is not possible. It may be called by several goroutines.
func (k *Checker) Check(r *Record) error {
	if r.Version != version.Engine {
		return nil
	}
	key := k.seedless(r.Query)
	k.mu.Lock()
	defer k.mu.Unlock()
	if known, ok := k.known[key]; ok {
		return r.fits(known)
	}
	c, problems := k.schema.Parse(r.Query)
	if err := experiment.Strict(problems); err != nil {
		return &invalidError{r.Cell, "", "query", quoted(r.Query), "a query that flock check accepts: " + err.Error()}
	}
	if err := r.Fits(&c); err != nil {
		return err
	}
	if len(k.known) == maxCached {
		clear(k.known)
	}
	k.known[key] = newLimits(&c)
	return nil
}

// seedless returns a canonical query without its seeds, which are at its end.
func (k *Checker) seedless(query string) string {
	parts := strings.Split(query, "&")
	for _, f := range slices.Backward(k.schema.Seeds) {
		seed, ok := strings.CutPrefix(parts[len(parts)-1], f.Name+"=")
		n, err := strconv.ParseUint(seed, 10, 32)
		if ok && err == nil && strconv.FormatUint(n, 10) == seed && seed != f.Default {
			parts = parts[:len(parts)-1]
		}
	}
	return strings.Join(parts, "&")
}

// limits are the limits of an experiment's records, whatever its seeds.
type limits struct {
	lanes           []string
	rounds, clients int // clients is −1 if the user's file determines the number
}

func newLimits(c *experiment.Config) limits {
	out := limits{clients: -1}
	for i := range c.Lanes() {
		out.lanes = append(out.lanes, c.Lanes()[i].ID())
	}
	out.rounds, _ = strconv.Atoi(c.Value("T"))
	if !c.FromFile() {
		out.clients, _ = strconv.Atoi(c.Value("C"))
	}
	return out
}

func (r *Record) fits(limits limits) error {
	if r.Error != "" {
		return nil
	}
	var lanes []string
	for i := range r.Lanes {
		lanes = append(lanes, r.Lanes[i].Lane)
	}
	if !slices.Equal(lanes, limits.lanes) {
		return &invalidError{r.Cell, "", "lanes", fmt.Sprintf("%.100q", lanes), fmt.Sprintf("those of its query, %q", limits.lanes)}
	}
	return r.check(limits.rounds, limits.clients)
}
