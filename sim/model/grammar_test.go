package model

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/param"
)

var colour = Samples{Shape: Shape{32, 32, 3}, Classes: 10}

// TestNamedSizes: parameters that papers or a count by hand give, and the same count in the docs of menus.
func TestNamedSizes(t *testing.T) {
	digits := Samples{Shape: Shape{28, 28, 1}, Classes: 10}
	for _, tt := range []struct {
		name string
		in   Samples
		size int
	}{
		{"lenet", colour, 62_006},
		{"lenet", digits, 44_426},
		{"vgg", colour, 448 + 2320 + 4640 + 9248 + 18_496 + 36_928 + 2*2*(16+32+64) + 650},
		{"resnet8", colour, 448 + 32 + 2*(2320+32) + 4640 + 9248 + 128 + 544 + 18_496 + 36_928 + 256 + 2112 + 650},
		{"mobilenet", colour, 448 + 32 + 160 + 32 + 544 + 64 + 320 + 64 + 2112 + 128 + 640 + 128 + 4160 + 128 + 640 + 128 +
			8320 + 256 + 1290},
		{"convauto", digits, 80 + 1168 + 2056 + 129},
	} {
		e, _ := Registry.Lookup(tt.name)
		n, err := e.Make.Make(nil, tt.in)
		if err != nil || n.Size() != tt.size {
			t.Errorf("%s on %v: %v, %v parameters, want %d", tt.name, tt.in, err, n.Size(), tt.size)
			continue
		}
		if count := spaced(tt.size); !strings.Contains(e.Doc, count+" parameters") && !strings.Contains(e.Doc, count+" on") {
			t.Errorf("%s: the doc does not say %s parameters: %s", tt.name, count, e.Doc)
		}
	}
	// CLoVE's network for CIFAR-10: 4,181,002 parameters, and the mean and variance of 960 channels.
	const clove = "conv64-bn-relu-pool-conv128-bn-relu-pool-conv256-bn-relu-pool-conv512-bn-relu-pool-dense1024-relu-dense512-relu-drop"
	if n := parsed(t, clove, colour); n.Size() != 4_181_002+1920 {
		t.Errorf("CLoVE's network has %d parameters", n.Size())
	}
}

func spaced(n int) string {
	s := param.FormatFloat(float64(n))
	return s[:len(s)-3] + " " + s[len(s)-3:]
}

// TestTexts: networks whose layers are made in another way have the layers that their texts describe.
func TestTexts(t *testing.T) {
	for _, e := range Registry.All() {
		if e.Make.Text == nil || e.Name == "textcnn" {
			continue
		}
		v := param.Given{}
		for i := range e.Fields {
			v[e.Fields[i].Name] = e.Fields[i].Default
		}
		in := Samples{Shape: Shape{28, 28, 1}, Classes: 10}
		n, err := e.Make.Make(v.Values(), in)
		if err != nil {
			t.Fatal(err)
		}
		parsed := parsed(t, e.Make.Text(v.Values()), in)
		if !reflect.DeepEqual(n.layers, parsed.layers) || n.body != parsed.body || n.task != parsed.task {
			t.Errorf("%s is %s with a trunk of %d layers, its text %s with %d", e.Name, textOf(n.layers), n.body,
				textOf(parsed.layers), parsed.body)
		}
	}
}

// TestWordsOfLayers: what is printed of a network describes it again.
func TestWordsOfLayers(t *testing.T) {
	for _, text := range []string{"conv6k5p0-relu-pool-dws2-bn-tanh-avg-conv8k1-gn4-sigmoid-gap", "res8s2-drop25-res8-pool3",
		"conv4s2-relu-code-tconv3k4s2p1-sigmoid", "dense20-gn5-relu-drop50"} {
		n := parsed(t, text, colour)
		layers := n.layers
		if n.Task() == Classification {
			layers = layers[:len(layers)-1]
		}
		if got := strings.ReplaceAll(textOf(layers), "code-", ""); got != strings.ReplaceAll(text, "code-", "") {
			t.Errorf("%s is printed as %s", text, got)
		}
	}
}

func TestRefusedTexts(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		in         Samples
	}{
		{"conv16-relu-conv32s9", "layer 3, conv32s9: stride 9 is larger than the picture of 8×8; use 1 to 4",
			Samples{Shape: Shape{8, 8, 1}, Classes: 3}},
		{"conv32s5", "layer 1, conv32s5: stride 5; use 1 to 4", colour},
		{"conf32", "layer 1, conf32: no layer is called so", colour},
		{"conv", "layer 1, conv: a number of filters must follow, such as conv16", colour},
		{"conv0", "layer 1, conv0: a number of filters from 1 to 1024 must follow", colour},
		{"conv16q3", "layer 1, conv16q3: \"q3\" is no option here; there are k, s, p", colour},
		{"conv16k3k5", "one number must follow k", colour},
		{"conv16p3", "padding 3; use 0 to 2", colour},
		{"conv16k40", "a side of 40; use 1 to 11", colour},
		{"pool-pool-pool-pool-pool-pool", "layer 6, pool: it needs a picture or a sequence, and gets 3 numbers", colour},
		{"pool11-pool3", "layer 2, pool3: a side of 3 is larger than the picture of 2×2", colour},
		{"gap-conv8", "layer 2, conv8: it needs a picture, and gets 3 numbers", colour},
		{"conv8", "layer 1, conv8: it needs a picture, and gets 1×256×1 numbers", Samples{Shape: flat(256), Classes: 3}},
		{"conv1d8", "it needs a sequence, and gets 32×32×3 numbers; for pictures use conv", colour},
		{"relu", "an activation follows a layer that has none yet", colour},
		{"conv8-relu-tanh", "layer 3, tanh: an activation follows", colour},
		{"relu6", "it has no number; write relu", colour},
		{"gaps2", "nothing can follow gap", colour},
		{"conv6-gn4", "4 groups do not divide 6 channels", colour},
		{"embed8", "it needs texts as tokens", colour},
		{"conv1d4-embed8", "it must be the first layer", Samples{Shape: flat(20), Classes: 2, Tokens: 5}},
		{"code-dense3", "it stands once", colour},
		{"dense9-code-dense3-code", "it stands once", colour},
		{"dense4096-dense4096", "layer 2, dense4096: 29 368 320 parameters up to here; the limit is 16 777 216", colour},
		{"conv1024k1-relu-conv1024k1s1", "numbers per sample", Samples{Shape: Shape{200, 200, 3}, Classes: 3}},
		{strings.Repeat("gn-", 100) + "gn", "one layer too many", colour},
		{"conv8--pool", "layer 2, : no layer is called so", colour},
		{strings.Repeat("relu-", 100), "500 characters; the limit is 400", colour},
		{"tconv8k1", "a side of 1; use 2 to 11 with stride 2", colour},
		{"conv9999999999999999999", "a number of filters from", colour},
	} {
		if n, err := Parse(tt.text, tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, network %v, want %q", tt.text, err, n, tt.want)
		}
	}
}

