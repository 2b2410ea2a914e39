package fl

// Protocol says how a client turns a model into an update.
//
// Under gradient averaging the update is the gradient of the mean loss on the
// minibatch, and the server moves the model by the learning rate. Under model
// averaging the client trains for itself, and the update is the model it was
// given minus the model it arrived at; the server moves by one whole mean
// update. So both are one formula on the server's side (see [Round.ApplyMean]).
type Protocol struct {
	Rate      float64 // learning rate: of the server, or of the client's own steps
	Epochs    int     // τ, local epochs of model averaging; 0 for gradient averaging
	Optimiser string  // of the local steps: "sgd", "momentum" or "adam"
	Keep      bool    // the optimiser remembers from round to round
	// Right: the best of all models (see [Task]) is the one with the most right answers
	// on the minibatch, the lowest index on ties, and not that of the least loss on the
	// probe sample. Where nothing is classified it is that of the least loss on the
	// minibatch.
	Right bool
	// Whole: under gradient averaging the gradient is of the mean loss on all training
	// samples of a client, where they can be counted, and not on the minibatch.
	Whole bool
	// Clip is the greatest length of an update, 0 for any: a longer one is scaled
	// down before it is sent. Noise, times Clip, is the standard deviation of what is
	// then added to each of its numbers (Abadi et al., Deep Learning with Differential
	// Privacy, CCS 2016, Algorithm 1, where it is done to a sample's gradient; to a
	// client's update: McMahan et al., ICLR 2018).
	Clip, Noise float64
	// Digits is the number of decimals that all a client sends has, −1 for any (CFL-GP, appendix
	// E.1). Truncate: further digits are cut off, where they are rounded otherwise, to the
	// nearest and of two as near to that with an even last digit.
	Digits   int
	Truncate bool
}

// Step returns the factor by which the server follows a mean update.
func (p Protocol) Step() float64 {
	if p.Epochs > 0 {
		return 1
	}
	return p.Rate
}
