package charttest

import "flockscope/sim/trace"

// Networked returns a run like r whose clients train a network. All models share the first blocks of the trunk, 0
// for none.
func Networked(r *trace.Run, blocks []trace.Block, trunk int) *trace.Run {
	h := *r.Header
	h.Blocks, h.Lanes = blocks, append([]trace.Lane(nil), h.Lanes...)
	for i := range h.Lanes {
		h.Lanes[i].Trunk = trunk
	}
	return &trace.Run{Header: &h, Tracks: r.Tracks}
}

// Networks.
var (
	ResNet8 = []trace.Block{
		{Height: 32, Width: 32, Channels: 3},
		{Text: "conv16-gn8-relu", Height: 32, Width: 32, Channels: 16, Parameters: 480, MultiplyAdds: 442368},
		{Text: "res16", Height: 32, Width: 32, Channels: 16, Parameters: 4704, MultiplyAdds: 4718592},
		{Text: "res32s2", Height: 16, Width: 16, Channels: 32, Parameters: 14560, MultiplyAdds: 3670016},
		{Text: "res64s2", Height: 8, Width: 8, Channels: 64, Parameters: 57792, MultiplyAdds: 3670016},
		{Text: "gap", Height: 1, Width: 1, Channels: 64},
		{Text: "dense10", Height: 1, Width: 1, Channels: 10, Parameters: 650, MultiplyAdds: 640},
	}
	TextCNN = []trace.Block{
		{Height: 1, Width: 40, Channels: 1},
		{Text: "embed32", Height: 1, Width: 40, Channels: 32, Parameters: 64032},
		{Text: "conv1d64k5-relu", Height: 1, Width: 40, Channels: 64, Parameters: 10304, MultiplyAdds: 409600},
		{Text: "gmax", Height: 1, Width: 1, Channels: 64},
		{Text: "dense4", Height: 1, Width: 1, Channels: 4, Parameters: 260, MultiplyAdds: 256},
	}
	MLP = []trace.Block{
		{Height: 28, Width: 28, Channels: 1},
		{Text: "dense200-relu", Height: 1, Width: 1, Channels: 200, Parameters: 157000, MultiplyAdds: 156800},
		{Text: "dense10", Height: 1, Width: 1, Channels: 10, Parameters: 2010, MultiplyAdds: 2000},
	}
	// DeepNet has more blocks than most figures have room for.
	DeepNet = deepNet()
)

func deepNet() []trace.Block {
	out := []trace.Block{{Height: 64, Width: 48, Channels: 3}}
	for i := range 30 {
		side := 64 >> (i / 6)
		out = append(out, trace.Block{Text: "conv128k1-gn8-relu", Height: side, Width: side * 3 / 4, Channels: 4 << (i / 4),
			Parameters: 1000 << (i / 3), MultiplyAdds: 3e6})
	}
	return append(out, trace.Block{Text: "dense200", Height: 1, Width: 1, Channels: 200, Parameters: 205000,
		MultiplyAdds: 204800})
}
