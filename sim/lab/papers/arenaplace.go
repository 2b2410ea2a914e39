package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/tune"
)

// Place says which run of the arena a lane of a record is.
type Place struct {
	Row   int // index in [Sweep.AllRows]
	Lane  string
	Kind  MethodKind
	Tuned bool // it has the settings that were chosen for its family
	// K is the number of clusters that the lane was told if that is not the right one; else 0.
	K    int
	Seed int
}

// Placer finds the places of records by their queries alone, so that records of any files, and of methods that the plan
// of these files did not have, stand in one table.
type Placer struct {
	s        *Sweep
	entrants map[string]Entrant // by lane
	others   map[string]Entrant // lanes with names of their own
	drawn    map[string]int     // rows by what FedAvg's query would be, with the first seeds
	lines    map[string]int     // as drawn, for reference lines that change settings of the whole run
	rows     []rowKeys
	own      map[[2]string]string // settings of a lane by row and lane, and in families with tuned ones
	asFedAvg map[string]string    // what normal has computed
	sets     map[string]string    // names of sets by the hashes of their files
	found    map[[2]string]int    // what onFiles has found, by set and query without seeds
	told     map[[2]string]int    // numbers of clusters by lane and query without seeds
}

// rowKeys are the settings that a row has.
type rowKeys struct {
	pairs [][2]string // without those of lanes and seeds
	k     int         // the right number of clusters, or what stands for it
}

// Placer returns a Placer for the rows of a sweep on all sets.
func (s *Sweep) Placer() (*Placer, error) {
	p := &Placer{s: s, entrants: map[string]Entrant{}, others: map[string]Entrant{}, drawn: map[string]int{},
		lines: map[string]int{}, own: map[[2]string]string{}, asFedAvg: map[string]string{}, sets: map[string]string{},
		found: map[[2]string]int{}, told: map[[2]string]int{}}
	for _, e := range s.Entrants() {
		p.entrants[e.Lane] = e
	}
	for i, r := range s.rows {
		text := over(s.draft.Query, r.Settings)
		c, problems := catalog.Schema().Parse(over(text, "algos=ifca"))
		if err := experiment.Strict(problems); err != nil && r.Set == "" {
			return nil, fmt.Errorf("row %s: %w", r.Label, err)
		}
		keys := rowKeys{}
		keys.k, _ = strconv.Atoi(c.Value("K"))
		for pair := range strings.SplitSeq(text, "&") {
			if key, value, _ := strings.Cut(pair, "="); !slices.Contains([]string{"data", "algos", "K"}, key) {
				keys.pairs = append(keys.pairs, [2]string{key, value})
			}
		}
		p.rows = append(p.rows, keys)
		if r.Set != "" {
			continue
		}
		p.drawn[p.normal(text)] = i
		for _, e := range p.entrants {
			if whole := wholeRun(e.Value); whole != "" {
				p.lines[p.normal(over(text, whole))+" "+e.Lane] = i
			}
		}
	}
	return p, nil
}

// over returns a query with settings that take precedence.
func over(query, settings string) string {
	var out []string
	set := plan.SettingsOf(settings)
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if _, replaced := set[key]; !replaced && pair != "" {
			out = append(out, pair)
		}
	}
	return strings.Join(append(out, settings), "&")
}

// wholeRun returns the settings of a value of algos that are not a lane's own.
func wholeRun(value string) string {
	_, settings, _ := strings.Cut(value, "&")
	var out []string
	for setting := range strings.SplitSeq(settings, "&") {
		if key, _, _ := strings.Cut(setting, "="); key != "" && !strings.Contains(key, ".") {
			out = append(out, setting)
		}
	}
	return strings.Join(out, "&")
}

// normal returns what the query of FedAvg's run on the same clients is, with the first seeds: equal for all methods.
func (p *Placer) normal(query string) string {
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if !strings.Contains(key, ".") && !slices.Contains([]string{"algos", "sd", "sm", "sa", "K"}, key) {
			kept = append(kept, pair)
		}
	}
	text := strings.Join(kept, "&")
	if out, ok := p.asFedAvg[text]; ok {
		return out
	}
	c, _ := catalog.Schema().Parse(text + "&algos=fedavg")
	out := c.String()
	p.asFedAvg[text] = out
	return out
}

// Learn finds out whose files records on files have: those of the set most of whose rows they are on. Call it with all
// records before Find.
func (p *Placer) Learn(records []plan.Record) {
	on := map[string]map[string]map[int]bool{} // rows by hash and set
	for i := range records {
		r := &records[i]
		if r.Data == "" {
			continue
		}
		if on[r.Data] == nil {
			on[r.Data] = map[string]map[int]bool{}
		}
		for _, set := range p.s.Sets() {
			if row := p.onFiles(r, set); row >= 0 {
				if on[r.Data][set] == nil {
					on[r.Data][set] = map[int]bool{}
				}
				on[r.Data][set][row] = true
			}
		}
	}
	for hash, sets := range on {
		best, most := "", 0.0
		for _, set := range p.s.Sets() {
			all := 0
			for _, r := range p.s.rows {
				if r.Set == set {
					all++
				}
			}
			// Of sets whose rows are all there the one with the most rows; two sets may have a row in common.
			found := float64(len(sets[set]))
			if score := found/float64(all) + found/100; score > most {
				best, most = set, score
			}
		}
		p.sets[hash] = best
	}
}

