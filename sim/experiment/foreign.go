package experiment

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// What other programs call a setting. The names serve hints only: to take the value over
// would run another experiment than was meant where two programs mean different things.
var foreign = []struct{ ours, theirs string }{
	{"T", "rounds numrounds nrounds globalrounds commrounds commround communicationrounds globalround gr iterations iters globalepochs steps maxrounds"},
	{"C", "clients numclients nclients numusers nusers users clientnum clientnumintotal totalclients numworkers workers parties nparties numparties nc"},
	{"tau", "epochs localepochs numepochs nepochs localep le ls localsteps localiterations localupdatesteps"},
	{"b", "batch batchsize localbs localbatchsize bs lbs minibatch"},
	{"lr", "learningrate stepsize eta locallearningrate gamma"},
	{"net", "model network arch architecture modelname backbone"},
	{"K", "clusters numclusters nclusters nummodels nmodels"},
	{"D", "groups numgroups ngroups"},
	{"rho", "participation participationrate frac fraction fractionfit fractiontrain clientfraction clientsperround clientnumperround joinratio jr samplerate samplefraction"},
	{"drop", "dropout droprate clientdroprate stragglers"},
	{"alpha", "dirichlet dirichletalpha diralpha noniidalpha"},
	{"opt", "optimizer optimiser localoptimizer clientoptimizer momentum"},
	{"n", "samples numsamples nsamples"},
	{"data", "dataset"},
	{"algos", "algorithm algorithms algo method methods strategy lanes"},
	{"split", "partition partitioner noniid"},
}

// joined takes out what divides the words of a key.
var joined = strings.NewReplacer("_", "", "-", "", " ", "")

// Meant says which setting a key that nobody reads may stand for; "" for none.
func (s *Schema) Meant(key string) say.Message {
	plain := strings.ToLower(joined.Replace(key))
	if slices.Contains([]string{"seed", "randomseed", "rngseed", "seeds"}, plain) {
		return "the seeds are sd of the data, sm of the start models and sa of the algorithms"
	}
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.theirs), plain) {
			return say.Messagef("here it is called %s", f.ours)
		}
	}
	return param.DidYouMean(key, s.keys())
}

// realSet says how to come to a well-known set of samples that the program does not
// hold; "" for any other name.
func realSet(name string) say.Message {
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
	case "iris", "adult", "census", "covtype", "wdbc", "breastcancer", "heart", "heartdisease", "har", "wine",
		"winequality", "housing":
		return "open its file, with -data or by dropping it on the page"
	case "synthetic", "linear":
		return "lines are linreg, mixtures of regressions mixreg"
	}
	if drawn == "" {
		return ""
	}
	return say.Messagef("%s is a drawn set of this kind; for the set itself open its files, with -data or by dropping them on the page",
		"data="+drawn)
}
