package workload

import "flockscope/sim/param"

// Settings that more than one workload reads.
var (
	fieldGroups = param.Field{Name: "D", Label: "Groups D", Section: param.Data, Advanced: true, Kind: param.Int,
		Min: 1, Max: 8, Default: "3",
		Doc: "True number of groups. No algorithm knows which client is in which group."}
	fieldSigma = param.Field{Name: "sigma", Label: "Noise σ", Section: param.Data, Kind: param.Float, Min: 0, Max: 5,
		High: 1, Step: 0.01, Default: "0.2",
		Doc: "Standard deviation of the noise on y. No model can reach a loss below σ².", Advanced: true}
	fieldInit = param.Field{Name: "init", Label: "Start range", Section: param.Models, Kind: param.Float, Min: 0,
		Max: 10, High: 3.2, Step: 0.1, Default: "0.8",
		Doc: "How far apart the models begin: slopes start between −range and +range. Wide is risky for IFCA."}
	fieldScale = param.Field{Name: "scale", Label: "Scale of features", Section: param.Data, Kind: param.Choice,
		Default: "standard",
		Doc:     "How the numbers of a file are scaled, from the training samples of all clients together. A real federation would have to agree on these means and ranges first.",
		Options: []param.Option{
			{Name: "standard", Title: "Standard", Doc: "Each column has mean 0 and standard deviation 1."},
			{Name: "minmax", Title: "0 to 1", Doc: "The minimum of each column becomes 0, the maximum 1."},
			{Name: "none", Title: "As in the file", Doc: "Columns of different magnitudes need different learning rates."}}}
	fieldMissing = param.Field{Name: "na", Label: "Missing values", Section: param.Data, Kind: param.Choice,
		Default: "drop", Advanced: true,
		Doc: "How rows with missing values are treated. Rows without a label are always ignored.",
		Options: []param.Option{
			{Name: "drop", Title: "Ignore the row"},
			{Name: "mean", Title: "Fill with the mean", Doc: "The mean of the column over the training samples of the file."}}}
	fieldTexts = param.Field{Name: "texts", Label: "Sentences as", Section: param.Data, Kind: param.Choice,
		Default: "weights", Advanced: true,
		Doc: "What networks read of sentences in a file.",
		Options: []param.Option{
			{Name: "weights", Title: "weights of words", Doc: "One number for each of the 1000 most frequent words: TF-IDF."},
			{Name: "tokens", Title: "words in their order", Doc: "For networks that begin with an embedding. Words are numbered in the alphabet from 2; 1 is any other word, and 0 fills the end.",
				Fields: []param.Field{
					{Name: "vocabulary", Label: "Vocabulary", Section: param.Data, Unit: "words", Kind: param.Int, Min: 1, Max: 60000,
						Low: 100, High: 20000, Log: true, Default: "5000", Advanced: true,
						Doc: "How many of the most frequent words of the training samples are distinguished. All others are one word."},
					{Name: "length", Label: "Length of a text", Section: param.Data, Unit: "words", Kind: param.Int, Min: 1, Max: 4096,
						Low: 8, High: 256, Step: 8, Default: "64", Advanced: true,
						Doc: "Words beyond this number are cut off, and shorter texts are filled."}}}}}
	fieldColumns = param.Field{Name: "cols", Label: "Roles of columns", Section: param.Data, Kind: param.Text,
		MaxCount: 4000, Default: "", Advanced: true,
		Doc: "Roles of columns where they differ from the guess: column:role, separated by commas. A column is its number or its name; roles are client, group, label, number, feature and ignore."}
)
