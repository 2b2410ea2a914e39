package trace

import "testing"

func TestAdmits(t *testing.T) {
	h := &Header{Clients: 3, Rounds: 9, Lanes: []Lane{{Models: 2, Size: 2, FrameParams: 2, Columns: 2},
		{Models: 2, Size: 9, Columns: 2}},
		DataPreview: DataPreview{Gallery: Gallery{Classes: []string{"cat", "dog"}}}}
	good := func() *Frame {
		return &Frame{Round: 9, Label: []uint16{0, 1, 1}, Losses: make([]float32, 6), Models: make([]float32, 4),
			Embedding: make([]float32, 9), XY: make([]float32, 6), Accuracies: make([]float32,
				3), Confusion: make([]uint16, 12)}
	}
	if !h.Admits(0, good()) {
		t.Error("Admits refuses a sound frame")
	}
	if f := good(); !h.Admits(0, &Frame{Label: f.Label, Losses: f.Losses, Models: f.Models}) {
		t.Error("Admits refuses a frame before the first look at the clients")
	}
	big := good()
	big.Models = nil
	if h.Admits(0, big) || !h.Admits(1, big) || h.Admits(1, good()) {
		t.Error("Admits wants models where none are drawn, or none where they are")
	}
	for name, spoil := range map[string]func(f *Frame){
		"a later round":    func(f *Frame) { f.Round = 10 },
		"fewer clients":    func(f *Frame) { f.Label = f.Label[:2] },
		"an unknown model": func(f *Frame) { f.Label[2] = 2 },
		"fewer losses":     func(f *Frame) { f.Losses = f.Losses[:5] },
		"more models":      func(f *Frame) { f.Models = append(f.Models, 0) },
		"half a map":       func(f *Frame) { f.XY = f.XY[:5] },
		"fewer accuracies": func(f *Frame) { f.Accuracies = f.Accuracies[:2] },
		"more accuracies":  func(f *Frame) { f.Accuracies = append(f.Accuracies, 0) },
		"torn answers":     func(f *Frame) { f.Confusion = f.Confusion[:11] },
		"more classes":     func(f *Frame) { f.Confusion = make([]uint16, 27) },
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
	if !sound.Valid() {
		t.Error("a good header is not sound")
	}
	image := Gallery{Height: 2, Width: 3, Channels: 1, Each: 2, Pixels: make([]uint8, 36), Label: make([]uint8, 6),
		Classes: []string{"cat", "dog"}}
	sound.DataPreview.Gallery = image
	if !sound.Valid() {
		t.Error("a good header with images is not sound")
	}
	lies := Header{Clients: 2, Liar: []bool{true, false}, LiesFrom: 3}
	if !lies.Valid() {
		t.Error("a good header with a liar is not sound")
	}
	large := Header{Clients: 3, Lanes: []Lane{{Models: 2, Size: 5000, Columns: 2}}}
	if !large.Valid() {
		t.Error("a header of models that are not drawn is not sound")
	}
	with := func(spoil func(g *Gallery)) Header {
		g := image
		spoil(&g)
		return Header{Clients: 3, DataPreview: DataPreview{Gallery: g}}
	}
	for name, h := range map[string]Header{
		"fewer pixels":     with(func(g *Gallery) { g.Pixels = g.Pixels[:35] }),
		"an image less":    with(func(g *Gallery) { g.Pixels = g.Pixels[:30] }),
		"wider images":     with(func(g *Gallery) { g.Width++ }),
		"more channels":    with(func(g *Gallery) { g.Channels = 3 }),
		"more of each":     with(func(g *Gallery) { g.Each++ }),
		"no height":        with(func(g *Gallery) { g.Height = 0 }),
		"a label less":     with(func(g *Gallery) { g.Label = g.Label[:5] }),
		"no labels":        with(func(g *Gallery) { g.Label = nil }),
		"a portrait less":  with(func(g *Gallery) { g.Clients = make([]ClientSummary, 2) }),
		"a foreign set":    with(func(g *Gallery) { g.Clients = []ClientSummary{{}, {Set: 1}, {}} }),
		"a class too many": with(func(g *Gallery) { g.Clients = []ClientSummary{{}, {PerClass: []int{1, 2, 3}}, {}} }),
		"less than none":   with(func(g *Gallery) { g.Clients = []ClientSummary{{Samples: -1}, {}, {}} }),
		"a name less":      with(func(g *Gallery) { g.Names = [][]string{{"cat"}} }),
		"a meaning less":   with(func(g *Gallery) { g.TrueLabel = make([]uint8, 5) }),
		"a foreign class":  with(func(g *Gallery) { g.TrueLabel = []uint8{0, 1, 2, 0, 1, 0} }),
		"drawn out":        {Clients: 3, Lanes: []Lane{{Models: 2, Size: 2, FrameParams: 3, Columns: 1}}},
		"no clients":       {},
		"billions":         {Clients: 1 << 31},
		"endless rounds":   {Clients: 3, Rounds: 1 << 30},
		"groups of nobody": {Clients: 3, Groups: 4},
		"an unknown group": {Clients: 1, Groups: 1, Group: []int16{1}},
		"too few groups":   {Clients: 3, Groups: 2, Group: []int16{0, 1}},
		"liars of nobody":  {Clients: 2, LiesFrom: 1},
		"a liar less":      {Clients: 2, Liar: []bool{true}, LiesFrom: 1},
		"nobody honest":    {Clients: 2, Liar: []bool{true, true}, LiesFrom: 1},
		"lies at no time":  {Clients: 2, Liar: []bool{true, false}},
		"lies at any time": {Clients: 2, Liar: []bool{true, false}, LiesFrom: 1 << 30},
		"no models":        {Clients: 3, Lanes: []Lane{{}}},
		"extra columns":    {Clients: 3, Lanes: []Lane{{Models: 2, Columns: 3}}},
	} {
		if h.Valid() {
			t.Errorf("a header with %s is sound", name)
		}
	}
}
