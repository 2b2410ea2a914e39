package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
)

// TestForeignNames: what other programs call a setting, or a set of samples, is answered
// with what it is called here.
func TestForeignNames(t *testing.T) {
	for theirs, ours := range map[string]string{
		"rounds": "T", "num_rounds": "T", "comm_round": "T", "global_epochs": "T", "clients": "C", "n_clients": "C", "num-clients": "C",
		"client_num_in_total": "C", "epochs": "tau", "local_epochs": "tau", "batch": "b", "batch_size": "b", "local_bs": "b", "learning_rate": "lr",
		"stepsize": "lr", "model": "net", "n_clusters": "K", "NumClusters": "K", "frac": "rho", "join_ratio": "rho", "client_num_per_round": "rho",
		"dirichlet_alpha": "alpha", "optimizer": "opt", "dataset": "data", "algorithm": "algos", "partition": "split", "n_groups": "D",
	} {
		_, problems := catalog.Schema().Parse(theirs + "=5")
		want := theirs + " (the setting is called " + ours + ")"
		if got := experiment.Unknown(problems); len(got) != 1 || got[0].String() != want {
			t.Errorf("%s: %q, want %q", theirs, got, want)
		}
	}
	for _, seed := range []string{"seed", "random_seed", "rng-seed"} {
		_, problems := catalog.Schema().Parse(seed + "=5")
		if got := experiment.Unknown(problems); len(got) != 1 ||
			!strings.Contains(got[0].String(), "sd (data), sm (start models) and sa (algorithms)") {
			t.Errorf("%s: %q, want the three seeds", seed, got)
		}
	}
	for set, want := range map[string]string{"mnist": "data=digits", "FEMNIST": "data=digits",
		"fashion_mnist": "data=garments", "ag-news": "data=words",
		"cifar10": "open the files", "CIFAR-100": "open the files", "iris": "open its file", "dgits": `did you mean "digits"?`} {
		_, problems := catalog.Schema().Parse("data=" + set)
		var refused *param.Error
		if !errors.As(experiment.First(problems), &refused) || !strings.Contains(refused.Hint.String(), want) {
			t.Errorf("data=%s: %v, want a hint with %q", set, problems, want)
		}
	}
}

// TestTrackersAreSilent: keys that only follow people around are taken out without a word.
func TestTrackersAreSilent(t *testing.T) {
	for _, key := range []string{"utm_source", "UTM_Medium", "fbclid", "gclid", "mc_cid", "mc_eid", "_ga", "_gl", "ref",
		"si", "igshid", "msclkid", "_x_tr_sl", "mtm_campaign"} {
		c, problems := catalog.Schema().Parse(key + "=a.b&dphi=8&" + key + "=c")
		if len(problems) > 0 || c.String() != "data=linreg&dphi=8&algos=cflgp,ifca" {
			t.Errorf("%s: %s with %v", key, c, problems)
		}
	}
}
