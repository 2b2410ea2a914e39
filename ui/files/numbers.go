package files

import (
	"strconv"
	"strings"

	"flockscope/sim/trace"
)

// CSV writes the rounds of a run with one row per lane and round; judged reports whether the
// clustering of a lane can be judged. Unknown values are empty: ari and misplaced without planted
// groups and for lanes that do not cluster, loss and accuracy in rounds without evaluation. Up and
// down are floats per client so far, and computed the multiply-adds of models per client so far, empty
// in runs of older programs. A run with test clients has two more columns, val and test. If not all
// clients take part, ari is over all clients that have taken part so far, and the last column,
// ari_participants, is over the round's participants.
func CSV(run *trace.Run, judged func(lane int) bool) []byte {
	out := []byte("lane,round,ari,misplaced,loss,accuracy,clusters,up,down,computed")
	visited := HasTestClients(run)
	if visited {
		out = append(out, ",val,test"...)
	}
	partial := IsPartial(run)
	if partial {
		out = append(out, ",ari_participants"...)
	}
	out = append(out, '\n')
	for lane := range run.Tracks {
		known := judged(lane)
		for i := range run.Tracks[lane].Frames {
			f := &run.Tracks[lane].Frames[i]
			cell := func(v float64, known bool) {
				out = append(out, ',')
				if known && v-v == 0 {
					out = strconv.AppendFloat(out, v, 'g', -1, 64)
				}
			}
			out = append(out, run.Header.Lanes[lane].ID...)
			cell(float64(f.Round), true)
			cell(f.ARI, known)
			cell(float64(f.Misplaced), known)
			cell(f.Loss, true)
			cell(f.Accuracy, len(f.Confusion) > 0)
			cell(float64(f.Clusters), true)
			cell(f.Up, true)
			cell(f.Down, true)
			cell(f.Computed, f.Round == 0 || f.Computed > 0)
			if visited {
				cell(f.Val, len(f.Confusion) > 0)
				cell(f.Test, len(f.Confusion) > 0)
			}
			if partial {
				cell(f.ARIParticipants, known && f.Events.Has(trace.Partial))
			}
			out = append(out, '\n')
		}
	}
	return out
}

// HasTestClients reports whether a run has test clients: the canonical query omits the default,
// none.
func HasTestClients(run *trace.Run) bool { return strings.Contains(run.Header.Query, "&guests=") }

// IsPartial reports whether only some clients take part in a round.
func IsPartial(run *trace.Run) bool {
	frames := run.Tracks[0].Frames
	return len(frames) > 1 && frames[1].Events.Has(trace.Partial)
}

// JSON writes the same data, and the model of each client in every round.
//
//	{"query", "fingerprint", "clients", "rounds", "groups": group of each client or null,
//	 "liars": numbers of the clients that lie, if any,
//	 "lanes": [{"id", "algorithm", "title", "models", "fingerprint", "settled", "diverged",
//	   "rounds": [{"round", "ari", "misplaced", "loss", "accuracy", "clusters", "up", "down",
//	     "computed", "labels": model of each client, "val", "test" with test clients, and
//	     "ari_participants" if not all clients take part}]}]}
func JSON(run *trace.Run, fingerprint string, judged func(lane int) bool) []byte {
	h := run.Header
	w := writer{}
	w.open('{')
	w.text("query", h.Query)
	w.text("fingerprint", fingerprint)
	w.number("clients", float64(h.Clients), true)
	w.number("rounds", float64(h.Rounds), true)
	w.key("groups")
	if h.HasTruth() {
		writeInts(&w, h.Group)
	} else {
		w.writeRaw("null")
	}
	if len(h.Liar) > 0 {
		w.key("liars")
		var liars []int16
		for i := range h.Clients {
			if h.Lies(i) {
				liars = append(liars, int16(i+1))
			}
		}
		writeInts(&w, liars)
	}
	w.key("lanes")
	visited := HasTestClients(run)
	w.open('[')
	for lane := range h.Lanes {
		w.lane(&h.Lanes[lane], &run.Tracks[lane], judged(lane), visited)
	}
	w.close(']')
	w.close('}')
	return append(w.b, '\n')
}

// lane writes a lane with all its rounds.
func (w *writer) lane(info *trace.Lane, track *trace.Track, judged, visited bool) {
	w.open('{')
	w.text("id", info.ID)
	w.text("algorithm", info.Algorithm)
	w.text("title", info.Title)
	w.number("models", float64(info.Models), true)
	if s := track.Summary; s != nil {
		w.text("fingerprint", hex16(s.Fingerprint))
		w.number("settled", float64(s.Settled), judged && s.Settled >= 0)
		w.number("diverged", float64(s.Diverged), s.Diverged >= 0)
	}
	w.key("rounds")
	w.open('[')
	for i := range track.Frames {
		f := &track.Frames[i]
		w.open('{')
		w.number("round", float64(f.Round), true)
		w.number("ari", f.ARI, judged)
		w.number("misplaced", float64(f.Misplaced), judged)
		w.number("loss", f.Loss, true)
		w.number("accuracy", f.Accuracy, len(f.Confusion) > 0)
		w.number("clusters", float64(f.Clusters), true)
		w.number("up", f.Up, true)
		w.number("down", f.Down, true)
		w.number("computed", f.Computed, f.Round == 0 || f.Computed > 0)
		w.key("labels")
		writeInts(w, f.Label)
		if visited {
			w.number("val", f.Val, len(f.Confusion) > 0)
			w.number("test", f.Test, len(f.Confusion) > 0)
		}
		if f.Events.Has(trace.Partial) {
			w.number("ari_participants", f.ARIParticipants, judged)
		}
		w.close('}')
	}
	w.close(']')
	w.close('}')
}

func hex16(v uint64) string {
	text := strconv.FormatUint(v, 16)
	return "0000000000000000"[len(text):] + text
}

// writer writes JSON. A comma precedes every element but the first of a list.
type writer struct {
	b     []byte
	comma bool
}

func (w *writer) next() {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.comma = true
}

func (w *writer) open(bracket byte) {
	w.next()
	w.b, w.comma = append(w.b, bracket), false
}

func (w *writer) close(bracket byte) { w.b, w.comma = append(w.b, bracket), true }

func (w *writer) key(name string) {
	w.next()
	w.b, w.comma = append(append(append(w.b, '"'), name...), '"', ':'), false
}

func (w *writer) writeRaw(text string) {
	w.next()
	w.b = append(w.b, text...)
}

func (w *writer) text(key, value string) {
	w.key(key)
	w.writeRaw(quote(value))
}

// number writes a number, or null if it is unknown.
func (w *writer) number(key string, v float64, known bool) {
	w.key(key)
	if !known || v-v != 0 {
		w.writeRaw("null")
		return
	}
	w.writeRaw(strconv.FormatFloat(v, 'g', -1, 64))
}

// writeInts writes a list of integers.
func writeInts[T int16 | uint16](w *writer, values []T) {
	w.open('[')
	for _, v := range values {
		w.writeRaw(strconv.Itoa(int(v)))
	}
	w.close(']')
}

// quote returns a text as a JSON string.
func quote(text string) string {
	out := []byte{'"'}
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ':
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			out = append(out, string(r)...)
		}
	}
	return string(append(out, '"'))
}
