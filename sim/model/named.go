package model

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

// Networks that a text describes. The counts of parameters in their docs are tested.

func init() {
	for _, n := range []struct {
		name, title, text, doc string
		paper                  registry.Citation
		task                   Task
		defaults               map[string]string
	}{
		{"lenet", "LeNet-5", "conv6k5p0-relu-pool-conv16k5p0-relu-pool-dense120-relu-dense84-relu",
			"LeNet-5 with ReLU and max pooling, as in many papers on federated learning: 62 006 parameters on 32×32 colour pictures of ten classes, 44 426 on digits.",
			registry.Citation{Authors: "LeCun, Bottou, Bengio, Haffner", Given: "Yann, Léon, Yoshua, Patrick",
				Title: "Gradient-Based Learning Applied to Document Recognition", Venue: "Proceedings of the IEEE", Year: 1998,
				URL: "https://doi.org/10.1109/5.726791", Where: "section II"}, Classification, nil},
		{"vgg", "VGG, small",
			"conv16-gn-relu-conv16-gn-relu-pool-conv32-gn-relu-conv32-gn-relu-pool-conv64-gn-relu-conv64-gn-relu-gap",
			"Pairs of 3×3 convolutions with pooling between them: 73 178 parameters on 32×32 colour pictures of ten classes.",
			registry.Citation{Authors: "Simonyan, Zisserman", Given: "Karen, Andrew",
				Title: "Very Deep Convolutional Networks for Large-Scale Image Recognition", Venue: "ICLR", Year: 2015,
				URL: "https://arxiv.org/abs/1409.1556", Where: "section 2, with fewer filters"}, Classification, nil},
		{"resnet8", "ResNet-8", "conv16-gn-relu-res16-res32s2-res64s2-gap",
			"Three residual blocks of two 3×3 convolutions: 78 186 parameters on 32×32 colour pictures of ten classes. Normalises groups of channels instead of batches.",
			registry.Citation{Authors: "He, Zhang, Ren, Sun", Given: "Kaiming, Xiangyu, Shaoqing, Jian",
				Title: "Deep Residual Learning for Image Recognition", Venue: "CVPR", Year: 2016,
				URL: "https://arxiv.org/abs/1512.03385", Where: "section 4.2, n = 1"}, Classification, nil},
		{"mobilenet", "MobileNet, small",
			"conv16-gn-relu-dw-gn-relu-conv32k1-gn-relu-dws2-gn-relu-conv64k1-gn-relu-dw-gn-relu-conv64k1-gn-relu-dws2-gn-relu-conv128k1-gn-relu-gap",
			"Depthwise convolutions between 1×1 convolutions, which need few multiplications: 19 594 parameters on 32×32 colour pictures of ten classes.",
			registry.Citation{Authors: "Howard, Zhu, Chen, Kalenichenko, Wang, Weyand, Andreetto, Adam",
				Given: "Andrew, Menglong, Bo, Dmitry, Weijun, Tobias, Marco, Hartwig",
				Title: "MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications", Venue: "arXiv",
				Year: 2017, URL: "https://arxiv.org/abs/1704.04861", Where: "table 1, smaller"}, Classification, nil},
		{"textcnn", "Text CNN", "embed32-conv1d64k5-relu-gmax",
			"Vectors of words, a convolution over five neighbouring words and the largest number of each filter. Needs texts as sequences of words.",
			registry.Citation{Authors: "Kim", Given: "Yoon", Title: "Convolutional Neural Networks for Sentence Classification",
				Venue: "EMNLP", Year: 2014, URL: "https://arxiv.org/abs/1408.5882", Where: "section 2, with one width"},
			Classification, nil},
		{"convauto", "Convolutional autoencoder", "conv8s2-relu-conv16s2-relu-code-tconv8-relu-tconv-sigmoid",
			"Compresses every picture by convolutions and reconstructs it, so that no labels are needed. Height and width must be multiples of four. 3 433 parameters on digits.",
			registry.CLoVE.At("unsupervised experiments, with fewer parameters"), Reconstruction,
			map[string]string{"avg": "model", "opt": "adam", "lr": "0.001"}},
	} {
		Registry.Register(registry.Entry[Spec]{
			Meta: registry.Meta{Name: n.name, Title: n.title, Doc: n.doc, Paper: n.paper},
			Make: Spec{Task: n.task, Defaults: n.defaults, Text: fixed(n.text),
				Make: func(_ param.Values, in Samples) (*Network, error) { return Parse(n.text, in) }},
		})
	}
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:  "own",
			Title: "Own layers",
			Doc:   "A network from a text, such as conv16-gn-relu-pool-res32s2-gap. In links the text can stand in the place of the model's name.",
			Paper: registry.Citation{Authors: "Goodfellow, Bengio, Courville", Given: "Ian, Yoshua, Aaron",
				Title: "Deep Learning", Venue: "MIT Press", Year: 2016, URL: "https://www.deeplearningbook.org", Where: "chapter 9"},
			Fields: []param.Field{fieldLayers},
		},
		Make: Spec{AnyTask: true, Text: ownText, Make: func(v param.Values, in Samples) (*Network, error) {
			n, err := Parse(ownText(v), in)
			if err != nil {
				return nil, &param.Error{Field: fieldLayers.Name, Got: ownText(v), Want: "layers that fit together",
					Hint: say.Of(err)}
			}
			return n, nil
		}},
	})
}

func ownText(v param.Values) string { return v.Text(fieldLayers.Name) }

var fieldLayers = param.Field{Name: "layers", Label: "Layers", Section: param.Models, Kind: param.Text,
	MaxCount: mostText, Default: "dense200-relu",
	Doc: "Layers from the samples on, with - between them; the dense layer with one output per class is added. For example conv32k5s2 has 32 filters of 5×5 and stride 2; res is a residual block, gn group normalisation, gap the mean of each channel."}
