package registry

// Citation is the paper an entry implements, and where in it.
type Citation struct {
	Authors, Given string // family names and given names, each separated by ", "
	Title, Venue   string
	Year           int
	URL            string
	Where          string // section, algorithm or figure; empty for the whole
}

// At returns the citation of one place in the paper.
func (c Citation) At(where string) Citation {
	c.Where = where
	return c
}

// The papers that more than one entry may follow.
var (
	FedAvg = Citation{Authors: "McMahan, Moore, Ramage, Hampson, Agüera y Arcas",
		Given: "H. Brendan, Eider, Daniel, Seth, Blaise",
		Title: "Communication-Efficient Learning of Deep Networks from Decentralized Data",
		Venue: "AISTATS", Year: 2017, URL: "https://arxiv.org/abs/1602.05629"}

	IFCA = Citation{Authors: "Ghosh, Chung, Yin, Ramchandran", Given: "Avishek, Jichan, Dong, Kannan",
		Title: "An Efficient Framework for Clustered Federated Learning",
		Venue: "NeurIPS", Year: 2020, URL: "https://arxiv.org/abs/2006.04088"}

	CFLGP = Citation{Authors: "Kim, Kim, de Veciana", Given: "Heasung, Hyeji, Gustavo",
		Title: "Clustered Federated Learning via Gradient-based Partitioning",
		Venue: "ICML", Year: 2024, URL: "https://github.com/Heasung-Kim/clustered-federated-learning-via-gradient-based-partitioning"}

	HCFL = Citation{Authors: "Guo, Tang, Lin", Given: "Yongxin, Xiaoying, Tao",
		Title: "Enhancing Clustered Federated Learning: Integration of Strategies and Improved Methodologies",
		Venue: "arXiv", Year: 2023, URL: "https://arxiv.org/abs/2310.05397"}

	RobustMedian = Citation{Authors: "Yin, Chen, Ramchandran, Bartlett", Given: "Dong, Yudong, Kannan, Peter",
		Title: "Byzantine-Robust Distributed Learning: Towards Optimal Statistical Rates",
		Venue: "ICML", Year: 2018, URL: "https://arxiv.org/abs/1803.01498"}

	DeepLeakage = Citation{Authors: "Zhu, Liu, Han", Given: "Ligeng, Zhijian, Song",
		Title: "Deep Leakage from Gradients",
		Venue: "NeurIPS", Year: 2019, URL: "https://arxiv.org/abs/1906.08935"}

	CLoVE = Citation{Authors: "Bhatia, Papadis, Kodialam, Lakshman, Chakrabarty",
		Given: "Randeep, Nikos, Murali, T. V., Sayak",
		Title: "CLoVE: Personalized Federated Learning through Clustering of Loss Vector Embeddings",
		Venue: "arXiv", Year: 2025, URL: "https://arxiv.org/abs/2506.22427"}
)
