package page

import (
	"strconv"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/formula"
	"flockscope/ui/host"
)

// The symbols of formulas: the page explains the one under the pointer and highlights the figure
// that shows it. [registry.Meta.Symbol] has their meanings.

// Marks returns the function that marks symbols in the formulas of the focused lane. The first mark
// of each symbol can get the keyboard focus.
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

// PointSymbol: the pointer is over a symbol, "" for none.
type PointSymbol struct{ Symbol string }

func (m PointSymbol) update(s *State) {
	if m.Symbol != s.Phases.Symbol {
		s.Phases.Symbol = m.Symbol
		s.effects.Redraw(host.Shell)
	}
}

// pointedSymbol returns the symbol under the pointer; false if there is none.
func (p *Phases) pointedSymbol() (registry.Symbol, bool) {
	if p.Symbol == "" || p.At == 0 || p.page.Run == nil {
		return registry.Symbol{}, false
	}
	algorithm := p.page.Algorithm(p.page.Lane)
	return algorithm.Symbol(p.Symbol)
}

// SymbolWords explains the symbol under the pointer, with its shape and unit.
func (p *Phases) SymbolWords() string {
	s, ok := p.pointedSymbol()
	lane := p.page.LaneOfRun(p.page.Lane)
	if !ok || lane < 0 {
		return "Point at a symbol for its meaning."
	}
	info := &p.page.Run.Header.Lanes[lane]
	shape := Capitalize(formula.Text(say.Text(s.Shape), func(name, _ string) ([]string, bool) {
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

// lossUnit returns the unit of losses.
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

// SymbolClasses returns the classes that highlight the figure of the symbol.
func (p *Phases) SymbolClasses() []string {
	if s, ok := p.pointedSymbol(); ok && s.Seen != "" {
		return []string{"seen", "seen-" + s.Seen}
	}
	return nil
}