// TestBlocks: what a picture of ResNet-8 shows.
func TestBlocks(t *testing.T) {
	n := parsed(t, "conv16-gn-relu-res16-res32s2-res64s2-gap", colour)
	want := []Block{
		{"conv16-gn8-relu", Shape{32, 32, 16}, 448 + 32, 32 * 32 * 16 * 27},
		{"res16", Shape{32, 32, 16}, 2 * (2320 + 32), 2 * 32 * 32 * 16 * 144},
		{"res32s2", Shape{16, 16, 32}, 4640 + 9248 + 128 + 544, 256 * 32 * (144 + 288 + 16)},
		{"res64s2", Shape{8, 8, 64}, 18_496 + 36_928 + 256 + 2112, 64 * 64 * (288 + 576 + 32)},
		{"gap", Shape{1, 1, 64}, 0, 0},
		{"dense10", Shape{1, 1, 10}, 650, 640},
	}
	if got := n.Blocks(); !slices.Equal(got, want) {
		t.Errorf("blocks\n%v, want\n%v", got, want)
	}
	if n.TrunkBlocks() != 5 {
		t.Errorf("the trunk has %d blocks, want all but the last", n.TrunkBlocks())
	}
	for blocks := 1; blocks < len(want); blocks++ {
		n.SetTrunk(blocks)
		trunk := 0
		for _, b := range want[:blocks] {
			trunk += b.Parameters
		}
		if n.TrunkBlocks() != blocks || n.Trunk().Len() != trunk || n.Width() != want[blocks-1].Shape.Size() {
			t.Errorf("a trunk of %d blocks: %d blocks, %d parameters, %d features", blocks, n.TrunkBlocks(),
				n.Trunk().Len(), n.Width())
		}
	}
	if n.SetTrunk(6); n.TrunkBlocks() != 5 {
		t.Errorf("a trunk of all blocks: %d, want all but the last", n.TrunkBlocks())
	}
}

// FuzzNet: any text is refused with an error, or gives a network that computes without a panic and prints a text of the
// same layers, within the limits.
func FuzzNet(f *testing.F) {
	for _, e := range Registry.All() {
		if e.Make.Text != nil && len(e.Fields) == 0 {
			f.Add(e.Make.Text(nil), uint8(12), uint8(12), uint8(1), uint8(0))
		}
	}
	f.Add("conv4s2-gn2-tanh-dws2-bn-conv3k1-sigmoid-drop30-res4s2-avg-gap", uint8(20), uint8(19), uint8(3), uint8(0))
	f.Add("conv4s2-relu-code-tconv-sigmoid", uint8(8), uint8(6), uint8(2), uint8(0))
	f.Add("embed5-conv1d6k3s2-pool3-gmax", uint8(1), uint8(40), uint8(1), uint8(9))
	f.Add("conv1024k11p10-conv1024", uint8(64), uint8(64), uint8(4), uint8(0))
	f.Fuzz(func(t *testing.T, text string, height, width, channels, tokens uint8) {
		shape := Shape{1 + int(height)%24, 1 + int(width)%24, 1 + int(channels)%4}
		in := Samples{Shape: shape, Classes: 3, Tokens: int(tokens)}
		if tokens > 0 {
			in.Height, in.Channels = 1, 1
		}
		n, err := Parse(text, in)
		if err != nil {
			return
		}
		if n.Size() > mostParameters || len(n.layers) > mostLayers+1 || n.Bytes(1) > 1<<31 {
			t.Fatalf("%s: %d parameters, %d layers, %d bytes", text, n.Size(), len(n.layers), n.Bytes(1))
		}
		parameters := 0
		for _, b := range n.Blocks() {
			parameters += b.Parameters
		}
		if parameters != n.Size() {
			t.Fatalf("%s: blocks have %d parameters of %d", text, parameters, n.Size())
		}
		if n.Size() > 1e5 || n.Bytes(2) > 1<<22 {
			return
		}
		params, b := draw(n, 1, 2)
		n.Gradient(make([]float32, n.Size()), params, b)
		n.Loss(params, b)
	})
}

// TestKindsAreExplained: the page of settings has every kind of layer, and so has the description of each.
func TestKindsAreExplained(t *testing.T) {
	page, err := os.ReadFile("../experiment/SETTINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		if !regexp.MustCompile("`"+k.Token+"[0-9]*(k[0-9])?(s[0-9])?`").Match(page) || k.Doc == "" {
			t.Errorf("SETTINGS.md does not explain %s, such as %s: %s", k.Token, k.Example, k.Doc)
		}
		if found, _ := kindOf(k.Example); found == nil || found.token != k.Token {
			t.Errorf("%s is no example of %s", k.Example, k.Token)
		}
	}
}