// seedless returns a query without its seeds.
func seedless(query string) string {
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if key, _, _ := strings.Cut(pair, "="); key != "sd" && key != "sm" && key != "sa" {
			kept = append(kept, pair)
		}
	}
	return strings.Join(kept, "&")
}

// onFiles returns the row of a set that a record is on, −1 for none.
func (p *Placer) onFiles(r *plan.Record, set string) int {
	key := [2]string{set, seedless(r.Query)}
	row, known := p.found[key]
	if !known {
		row = p.searchFiles(r, set)
		p.found[key] = row
	}
	return row
}

func (p *Placer) searchFiles(r *plan.Record, set string) int {
	c, _ := catalog.Schema().Parse(r.Query)
	found, most := -1, 0
	for i, keys := range p.rows {
		if p.s.rows[i].Set != set {
			continue
		}
		fits := true
		for _, pair := range keys.pairs {
			got := c.Value(pair[0])
			if with, err := c.With(pair[0], pair[1]); err == nil && with.Reads(pair[0]) {
				fits = fits && (with.Value(pair[0]) == got || p.entrantSets(r, pair[0]))
			}
		}
		if fits && len(keys.pairs) > most {
			found, most = i, len(keys.pairs)
		}
	}
	return found
}

// entrantSets reports whether the method of a record has a setting of the whole run for itself.
func (p *Placer) entrantSets(r *plan.Record, key string) bool {
	return slices.ContainsFunc(r.Lanes, func(l plan.Lane) bool {
		_, sets := plan.SettingsOf(wholeRun(p.entrants[l.Lane].Value))[key]
		return sets
	})
}

// Find returns the place of a lane of a record; false if it is on no row, or has other settings than the arena's.
func (p *Placer) Find(r *plan.Record, lane int) (Place, bool) {
	id := r.Lanes[lane].Lane
	out := Place{Row: -1, Lane: id}
	if plan.SettingsOf(r.Query)[tune.HoldsBack] == "1" { // a try, from which settings are chosen
		return out, false
	}
	if r.Data != "" {
		out.Row = p.onFiles(r, p.sets[r.Data])
	} else {
		normal := p.normal(r.Query)
		rows := p.drawn
		if wholeRun(p.entrants[id].Value) != "" {
			rows, normal = p.lines, normal+" "+id
		}
		if row, ok := rows[normal]; ok {
			out.Row = row
		}
	}
	if out.Row < 0 || r.Floats > 0 {
		return out, false
	}
	entrant, known := p.entrants[id]
	if !known {
		if entrant, known = p.others[id]; !known {
			entrant = p.s.entrant(id, "", "")
			p.others[id] = entrant
		}
		known = false
	}
	out.Kind = entrant.Kind
	own := ownSettings(r.Query, id)
	if own != p.ownOf(out.Row, id, false) && known {
		if out.Tuned = own == p.ownOf(out.Row, id, true); !out.Tuned {
			return out, false
		}
	}
	pairs := plan.SettingsOf(r.Query)
	out.Seed = 1
	if text, ok := pairs["sd"]; ok {
		out.Seed, _ = strconv.Atoi(text)
	}
	if entrant.Kind == NeedsK {
		if k := p.toldK(r, lane); k != p.rows[out.Row].k {
			out.K = k
		}
	}
	return out, true
}

// toldK returns the number of clusters that a lane of a record was told.
func (p *Placer) toldK(r *plan.Record, lane int) int {
	key := [2]string{r.Lanes[lane].Lane, seedless(r.Query)}
	k, known := p.told[key]
	if !known {
		c, _ := catalog.Schema().Parse(r.Query)
		k, _ = strconv.Atoi(c.LaneValue(lane, "K"))
		p.told[key] = k
	}
	return k
}

// ownSettings returns a lane's own settings in a query, except K.
func ownSettings(query, lane string) string {
	var out []string
	for pair := range strings.SplitSeq(query, "&") {
		if setting, own := strings.CutPrefix(pair, lane+"."); own && !strings.HasPrefix(setting, "K=") {
			out = append(out, setting)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "&")
}

// ownOf returns a lane's own settings in the arena's query of a row.
func (p *Placer) ownOf(row int, lane string, tuned bool) string {
	r := p.s.rows[row]
	family := ""
	if tuned {
		family = r.Family
	}
	key := [2]string{strconv.Itoa(row) + family, lane}
	if own, ok := p.own[key]; ok {
		return own
	}
	value := p.entrants[lane].Value
	if tuned {
		value = "none"
		if of, ok := p.s.WithTuned(r.Family); ok {
			for _, e := range of.Entrants() {
				if e.Lane == lane {
					value = e.Value
				}
			}
		}
	}
	c, _ := catalog.Schema().Parse(over(over(p.s.draft.Query, r.Settings), "algos="+value))
	p.own[key] = ownSettings(c.String(), lane)
	return p.own[key]
}
