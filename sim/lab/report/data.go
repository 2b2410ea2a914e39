package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"flockscope/sim/lab/stats"
)

// WriteCSV writes one row per setting, method and measure:
//
//	the settings that are varied, a column each
//	method, measure
//	runs, n          how many runs there are, and how many have the measure
//	mean, sd, q1, median, q3
//	best             1 where no mean of the setting is better
//	query, fingerprint  of the run whose value is nearest to the mean
func (s *Study) WriteCSV(w io.Writer, o *Options) error {
	out := csv.NewWriter(w)
	var head []string
	for _, x := range s.Axes {
		head = append(head, x.Key)
	}
	out.Write(append(head, "method", "measure", "runs", "n", "mean", "sd", "q1", "median", "q3", "best",
		"query", "fingerprint"))
	s.entriesOf(o, func(e *dataEntry) {
		line := append([]string{}, e.At...)
		line = append(line, e.Method, e.Measure, strconv.Itoa(e.Runs), strconv.Itoa(e.N))
		for _, v := range []*float64{e.Mean, e.SD, e.Q1, e.Median, e.Q3} {
			text := ""
			if v != nil {
				text = strconv.FormatFloat(*v, 'g', -1, 64)
			}
			line = append(line, text)
		}
		best := "0"
		if e.Best {
			best = "1"
		}
		out.Write(append(line, best, e.Query, e.Fingerprint))
	})
	out.Flush()
	return out.Error()
}

// dataEntry is an entry of a table as JSON.
type dataEntry struct {
	At          []string  `json:"at"` // values of the axes, in their order
	Method      string    `json:"method"`
	Measure     string    `json:"measure"`
	Runs        int       `json:"runs"`
	N           int       `json:"n"` // number of runs with the measure
	Mean        *float64  `json:"mean"`
	SD          *float64  `json:"sd"`
	Q1          *float64  `json:"q1"`
	Median      *float64  `json:"median"`
	Q3          *float64  `json:"q3"`
	Best        bool      `json:"best"`
	Query       string    `json:"query"`
	Fingerprint string    `json:"fingerprint"`
	Values      []dataRun `json:"values"`
}

type dataRun struct {
	Seed        string  `json:"seed"`
	Value       float64 `json:"value"`
	Query       string  `json:"query"`
	Fingerprint string  `json:"fingerprint"`
}

type dataPair struct {
	A       string  `json:"a"`
	B       string  `json:"b"`
	Pairs   int     `json:"pairs"`
	Better  int     `json:"better"`
	Worse   int     `json:"worse"`
	Median  float64 `json:"median"`
	P       float64 `json:"p"`
	Holm    float64 `json:"holm"`
	Least   float64 `json:"least"` // least possible value of holm with this number of pairs
	Variant string  `json:"variant"`
}

type dataTest struct {
	Measure  string             `json:"measure"`
	Blocks   int                `json:"blocks"`
	Chi2     *float64           `json:"chi2"` // of Friedman's test; null for fewer than three methods or two blocks
	P        *float64           `json:"p"`
	Variant  string             `json:"variant"`
	Critical float64            `json:"critical"`
	Ranks    map[string]float64 `json:"ranks"`
	Tables   []dataRanks        `json:"tables,omitempty"`
	Pairs    []dataPair         `json:"pairs"`
}

type dataRanks struct {
	Name     string             `json:"name"`
	Blocks   int                `json:"blocks"`
	Critical float64            `json:"critical"`
	Ranks    map[string]float64 `json:"ranks"`
}

// dataSized is a number with its 95 % interval; null where there is none.
type dataSized struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func sized(v Sized) dataSized {
	known := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return dataSized{known(v.Value), known(v.Low), known(v.High)}
}

type dataVerdict struct {
	Worse   float64 `json:"worse"`
	Equal   float64 `json:"equal"`
	Better  float64 `json:"better"`
	Verdict string  `json:"verdict"`
}

func judged(v Judgement) dataVerdict {
	return dataVerdict{v.Worse, v.Equal, v.Better, v.String()}
}

type dataEffect struct {
	Method   string       `json:"method"`
	Runs     int          `json:"runs"`
	Middle   dataSized    `json:"middle"` // interquartile mean
	Mean     float64      `json:"mean"`
	Families []dataSized  `json:"families"`
	Profile  []dataSized  `json:"profile"`
	Verdict  *dataVerdict `json:"verdict,omitempty"` // of gains and shares
}

type dataEffectPair struct {
	Method      string      `json:"method"`
	Runs        int         `json:"runs"`
	Middle      dataSized   `json:"middle"`
	Improvement dataSized   `json:"improvement"`
	Verdict     dataVerdict `json:"verdict"`
}

type dataScore struct {
	Measure    string           `json:"measure"`
	Score      string           `json:"score"`
	Rope       float64          `json:"rope"`
	Families   []string         `json:"families"`
	Rows       int              `json:"rows"`
	Runs       int              `json:"runs"`
	References []string         `json:"references,omitempty"`
	Bounds     []float64        `json:"bounds"` // of the profiles
	Methods    []dataEffect     `json:"methods"`
	Against    string           `json:"against"`
	Pairs      []dataEffectPair `json:"pairs"`
	Notes      []string         `json:"notes"`
}

