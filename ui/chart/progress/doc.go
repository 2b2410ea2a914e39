// Package progress draws what happens over the rounds of a run.
//
//	curves*.go   a metric of all lanes over the rounds, from metric.go
//	timeline.go  what happened in a lane, from history.go
package progress
