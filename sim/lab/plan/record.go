package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/trace"
)

// Record is the result of one cell. A cell that failed has an Error and no lanes.
//
// Seconds and Build differ between computers, and comparisons of records ignore them.
type Record struct {
	Cell        string  `json:"cell"`
	Query       string  `json:"query"`
	Floats      float64 `json:"floats,omitempty"`
	Data        string  `json:"data,omitempty"`
	Version     int     `json:"version"`               // version of the engine
	Fingerprint string  `json:"fingerprint,omitempty"` // fingerprint of the run, as the page shows it
	Lanes       []Lane  `json:"lanes,omitempty"`
	Error       string  `json:"error,omitempty"`
	Seconds     float64 `json:"seconds,omitempty"` // wall-clock time
	Build       string  `json:"build,omitempty"`   // build of the program
}

// Lane is the result of one lane.
type Lane struct {
	Lane string `json:"lane"` // ID in the query
	// Round is the round after which the scores were taken; only with a budget.
	Round *int `json:"round,omitempty"`
	Scores
	// Clients are the accuracies of the honest clients, in their order; Accuracy is their mean and
	// Weakest the least. Records of older programs have none.
	Clients []float32 `json:"clients,omitempty"`
	History
}

// Scores are the numbers of a lane's last finite frame within the budget. Missing values are null or absent: ARI,
// Misplaced, NMI, Purity, Settled, Found and Price without known groups and of methods that make no clusters; Accuracy
// and Weakest where models classify nothing; Val and Test without test clients; Loss, Worst, Accuracy, Weakest, Val and
// Test where models were not evaluated after that frame's round.
type Scores struct {
	ARI       *float64 `json:"ari"`       // adjusted Rand index, of all clients that have replied so far
	Misplaced *int     `json:"misplaced"` // least number of clients to move until the clustering is correct
	NMI       *float64 `json:"nmi"`
	Purity    *float64 `json:"purity"`
	// ARIParticipants is the index of the participants of the last round, if not all clients take part.
	ARIParticipants *float64 `json:"ari_participants,omitempty"`

	// Both count from the first round after which every client has replied.
	Settled  *int     `json:"settled"` // first round from which the clustering stays correct
	Found    *int     `json:"found"`   // first round after which the clustering was correct
	Price    *float64 `json:"price"`   // floats down and up until Found, per client
	Loss     *float64 `json:"loss"`    // mean over clients
	Worst    *float64 `json:"worst"`   // the largest loss of a client
	Accuracy *float64 `json:"accuracy,omitempty"`
	Weakest  *float64 `json:"weakest,omitempty"` // least accuracy of an honest client
	Val      *float64 `json:"val,omitempty"`
	Test     *float64 `json:"test,omitempty"`
	// Attack is how often honest clients' models take a picture with a backdoor's patch for the first class.
	Attack      *float64 `json:"attack,omitempty"`
	Clusters    int      `json:"clusters"`
	Down        float64  `json:"down"`               // floats received, per client
	Up          float64  `json:"up"`                 // floats sent, per client
	Computed    float64  `json:"computed,omitempty"` // multiply-adds of models, per client
	Time        float64  `json:"time,omitempty"`
	Diverged    *int     `json:"diverged,omitempty"` // round in which the lane diverged
	Cause       string   `json:"cause,omitempty"`
	Fingerprint string   `json:"fingerprint"` // 16 hexadecimal digits
}

// ScoresOf returns the scores of a lane at its end. judges means that the clustering can be correct or not, classifies
// that models are classifiers, and partial that some clients may not take part.
func ScoresOf(s *trace.Summary, judges, classifies, partial bool, weakest float64) Scores {
	out := Scores{Clusters: s.Clusters, Down: s.Down, Up: s.Up, Computed: s.Computed, Time: s.Time,
		Cause: s.Cause.String(), Fingerprint: fmt.Sprintf("%016x", s.Fingerprint)}
	evaluated := !math.IsNaN(s.Loss) || s.Diverged < 0
	if evaluated {
		out.Loss, out.Worst = &s.Loss, &s.Worst
	}
	if judges {
		out.ARI, out.Misplaced, out.NMI, out.Purity = &s.ARI, &s.Misplaced, &s.NMI, &s.Purity
	}
	if judges && partial && !math.IsNaN(s.ARIParticipants) {
		out.ARIParticipants = &s.ARIParticipants
	}
	if classifies && evaluated {
		out.Accuracy, out.Weakest = &s.Accuracy, &weakest
		if s.Val != 0 || s.Test != 0 {
			out.Val, out.Test = &s.Val, &s.Test
		}
		if s.Attack != 0 {
			out.Attack = &s.Attack
		}
	}
	if judges && s.FirstCorrect >= 0 {
		out.Found, out.Price = &s.FirstCorrect, &s.CostToCorrect
	}
	if judges && s.Settled >= 0 {
		out.Settled = &s.Settled
	}
	if s.Diverged >= 0 {
		out.Diverged = &s.Diverged
	}
	return out
}

// Failed returns the record of a cell that could not be computed.
func (c *Cell) Failed(why string) Record {
	r := c.record()
	r.Error = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' ' // control characters become spaces: one line, harmless in a terminal
		}
		return c
	}, why)
	return r
}

func (c *Cell) record() Record {
	return Record{Cell: c.ID, Query: c.Query, Floats: c.Floats, Data: c.Data, Version: c.Version}
}

// Plain returns the record without the fields that differ between computers.
func (r Record) Plain() Record {
	r.Seconds, r.Build = 0, ""
	return r
}

