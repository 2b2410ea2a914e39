// Package progress draws metrics and events over the rounds of a run.
//
//	curves*.go   a metric of all lanes, over the rounds, from metric.go
//	timeline.go  events in a lane, from history.go
package progress
