package ui

import (
	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	"flockscope/ui/host"
	"flockscope/ui/words"
)

// The symbols of formulas: the one that is pointed at says what it is, and the
// figure in which it stands is lit. What they mean is [registry.Meta.Symbol].

// SymbolMarks returns what marks symbols in the formulas of the lane in focus. The first of
// each kind can have the focus.
func (a *App) SymbolMarks() formula.Mark {
	algorithm, met := a.Algorithm(a.Lane), map[string]bool{}
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
func (a *App) PointSymbol(sign string) {
	if sign != a.Symbol {
		a.Symbol = sign
		a.Host.Change(host.Shell)
	}
}

// symbol is the one that is pointed at; false while there is none.
func (a *App) symbol() (registry.Symbol, bool) {
	if a.Symbol == "" || a.Phase == 0 || a.Run == nil {
		return registry.Symbol{}, false
	}
	algorithm := a.Algorithm(a.Lane)
	return algorithm.Symbol(a.Symbol)
}

// SymbolWords say what a symbol is, and of what shape and unit.
func (a *App) SymbolWords() string {
	s, ok := a.symbol()
	lane := a.OnStage(a.Lane)
	if !ok || lane < 0 {
		return "Point at a symbol to see what it is."
	}
	info := &a.Run.Header.Lanes[lane]
	return s.Sign + ": " + s.Name + ". " + words.Capital(formula.Text(s.Shape, func(name, _ string) ([]string, bool) {
		text := a.lossUnit()
		switch name {
		case "P":
			text = chart.Count(info.Size, "number")
		case "K":
			text = chart.Count(info.Models, "number")
		case "C":
			text = itoa(a.Run.Header.Clients)
		}
		return []string{text}, false
	})) + "."
}

// lossUnit is what losses are counted in.
func (a *App) lossUnit() string {
	switch {
	case a.Grades():
		return "in nats"
	case a.Pictures():
		return "no unit"
	}
	return "in squares of the unit of y"
}

// SymbolClasses are the classes of the page that light where the symbol stands.
func (a *App) SymbolClasses() []string {
	if s, ok := a.symbol(); ok && s.Seen != "" {
		return []string{"seen", "seen-" + s.Seen}
	}
	return nil
}
