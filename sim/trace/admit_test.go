package trace

import "testing"

func TestAdmits(t *testing.T) {
	h := &Header{Clients: 3, Rounds: 9, Lanes: []Lane{{Models: 2, Size: 2, Columns: 2}}}
	good := func() *Frame {
		return &Frame{Round: 9, Label: []uint16{0, 1, 1}, Losses: make([]float32, 6), Models: make([]float32, 4),
			Embedding: make([]float32, 9), XY: make([]float32, 6)}
	}
	if !h.Admits(0, good()) {
		t.Error("Admits refuses a sound frame")
	}
	if f := good(); !h.Admits(0, &Frame{Label: f.Label, Losses: f.Losses, Models: f.Models}) {
		t.Error("Admits refuses a frame before the first look at the clients")
	}
	for name, spoil := range map[string]func(f *Frame){
		"a later round":    func(f *Frame) { f.Round = 10 },
		"fewer clients":    func(f *Frame) { f.Label = f.Label[:2] },
		"an unknown model": func(f *Frame) { f.Label[2] = 2 },
		"fewer losses":     func(f *Frame) { f.Losses = f.Losses[:5] },
		"more models":      func(f *Frame) { f.Models = append(f.Models, 0) },
		"half a map":       func(f *Frame) { f.XY = f.XY[:5] },
		"torn features":    func(f *Frame) { f.Embedding = f.Embedding[:8] },
	} {
		f := good()
		spoil(f)
		if h.Admits(0, f) {
			t.Errorf("Admits takes a frame with %s", name)
		}
	}
}

// A header of a few bytes cannot speak of billions.
func TestHeaderIsSound(t *testing.T) {
	sound := Header{Clients: 3, Rounds: 9, Groups: 2, Group: []int16{0, 1, 1}, Lanes: []Lane{{Models: 2, Columns: 1}}}
	if !sound.Sound() {
		t.Error("a good header is not sound")
	}
	for name, h := range map[string]Header{
		"no clients":       {},
		"billions":         {Clients: 1 << 31},
		"endless rounds":   {Clients: 3, Rounds: 1 << 30},
		"groups of nobody": {Clients: 3, Groups: 4},
		"an unknown group": {Clients: 1, Groups: 1, Group: []int16{1}},
		"too few groups":   {Clients: 3, Groups: 2, Group: []int16{0, 1}},
		"no models":        {Clients: 3, Lanes: []Lane{{}}},
		"extra columns":    {Clients: 3, Lanes: []Lane{{Models: 2, Columns: 3}}},
	} {
		if h.Sound() {
			t.Errorf("a header with %s is sound", name)
		}
	}
}
