package registry

import "slices"

// Symbol is a letter or a word of the formulas of steps, and its meaning.
//
// Shape has slots for the sizes of a run: [P] parameters of a model, [K] models, [C] clients, and [unit], the unit of
// losses.
type Symbol struct {
	_ [0]func() // see Step

	Sign  string
	Name  string
	Shape string
	Seen  string // name in links of the figure that shows it; "" for none
}

// symbols have the same meaning in all algorithms, except in those that define another ([Meta.Symbols]).
var symbols = []Symbol{
	{Sign: "θ", Name: "parameters of a model", Shape: "[P], no unit", Seen: "data"},
	{Sign: "γ", Name: "learning rate", Shape: "a number, no unit"},
	{Sign: "∇", Name: "gradient: how a loss grows with each parameter", Shape: "[P]"},
	{Sign: "Δ", Name: "change that training made", Shape: "[P]"},
	{Sign: "u", Name: "update of a client", Shape: "[P]"},
	{Sign: "g", Name: "update of a client", Shape: "[P]"},
	{Sign: "β", Name: "weight of the newest gradient", Shape: "a number, 0 to 1"},

	{Sign: "f", Name: "loss of a model on samples of a client", Shape: "a number, [unit]", Seen: "losses"},
	{Sign: "F", Name: "loss of a model on samples of a client", Shape: "a number, [unit]", Seen: "losses"},
	{Sign: "L", Name: "loss of a model on samples of a client, or of all models", Shape: "a number, or [K], [unit]", Seen: "losses"},
	{Sign: "ℓ", Name: "losses of a client on all models", Shape: "[K], [unit]", Seen: "losses"},
	{Sign: "X", Name: "samples of a client", Shape: "a batch", Seen: "data"},
	{Sign: "x", Name: "features of a sample", Shape: "as the data are", Seen: "data"},
	{Sign: "y", Name: "target or label of a sample", Shape: "as the data are", Seen: "data"},
	{Sign: "a", Name: "reply of a client", Shape: "as the method asks"},
	{Sign: "n", Name: "samples of a client", Shape: "a count"},
	{Sign: "q", Name: "share of a sample that a model explains", Shape: "a number, 0 to 1"},
	{Sign: "π", Name: "weight of a model for a client", Shape: "a number, 0 to 1", Seen: "weights"},

	{Sign: "U", Name: "leading singular directions of all memories", Shape: "one column per direction",
		Seen: "spectrum"},
	{Sign: "r", Name: "coordinates of a client along these directions", Shape: "one number per direction",
		Seen: "map"},
	{Sign: "z", Name: "cluster of a client, not yet named", Shape: "a whole number", Seen: "map"},
	{Sign: "ω", Name: "weight of a cluster for a client, or for a sample", Shape: "a number, 0 to 1", Seen: "weights"},
	{Sign: "N", Name: "normal distribution", Shape: "a density"},
	{Sign: "μ", Name: "mean of a Gaussian; by itself, the freedom of samples", Shape: "in the unit of the inputs"},
	{Sign: "v", Name: "variances of a Gaussian", Shape: "in the unit of the inputs"},
	{Sign: "D", Name: "distance between clients of a cluster", Shape: "a number", Seen: "map"},
	{Sign: "ρ", Name: "threshold of splits", Shape: "a number"},
	{Sign: "τ", Name: "cosine from which clusters merge", Shape: "a number"},
	{Sign: "C", Name: "share of a label in a cluster", Shape: "a number, 0 to 1"},
	{Sign: "s", Name: "shares of labels of a client", Shape: "one number per label"},
	{Sign: "cos", Name: "cosine", Shape: "of the angle between two vectors"},
	{Sign: "h", Name: "mean of a cluster", Shape: "one number per direction", Seen: "map"},
	{Sign: "ψ", Name: "which model each cluster is", Shape: "a matching, one to one", Seen: "map"},
	{Sign: "S", Name: "clients of a model’s cluster", Shape: "a set", Seen: "map"},
	{Sign: "Q", Name: "clients of a group that was found", Shape: "a set", Seen: "map"},
	{Sign: "B", Name: "least number of updates for a model", Shape: "a count"},
	{Sign: "α", Name: "cosine between the updates of two clients", Shape: "a number, −1 to 1", Seen: "map"},
	{Sign: "ε", Name: "threshold for a length", Shape: "a number"},

	{Sign: "K", Name: "how many models there are", Shape: "a count"},
	{Sign: "k", Name: "model", Shape: "its number; on the page its colour and letter", Seen: "map"},
	{Sign: "c", Name: "client", Shape: "its number, 1 to [C]", Seen: "map"},
	{Sign: "i", Name: "client", Shape: "its number, 1 to [C]", Seen: "map"},
	{Sign: "j", Name: "model; with a hat, the one with the least loss", Shape: "its number; on the page its colour and letter", Seen: "map"},

	{Sign: "Σ", Name: "sum", Shape: "of what follows"},
	{Sign: "mean", Name: "mean", Shape: "of what follows"},
	{Sign: "min", Name: "least", Shape: "of what follows"},
	{Sign: "max", Name: "greatest", Shape: "of what follows"},
	{Sign: "argmax", Name: "where what follows is greatest", Shape: "what stands below"},
	{Sign: "argmin", Name: "where what follows is least", Shape: "what stands below"},
	{Sign: "matchings", Name: "ways to give each group a model of its own", Shape: "a set"},
	{Sign: "exp", Name: "exponential function", Shape: "of what follows"},
}

// Symbol returns the meaning of a sign in the formulas of m; ok is false for a sign without a meaning of its own.
func (m *Meta) Symbol(sign string) (Symbol, bool) {
	for _, list := range [][]Symbol{m.Symbols, symbols} {
		if i := slices.IndexFunc(list, func(s Symbol) bool { return s.Sign == sign }); i >= 0 {
			return list[i], true
		}
	}
	return Symbol{}, false
}

// Symbols returns the symbols that algorithms share. Callers must not change the list.
func Symbols() []Symbol { return symbols }
