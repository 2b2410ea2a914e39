// Package lane draws the figures that stand below the map of a lane: which models its
// clients have, and what the models are like.
//
// For a figure X, X.go computes and draws it and Xwords.go says what it shows, in a
// sentence and as a table; other files named after X draw parts of it.
//
//	losses.go    the loss of every client on every model
//	answers*.go  what models answered, and how often that was right
//	rebuilt.go   what models make of pictures that they compress
//	weights.go   how much of each model a client has, where it has several
//	flow*.go     who moved from model to model in a round
//	spectrum.go  the singular values by which a server groups clients
//	tree*.go     how clusters split and merge over the whole run
//	models*.go   models by their parameters
//	pinned.go    the pinned run behind these figures
package lane
