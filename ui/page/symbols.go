package page

import (
	"strconv"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/formula"
	"flockscope/ui/host"
)

// The symbols of formulas: the one that is pointed at says what it is, and the
// figure in which it stands is lit. What they mean is [registry.Meta.Symbol].

// Marks returns what marks symbols in the formulas of the lane in focus. The first of
// each kind can have the focus.
func (p *Phases) Marks() formula.Mark {
	algorithm, met := p.page.Algorithm(p.page.Lane), map[string]bool{}
	return func(sign string) string {
		if _, ok := algorithm.Symbol(sign); !ok {
			return ""
		}
		attributes := ` data-sign="` + sign + `"`
		if !met[sign] {
			met[sign] = true
			attributes += ` tabindex="0"`
		}
		return attributes
	}
}

// PointSymbol puts the pointer's attention on a symbol, "" for none.
type PointSymbol struct{ Symbol string }

func (m PointSymbol) update(s *State) {
	if m.Symbol != s.Phases.Symbol {
		s.Phases.Symbol = m.Symbol
		s.effects.Redraw(host.Shell)
	}
}

// symbol is the one that is pointed at; false while there is none.
func (p *Phases) symbol() (registry.Symbol, bool) {
	if p.Symbol == "" || p.At == 0 || p.page.Run == nil {
		return registry.Symbol{}, false
	}
	algorithm := p.page.Algorithm(p.page.Lane)
	return algorithm.Symbol(p.Symbol)
}

// SymbolWords say what a symbol is, and of what shape and unit.
func (p *Phases) SymbolWords() string {
	s, ok := p.symbol()
	lane := p.page.LaneOfRun(p.page.Lane)
	if !ok || lane < 0 {
		return "Point at a symbol for its meaning."
	}
	info := &p.page.Run.Header.Lanes[lane]
	shape := Capital(formula.Text(say.Text(s.Shape), func(name, _ string) ([]string, bool) {
		text := p.lossUnit()
		switch name {
		case "P":
			text = say.Count(info.Size, "number")
		case "K":
			text = say.Count(info.Models, "number")
		case "C":
			text = strconv.Itoa(p.page.Run.Header.Clients)
		}
		return []string{text}, false
	}))
	return say.Textf("%s: %s. %s.", s.Sign, say.Message(s.Name), shape)
}

// lossUnit is what losses are counted in.
func (p *Phases) lossUnit() string {
	v := p.page.View(p.page.Lane)
	switch {
	case v.Classifies():
		return say.Text("in nats")
	case v.Pictures():
		return say.Text("no unit")
	}
	return say.Text("in squares of the unit of y")
}

// SymbolClasses are the classes of the page that light where the symbol stands.
func (p *Phases) SymbolClasses() []string {
	if s, ok := p.symbol(); ok && s.Seen != "" {
		return []string{"seen", "seen-" + s.Seen}
	}
	return nil
}
