// Package lane draws the figures below the map of a lane: which models the clients have, and what
// the models do.
//
// For a figure X, X.go computes and draws it and Xwords.go describes it in a sentence and as a
// table; other files named after X draw parts of it.
//
//	losses.go    the loss of each client on each model
//	answers*.go  the confusion matrix and the accuracy of each client
//	rebuilt.go   images as autoencoders reconstruct them
//	weights.go   the weight of each model, where clients have several
//	flow*.go     clients that change their model in a round
//	spectrum.go  the singular values by which a server groups clients
//	tree*.go     splits and merges of clusters over the whole run
//	models*.go   models by their parameters
//	network*.go  the layers of the models
//	pinned.go    the pinned run behind these figures
package lane