// Without returns the record as an older program wrote it, without scores of single clients.
func (r Record) Without() Record {
	r.Lanes = slices.Clone(r.Lanes)
	for i := range r.Lanes {
		r.Lanes[i].Clients = nil
	}
	return r
}

// Same reports whether two records hold the same result; builds and times may differ.
func Same(a, b *Record) bool { return len(Mismatches(a, b)) == 0 }

// Mismatch is a member of a result that differs between two records of a cell. A and B are its values as JSON,
// shortened if they are long, or "nothing" if a record does not have it.
type Mismatch struct{ Lane, Key, A, B string }

func (m Mismatch) String() string {
	text := fmt.Sprintf("%s %s and %s", m.Key, m.A, m.B)
	if m.Lane != "" {
		text = "in lane " + strconv.Quote(m.Lane) + " " + text
	}
	return text
}

// Mismatches returns the differences between two records of a cell, lane by lane.
func Mismatches(a, b *Record) (out []Mismatch) {
	x, y := a.Plain(), b.Plain()
	if x.HasClients() != y.HasClients() { // one record is of an older program
		x, y = x.Without(), y.Without()
	}
	if x.hasHistory() != y.hasHistory() {
		x, y = x.withoutHistory(), y.withoutHistory()
	}
	if x.hasLosses() != y.hasLosses() {
		x, y = x.withoutLosses(), y.withoutLosses()
	}
	if len(x.Lanes) == len(y.Lanes) {
		for i := range x.Lanes {
			out = append(out, mismatches(x.Lanes[i].Lane, x.Lanes[i].members(), y.Lanes[i].members())...)
		}
		x.Lanes, y.Lanes = nil, nil
	}
	return append(out, mismatches("", x.members(), y.members())...)
}

func mismatches(lane string, a, b []member) (out []Mismatch) {
	for i := range a {
		x, y := a[i].text(), b[i].text()
		if x != y {
			out = append(out, Mismatch{lane, a[i].key, cut(x), cut(y)})
		}
	}
	return out
}

// text returns a value as JSON, or "nothing" if JSON omits it or cannot represent it.
func (m *member) text() string {
	text, err := appendValue(nil, m.value)
	if err != nil || m.omitEmpty && empty(m.value) {
		return "nothing"
	}
	return string(text)
}

// cut shortens a long text.
func cut(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// HasClients reports whether a lane has scores of single clients.
func (r *Record) HasClients() bool {
	return slices.ContainsFunc(r.Lanes, func(l Lane) bool { return l.Clients != nil })
}

func (r *Record) hasHistory() bool {
	return slices.ContainsFunc(r.Lanes, func(l Lane) bool { return l.Rounds > 0 })
}

func (r Record) withoutHistory() Record {
	r.Lanes = slices.Clone(r.Lanes)
	for i := range r.Lanes {
		r.Lanes[i].History = History{}
	}
	return r
}

func (r *Record) hasLosses() bool {
	return slices.ContainsFunc(r.Lanes, func(l Lane) bool { return l.Losses != nil })
}

func (r Record) withoutLosses() Record {
	r.Lanes = slices.Clone(r.Lanes)
	for i := range r.Lanes {
		r.Lanes[i].Losses, r.Lanes[i].Models = nil, 0
	}
	return r
}

// Run returns the record of a cell that did not fail as a run of a [sweep.Table].
func (r *Record) Run() *sweep.Run {
	out := &sweep.Run{Lanes: make([]sweep.Outcome, len(r.Lanes))}
	whole := func(p *int) int {
		if p == nil {
			return -1
		}
		return *p
	}
	float := func(p *float64) float64 {
		if p == nil {
			return 0
		}
		return *p
	}
	for i := range r.Lanes {
		l := &r.Lanes[i]
		out.HasTruth = out.HasTruth || l.ARI != nil
		out.Classifies = out.Classifies || l.Accuracy != nil
		o := sweep.Outcome{ARI: float(l.ARI), Misplaced: max(whole(l.Misplaced), 0), Loss: math.NaN(),
			Accuracy: float(l.Accuracy), Val: float(l.Val), Test: float(l.Test),
			Settled: whole(l.Settled), Diverged: whole(l.Diverged)}
		if l.Loss != nil {
			o.Loss = *l.Loss
		}
		o.Fingerprint, _ = strconv.ParseUint(l.Fingerprint, 16, 64)
		out.Lanes[i] = o
	}
	return out
}

// Measures: the names of the scores that tables show, in their order.
var Measures = []string{"ari", "accuracy", "misplaced", "loss", "settled", "val", "test", "ari_participants"}

// Value returns a score by its name in [Measures]; ok is false where there is none. Loss, accuracy, val and test leave
// out lanes that diverged, whose numbers are those before the divergence.
func (s *Scores) Value(measure string) (v float64, ok bool) {
	finite := s.Diverged == nil
	float := func(p *float64, ok bool) (float64, bool) {
		if p == nil || !ok {
			return 0, false
		}
		return *p, true
	}
	whole := func(p *int) (float64, bool) {
		if p == nil {
			return 0, false
		}
		return float64(*p), true
	}
	switch measure {
	case "ari":
		return float(s.ARI, true)
	case "accuracy":
		return float(s.Accuracy, finite)
	case "misplaced":
		return whole(s.Misplaced)
	case "loss":
		return float(s.Loss, finite)
	case "settled":
		return whole(s.Settled)
	case "val":
		return float(s.Val, finite)
	case "test":
		return float(s.Test, finite)
	case "ari_participants":
		return float(s.ARIParticipants, true)
	}
	panic("plan: no measure " + measure)
}
