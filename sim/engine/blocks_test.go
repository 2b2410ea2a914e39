package engine_test

import (
	"context"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
)

// beginning keeps the header of a run and cancels it.
type beginning struct {
	engine.Sink
	cancel context.CancelFunc
	header *trace.Header
}

func (b *beginning) Begin(h *trace.Header) {
	b.header = h
	b.cancel()
}
func (b *beginning) Frame(int, *trace.Frame) {}
func (b *beginning) Round(int)               {}

// The numbers of ResNet-8 are counted by hand: 3×3 convolutions have 9·in·out weights and out biases, group normalisation
// two numbers per channel, and each output of a convolution takes 9·in multiply-adds.
func TestHeaderDescribesTheNetwork(t *testing.T) {
	conv := func(in, out int) int { return 9*in*out + out }
	norm := func(out int) int { return 2 * out }
	block := func(text string, height, width, channels, parameters int, adds float64) trace.Block {
		return trace.Block{Text: text, Height: height, Width: width, Channels: channels, Parameters: parameters,
			MultiplyAdds: adds}
	}
	want := []trace.Block{
		block("", 32, 32, 3, 0, 0),
		block("conv16-gn8-relu", 32, 32, 16, conv(3, 16)+norm(16), 32*32*16*9*3),
		block("res16", 32, 32, 16, 2*(conv(16, 16)+norm(16)), 32*32*16*9*32),
		block("res32s2", 16, 16, 32, conv(16, 32)+conv(32, 32)+2*norm(32)+16*32+32, 16*16*32*(9*48+16)),
		block("res64s2", 8, 8, 64, conv(32, 64)+conv(64, 64)+2*norm(64)+32*64+64, 8*8*64*(9*96+32)),
		block("gap", 1, 1, 64, 0, 0),
		block("dense10", 1, 1, 10, 650, 640),
	}
	for _, tt := range []struct {
		query string
		trunk []int
	}{
		{"data=shapes&net=resnet8&C=4&n=400&algos=cflgp,hcflplus,fedpac,fedavg", []int{0, 5, 5, 0}},
		{"data=shapes&net=resnet8&C=4&n=400&algos=cflgp,hcfl,ifca&trunk=common&blocks=3", []int{3, 0, 0}},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		b := beginning{cancel: cancel}
		engine.Run(ctx, config(t, tt.query), nil, &b)
		if b.header == nil {
			t.Fatalf("%s has no header", tt.query)
		}
		for i, block := range want {
			if got := b.header.Blocks; i >= len(got) || got[i] != block {
				t.Errorf("%s has the blocks %+v; number %d should be %+v", tt.query, got, i, block)
			}
		}
		for i, n := range tt.trunk {
			if l := &b.header.Lanes[i]; l.Trunk != n {
				t.Errorf("%s: %s shares %d blocks, want %d", tt.query, l.ID, l.Trunk, n)
			}
		}
	}
}

func TestHeaderOfLinesHasNoBlocks(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := beginning{cancel: cancel}
	engine.Run(ctx, config(t, "data=linreg"), nil, &b)
	if len(b.header.Blocks) != 0 {
		t.Errorf("a line has the blocks %+v", b.header.Blocks)
	}
}

func config(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatalf("Parse(%q): %v", query, problems)
	}
	return c
}
