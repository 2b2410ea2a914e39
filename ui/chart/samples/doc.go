// Package samples draws the clients' data.
//
//	plane*.go    samples of a regression on a plane, with the models as lines
//	gallery*.go  samples that are images, one row per client, or by class
package samples
