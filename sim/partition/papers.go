package partition

import "flockscope/sim/registry"

// Papers whose partitions are implemented here, beside those of the algorithms.
var (
	paperHCFL = registry.Citation{Authors: "Guo, Tang, Lin", Given: "Yongxin, Xiaoying, Tao",
		Title: "Enhancing Clustered Federated Learning: Integration of Strategies and Improved Methodologies",
		Venue: "ICLR", Year: 2025, URL: "https://arxiv.org/abs/2310.05397"}

	paperLEAF = registry.Citation{Authors: "Caldas, Duddu, Wu, Li, Konečný, McMahan, Smith, Talwalkar",
		Given: "Sebastian, Sai Meher Karthik, Peter, Tian, Jakub, H. Brendan, Virginia, Ameet",
		Title: "LEAF: A Benchmark for Federated Settings",
		Venue: "arXiv", Year: 2018, URL: "https://arxiv.org/abs/1812.01097"}

	paperDirichlet = registry.Citation{Authors: "Hsu, Qi, Brown", Given: "Tzu-Ming Harry, Hang, Matthew",
		Title: "Measuring the Effects of Non-Identical Data Distribution for Federated Visual Classification",
		Venue: "arXiv", Year: 2019, URL: "https://arxiv.org/abs/1909.06335"}

	paperFedProx = registry.Citation{Authors: "Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith",
		Given: "Tian, Anit Kumar, Manzil, Maziar, Ameet, Virginia",
		Title: "Federated Optimization in Heterogeneous Networks",
		Venue: "MLSys", Year: 2020, URL: "https://arxiv.org/abs/1812.06127"}
)
