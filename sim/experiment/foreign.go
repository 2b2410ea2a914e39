package experiment

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// foreign maps other programs' names of settings to ours. They only serve for hints: the same name can mean something
// else in another program, so values are not converted.
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

// separators removes the separators between the words of a key.
var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// Hint returns a hint about the setting that an unknown key may mean; "" for none.
func (s *Schema) Hint(key string) say.Message {
	plain := strings.ToLower(separators.Replace(key))
	if slices.Contains([]string{"seed", "randomseed", "rngseed", "seeds"}, plain) {
		return "the seeds are sd (data), sm (start models) and sa (algorithms)"
	}
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.theirs), plain) {
			return say.Messagef("the setting is called %s", f.ours)
		}
	}
	return param.DidYouMean(key, s.keys())
}

// knownSet returns advice on using a well-known data set that is not part of the program; "" for other names.
func knownSet(name string) say.Message {
	synthetic := ""
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(strings.TrimSpace(name))) {
	case "mnist", "emnist", "femnist", "usps", "rotatedmnist":
		synthetic = "digits"
	case "fashionmnist", "fmnist", "fashion":
		synthetic = "garments"
	case "agnews", "amazon", "amazonreview", "shakespeare", "20news", "20newsgroups", "imdb", "sent140":
		synthetic = "words"
	case "cifar", "cifar10", "cifar100", "svhn", "tinyimagenet", "imagenet", "celeba", "stl10":
		return "open the files of the set with -data, or drop them on the page"
	case "iris", "adult", "census", "covtype", "wdbc", "breastcancer", "heart", "heartdisease", "har", "wine",
		"winequality", "housing":
		return "open its file with -data, or drop it on the page"
	case "synthetic", "linear":
		return "use linreg for lines, mixreg for mixtures of regressions"
	}
	if synthetic == "" {
		return ""
	}
	return say.Messagef("%s is a synthetic set of this kind; to use the set itself, open its files with -data or drop them on the page",
		"data="+synthetic)
}
