package catalog

import (
	"fmt"
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// Estimate is an estimate of the memory of a run, in bytes, without the program itself. It counts
// what grows with clients, models and parameters.
type Estimate struct {
	Fixed     int64 // samples, and the models on the server
	PerClient int64 // per client
	Features  int64 // part of PerClient that compression would reduce
	Clients   int64
	Lanes     int
}

// Total returns the memory of all parts.
func (e Estimate) Total() int64 { return e.Fixed + e.Clients*e.PerClient }

// maxPending is far above the number of replies in memory at a time, if each is freed after use: each worker has one or
// two, and some wait for the reply of an earlier client.
const maxPending = 32

// maxBatch is the most samples that pass through a network at once.
const maxBatch = 128

// EstimateOf adds up the plans of a run.
func EstimateOf(data workload.Workload, plans []fl.Plan) Estimate {
	const single, double = 4, 8
	d := int64(data.Model().Size())
	e := Estimate{Clients: int64(data.Clients()), Lanes: len(plans)}
	if sized, ok := data.(interface{ Bytes() int64 }); ok {
		e.Fixed += sized.Bytes()
	}
	if net, ok := data.Model().(*model.Network); ok {
		e.Fixed += net.Bytes(maxBatch) // in browsers, where memory is limited, each worker is a program of its own
	}
	for i := range plans {
		p := &plans[i]
		if p.Personal {
			e.PerClient += single * d
			e.Fixed += double * d
		} else {
			e.Fixed += int64(p.Models) * (single + double) * d
		}
		answers := int64(max(1, p.AnswerModels)) // at least one update
		if p.Streams {
			e.Fixed += single * d * maxPending * answers
			answers = 0
		}
		e.PerClient += single * d * (answers + int64(p.ClientModels+p.ModelsKept))
		if p.UpdatesKept > 0 {
			blocks, width := int64(p.UpdatesKept), d
			if p.Compression > 1 {
				blocks, width = blocks+1, max(1, d/int64(p.Compression)) // a reply has a block of its own
			}
			e.PerClient += single * width * blocks
			e.Features += single * width * blocks
		}
		if p.Protocol.Keep {
			e.PerClient += 2 * single * d
		}
	}
	return e
}

// fits returns an error, with settings that help, if a run needs more than room bytes.
func (e Estimate) fits(c experiment.Config, room int64) error {
	total := e.Total()
	if room <= 0 || total <= room {
		return nil
	}
	hints := []say.Message{say.Messagef("this run needs %s of memory, and may take %s", gigabytes(total), gigabytes(room))}
	var offers []param.Suggestion
	few := strconv.FormatInt((room-e.Fixed)/max(1, e.PerClient), 10)
	if _, err := c.With("C", few); err == nil {
		hints = append(hints, say.Messagef("%s clients would fit", few))
		offers = append(offers, param.Suggestion{Key: "C", Value: few})
	}
	const ratio = 100
	if total-e.Clients*(e.Features-e.Features/ratio) <= room && e.Features > 0 {
		hints = append(hints, say.Messagef("or all of them with %s, gradients compared at one in %d parameters",
			"cr="+strconv.Itoa(ratio), ratio))
		offers = append(offers, param.Suggestion{Key: "cr", Value: strconv.Itoa(ratio)})
	}
	switch {
	case len(offers) > 0:
	case e.Lanes > 1:
		hints = append(hints, "with a smaller model, or fewer methods, it may fit")
	default:
		hints = append(hints, "with a smaller model it may fit")
	}
	return &param.Error{Field: "C", Got: strconv.FormatInt(e.Clients, 10), Want: "a run that fits into memory",
		Hint: say.JoinMessage(hints, "; "), Suggestions: offers}
}

func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }
