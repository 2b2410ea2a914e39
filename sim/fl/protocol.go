package fl

// Protocol defines how a client computes an update of a model.
//
// Under gradient averaging the update is the gradient of the mean loss on the minibatch, and the server moves the model
// by learning rate × mean update. Under model averaging the client trains, and the update is the model before training
// minus the model after it; the server moves the model by the mean update. So both are one formula on the server (see
// [Round.ApplyMean]).
type Protocol struct {
	Rate      float64 // learning rate: of the server, or of the client's own steps
	Epochs    int     // τ, local epochs of model averaging; 0 for gradient averaging
	Optimiser string  // optimiser of the local steps: "sgd", "momentum" or "adam"
	Keep      bool    // the optimiser keeps its state between rounds
	// Right selects the best model (see [Task]) by the highest accuracy on the minibatch, the lowest index on ties,
	// instead of the least loss on the probe sample. For regressions it selects the least loss on the minibatch.
	Right bool
	// Whole: under gradient averaging, the gradient is that of the mean loss on all training samples of a client
	// instead of the minibatch, if the client has a fixed set of them.
	Whole bool
	// Clip is the largest norm of an update, 0 for no limit: a larger update is scaled down before it is sent. Noise × Clip
	// is the standard deviation of the normal noise that is then added to each of its numbers (Abadi et al., Deep Learning
	// with Differential Privacy, CCS 2016, Algorithm 1, for the gradient of a sample; McMahan et al., ICLR 2018, for the
	// update of a client).
	Clip, Noise float64
	// Least is the least number of updates for each cluster (see [Round.Rebalance]), 0 for no limit.
	Least int
	// Mean is how the server averages.
	Mean Rule
	// Digits is the number of decimals of everything that a client sends, −1 for all (CFL-GP, appendix E.1). Truncate:
	// further decimals are cut off; otherwise they are rounded to the nearest, ties to even.
	Digits   int
	Truncate bool
}

// Step returns the step by which the server applies a mean update: a model moves by step × mean update.
func (p Protocol) Step() float64 {
	if p.Epochs > 0 {
		return 1
	}
	return p.Rate
}
