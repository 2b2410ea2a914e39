package experiment

import (
	"slices"
	"strings"

	"flockscope/sim/param"
)

// What other programs call a setting. The names serve hints only: to take the value over
// would run another experiment than was meant where two programs mean different things.
var foreign = []struct{ ours, theirs string }{
	{"T", "rounds numrounds nrounds globalrounds commrounds iterations iters globalepochs steps"},
	{"C", "clients numclients nclients numusers nusers users clientnum numworkers parties nparties"},
	{"tau", "epochs localepochs numepochs nepochs localep le localsteps localiterations"},
	{"b", "batch batchsize localbs bs minibatch"},
	{"lr", "learningrate stepsize eta locallearningrate gamma"},
	{"net", "model network arch architecture modelname backbone"},
	{"K", "clusters numclusters nclusters nummodels nmodels"},
	{"D", "groups numgroups ngroups"},
	{"rho", "participation frac fraction fractionfit clientfraction joinratio samplerate"},
	{"drop", "dropout droprate clientdroprate"},
	{"alpha", "dirichlet dirichletalpha diralpha noniidalpha"},
	{"opt", "optimizer optimiser localoptimizer"},
	{"n", "samples numsamples nsamples"},
	{"data", "dataset"},
	{"algos", "algorithm algorithms algo method methods strategy lanes"},
	{"split", "partition partitioner noniid"},
}

// Meant says which setting a key that nobody reads may stand for; "" for none.
func (s *Schema) Meant(key string) string {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(key))
	if slices.Contains([]string{"seed", "randomseed", "rngseed", "seeds"}, plain) {
		return "the seeds are sd of the data, sm of the start models and sa of the algorithms"
	}
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.theirs), plain) {
			return "here it is called " + f.ours
		}
	}
	return param.DidYouMean(key, s.keys())
}

// realSet says how to come to a well-known set of samples that the program does not
// hold; "" for any other name.
func realSet(name string) string {
	drawn := ""
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(strings.TrimSpace(name))) {
	case "mnist", "emnist", "femnist", "usps", "rotatedmnist":
		drawn = "digits"
	case "fashionmnist", "fmnist", "fashion":
		drawn = "garments"
	case "agnews", "amazon", "amazonreview", "shakespeare", "20news", "20newsgroups", "imdb", "sent140":
		drawn = "words"
	case "cifar", "cifar10", "cifar100", "svhn", "tinyimagenet", "imagenet", "celeba", "stl10":
		return "open the files of the set itself, with -data or by dropping them on the page"
	case "synthetic", "linear":
		return "lines are linreg, mixtures of regressions mixreg"
	}
	if drawn == "" {
		return ""
	}
	return drawn + " are drawn in its place; for the set itself open its files, with -data or by dropping them on the page"
}