// data returns effects as JSON has them.
func (e *Effects) data(s *Study) dataScore {
	out := dataScore{Measure: e.Measure.Name, Score: string(e.Score), Rope: e.Rope, Families: e.Families, Rows: e.Rows,
		Runs: e.Runs, References: e.References, Against: s.Methods[e.Against], Pairs: []dataEffectPair{},
		Notes: append([]string{}, e.Notes...)}
	for _, b := range e.Bounds {
		out.Bounds = append(out.Bounds, e.shown(Sized{Value: b}).Value)
	}
	for i := range e.Methods {
		x := &e.Methods[i]
		d := dataEffect{Method: s.Methods[x.Method], Runs: x.Runs, Middle: sized(e.shown(x.Middle)),
			Mean: e.shown(Sized{Value: x.Mean}).Value}
		for _, v := range x.ByFamily {
			d.Families = append(d.Families, sized(e.shown(v)))
		}
		for _, v := range x.Profile {
			d.Profile = append(d.Profile, sized(v))
		}
		if e.Score != Raw {
			v := judged(x.Verdict)
			d.Verdict = &v
		}
		out.Methods = append(out.Methods, d)
	}
	for i := range e.Pairs {
		p := &e.Pairs[i]
		out.Pairs = append(out.Pairs, dataEffectPair{s.Methods[p.Method], p.Runs, sized(p.Middle), sized(p.Improvement),
			judged(p.Verdict)})
	}
	return out
}

// WriteJSON writes everything in a report as JSON, with every run.
func (s *Study) WriteJSON(w io.Writer, o *Options) error {
	against, err := s.against(o)
	if err != nil {
		return err
	}
	type axis struct {
		Key    string   `json:"key"`
		Values []string `json:"values"`
	}
	var out struct {
		Axes    []axis             `json:"axes"`
		Methods []string           `json:"methods"`
		Seeds   []string           `json:"seeds"`
		Notes   []string           `json:"notes"`
		Entries []dataEntry        `json:"entries"`
		Scores  []dataScore        `json:"scores,omitempty"`
		Tests   []dataTest         `json:"tests"`
		Worse   map[string]float64 `json:"worseOffThanAlone"`
	}
	out.Axes, out.Methods, out.Seeds, out.Notes, out.Tests = []axis{}, s.Methods, s.Seeds, append([]string{},
		s.Notes...), []dataTest{}
	for _, x := range s.Axes {
		out.Axes = append(out.Axes, axis{x.Key, x.Labels})
	}
	s.entriesOf(o, func(e *dataEntry) { out.Entries = append(out.Entries, *e) })
	out.Worse = map[string]float64{}
	for method, name := range s.Methods {
		if e := s.WorseOff(method); e.N > 0 {
			out.Worse[name] = e.Mean
		}
	}
	columns, err := s.columns(o.Columns)
	if err != nil {
		return err
	}
	ranks := func(mean []float64, c *Comparison) map[string]float64 {
		out := map[string]float64{}
		for i, rank := range mean {
			out[s.Methods[c.Methods[i]]] = rank
		}
		return out
	}
	if o.Score != "" {
		if err := s.checkScore(o, against); err != nil {
			return err
		}
	}
	for _, m := range s.measures(o) {
		if o.Score != "" && m.best() {
			if e := s.Effects(m, o, against); e != nil {
				out.Scores = append(out.Scores, e.data(s))
			}
		}
		c := s.Compare(m, o.Unit, against)
		test := dataTest{Measure: m.Name, Blocks: c.Blocks, Variant: string(c.Variant), Critical: c.Critical,
			Ranks: ranks(c.Mean, &c), Pairs: []dataPair{}}
		if c.Variant != "" {
			test.Chi2, test.P = &c.Chi2, &c.P
		}
		for _, r := range s.Ranked(m, o.Unit, columns, &c) {
			test.Tables = append(test.Tables, dataRanks{r.Name, r.Blocks, r.Critical, ranks(r.Mean, &c)})
		}
		for _, p := range c.Pairs {
			if p.N+p.Zeros > 0 {
				test.Pairs = append(test.Pairs, dataPair{s.Methods[p.A], s.Methods[p.B], p.N + p.Zeros,
					p.Better, p.Worse, p.Median, p.P, p.Holm, p.MinHolm, string(p.Variant)})
			}
		}
		out.Tests = append(out.Tests, test)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(&out)
}

func (s *Study) entriesOf(o *Options, visit func(*dataEntry)) {
	for _, m := range s.measures(o) {
		for setting := range s.settings {
			best := math.NaN()
			for method := range s.Methods {
				e := s.Entry(setting, method, m)
				v, up := stats.Round(e.Mean), m.HigherIsBetter
				if e.N > 0 && !(up && v <= best || !up && v >= best) {
					best = v
				}
			}
			for method, name := range s.Methods {
				e := s.Entry(setting, method, m)
				if e.Runs == 0 {
					continue
				}
				d := dataEntry{At: s.Values(setting), Method: name, Measure: m.Name, Runs: e.Runs, N: e.N,
					Values: []dataRun{}}
				if e.N > 0 {
					d.Mean, d.SD, d.Q1, d.Median, d.Q3 = &e.Mean, &e.SD, &e.Q1, &e.Median, &e.Q3
					typical := e.Typical(SD)
					d.Best, d.Query, d.Fingerprint = stats.Round(e.Mean) == best, typical.Query, typical.Fingerprint
				}
				for seed, text := range s.Seeds {
					r := s.Run(setting, method, seed)
					if v, ok := m.Value(r); ok {
						d.Values = append(d.Values, dataRun{text, v, r.Query, r.Fingerprint})
					}
				}
				visit(&d)
			}
		}
	}
}
