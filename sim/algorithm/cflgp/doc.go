// Package cflgp holds CFL-GP: clustered federated learning via gradient-based partitioning (Kim, Kim and de Veciana,
// ICML 2024).
//
// Files:
//
//	cflgp.go        Algorithms 1 to 3 of the paper
//	released.go     a round as in the authors' program
//	clustering.go   what Algorithm 3 works on
//	memory.go       g_{c,k}: the mean gradients that clients are compared by
//	compression.go  comparing fewer parameters: random coordinates, the last layer
//	models.go       how models start and move; trunk.go is the part that all have in common
//	findk.go        K found by the server
//	newcomers.go    clients that come when the others are clustered
//	stop.go         when clustering ends
//	notes.go        a round explained
//	settings.go     registration and settings; steps.go says what happens in a round
package cflgp
