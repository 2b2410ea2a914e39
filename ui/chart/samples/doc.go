// Package samples draws what clients hold.
//
//	plane*.go    samples of a regression on a plane, with the models as lines
//	gallery*.go  samples that are pictures, a row for each client
package samples
