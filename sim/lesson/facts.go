package lesson

import (
	"math"
	"slices"

	"flockscope/sim/trace"
)

// Facts tie the texts of a lesson to runs. They are functions rather than part of [Lesson], so that
// programs that only show lessons leave them out.
type Facts struct {
	Numbers []Measure
	Claims  []Claim
}

// FactsOf returns the facts of a lesson.
func FactsOf(number int) Facts {
	return [...]func() Facts{averageFacts, sameModelFacts, patienceFacts, finenessFacts, shadesFacts, costFacts,
		matchingFacts, growthFacts, medianFacts, promiseFacts, updateFacts}[number-1]()
}

// Over says which runs a number is of. A sentence with a number of the lesson's run says "this
// run"; one with a mean or a count says "30 runs", or as many as [Lesson.Seeds] returns.
type Over uint8

// What a number is of.
const (
	ThisRun Over = iota // the run that the lesson's link plays
	Mean                // the mean over the seeds 1, 2 and so on, without seeds for which it is NaN
	Count               // the number of these seeds for which it is 1
)

// Measure is a number of a lesson, the text of a slot.
type Measure struct {
	Slot   string
	With   string // settings in addition to the lesson's
	Over   Over
	Digits int // after the decimal point
	Of     func(n *State) float64
}

// Claim ties words of a lesson to what makes them true: a condition on runs, or a source.
type Claim struct {
	Says  string // words of a text of the lesson
	With  string // settings in addition to the lesson's
	Seeds int    // Holds is true of the lesson's run, and of at least so many of the seeds
	Holds func(n *State) bool
	Why   string // instead of Holds: a source or reason other than a run
}

// The quantities of measures.

func loss(id string) func(n *State) float64 { return func(n *State) float64 { return n.Loss(id) } }

func cost(id string) func(n *State) float64 { return func(n *State) float64 { return n.Cost(id) } }

func lossIn(id string, round int) func(n *State) float64 {
	return func(n *State) float64 { return n.frames(id)[round].Loss }
}

func ari(id string) func(n *State) float64 { return func(n *State) float64 { return n.ARI(id) } }

func ariIn(id string, round int) func(n *State) float64 {
	return func(n *State) float64 { return n.MeanARI(id, round, round) }
}

func misplaced(id string) func(n *State) float64 {
	return func(n *State) float64 { return n.Misplaced(id) }
}

func settled(id string) func(n *State) float64 {
	return func(n *State) float64 { return n.Settled(id) }
}

func weight(id string, group, like int) func(n *State) float64 {
	return func(n *State) float64 { return n.WeightShare(id, group, like) }
}

// lossRatio is the ratio of the losses of two lanes.
func lossRatio(id, other string) func(n *State) float64 {
	return func(n *State) float64 { return n.Loss(id) / n.Loss(other) }
}

// seen is the correlation of a client's update in a round with its own pictures.
func seen(id string, round, client int) func(n *State) float64 {
	return func(n *State) float64 { return n.Seen(id, round, client) }
}

// whether is 1 if a condition holds, for counts.
func whether(holds func(n *State) bool) func(n *State) float64 {
	return func(n *State) float64 {
		if holds(n) {
			return 1
		}
		return 0
	}
}

// clustersIn is the number of clusters of a lane in a round, and accuracyIn its accuracy in a round with an evaluation.
func clustersIn(id string, round int) func(n *State) float64 {
	return func(n *State) float64 { return float64(n.frames(id)[round].Clusters) }
}

func accuracyIn(id string, round int) func(n *State) float64 {
	return func(n *State) float64 { return n.frames(id)[round].Accuracy }
}

// accuracy is that of a frame with an evaluation.
func accuracy(f *trace.Frame) float64 { return f.Accuracy }

// changes returns in how many rounds after one a client of a lane gets another model than before.
func (n *State) changes(id string, client, after int) (changes int) {
	for t := after + 1; t <= n.end(); t++ {
		if n.labels(id, t)[client] != n.labels(id, t-1)[client] {
			changes++
		}
	}
	return changes
}

// groupAccuracy returns the mean accuracy of the honest clients of a group of a lane at the end.
func (n *State) groupAccuracy(id string, group int16) float64 {
	sum, clients := 0.0, 0.0
	for i, a := range n.frames(id)[n.end()].Accuracies {
		if n.Run.Header.Group[i] == group && !n.Run.Header.Lies(i) {
			sum, clients = sum+float64(a), clients+1
		}
	}
	return sum / clients
}

// grownTo is the first round in which a lane has so many clusters.
func grownTo(id string, clusters int) func(n *State) float64 {
	return func(n *State) float64 {
		for t, f := range n.frames(id) {
			if t > 0 && f.Clusters >= clusters {
				return float64(t)
			}
		}
		return math.NaN()
	}
}

// ownWeight is the mean weight that the clients of a lane give to their clusters in a round.
func ownWeight(id string, round int) func(n *State) float64 {
	return func(n *State) float64 {
		f := &n.frames(id)[round]
		models, sum := len(f.Mixture)/n.clients(), 0.0
		for i, k := range f.Label {
			sum += float64(f.Mixture[i*models+int(k)])
		}
		return sum / float64(n.clients())
	}
}

// noiseFloor is the least loss that models can have.
func noiseFloor(n *State) float64 { return n.Run.Header.DataPreview.Floor }

// What claims ask of a run.

// Misplaced returns the number of misplaced clients of a lane at the end.
func (n *State) Misplaced(id string) float64 {
	return n.atEnd(id, func(f *trace.Frame) float64 { return float64(f.Misplaced) })
}

// Settled returns the first round from which all clients of a lane are right, NaN if there is none.
func (n *State) Settled(id string) float64 {
	if s := n.track(id).Summary.Settled; s >= 0 {
		return float64(s)
	}
	return math.NaN()
}

// right reports whether all clients of a lane are right at the end.
func (n *State) right(id string) bool { return n.Misplaced(id) == 0 }

// clients returns the number of clients, and groups the number of groups.
func (n *State) clients() int { return n.Run.Header.Clients }

func (n *State) groups() int { return n.Run.Header.Groups }

// labels returns the model of each client of a lane in a round.
func (n *State) labels(id string, round int) []uint16 { return n.frames(id)[round].Label }

// end returns the last round.
func (n *State) end() int { return n.Run.Header.Rounds }

// steady reports whether no client of a lane changes its model after a round.
func (n *State) steady(id string, after int) bool {
	for t := after; t <= n.end(); t++ {
		if !slices.Equal(n.labels(id, t), n.labels(id, after)) {
			return false
		}
	}
	return true
}

// modelsOf returns, by group, the models that its clients have at the end, sorted.
func (n *State) modelsOf(id string) [][]uint16 {
	models := make([][]uint16, n.groups())
	for i, g := range n.Run.Header.Group {
		models[g] = append(models[g], n.labels(id, n.end())[i])
	}
	for g, m := range models {
		slices.Sort(m)
		models[g] = slices.Compact(m)
	}
	return models
}

// shares reports whether every group of a lane is whole at the end and has its model with one other group.
func (n *State) shares(id string) bool {
	models, users := n.modelsOf(id), map[uint16]int{}
	for _, m := range models {
		users[m[0]]++
	}
	for _, m := range models {
		if len(m) != 1 || users[m[0]] != 2 {
			return false
		}
	}
	return true
}

// splits reports whether every group of a lane has two models at the end, and no model has clients of two groups.
func (n *State) splits(id string) bool {
	users := map[uint16]int{}
	for _, m := range n.modelsOf(id) {
		if len(m) != 2 {
			return false
		}
		users[m[0]]++
		users[m[1]]++
	}
	for _, u := range users {
		if u != 1 {
			return false
		}
	}
	return true
}

// groupLoss returns the mean loss of a group on a model in a round, as its clients measured it.
func (n *State) groupLoss(id string, round, group, model int) float64 {
	f := &n.frames(id)[round]
	columns := len(f.Losses) / n.clients()
	sum, members := 0.0, 0.0
	for i, g := range n.Run.Header.Group {
		if int(g) == group {
			sum += float64(f.Losses[i*columns+model])
			members++
		}
	}
	return sum / members
}

// chosenLoss returns the total loss of the clients on their models in a round.
func (n *State) chosenLoss(id string, round int) float64 {
	f := &n.frames(id)[round]
	columns, sum := len(f.Losses)/n.clients(), 0.0
	for i, k := range f.Label {
		sum += float64(f.Losses[i*columns+int(k)])
	}
	return sum
}

// slope returns the slope of a model, a line, at the end.
func (n *State) slope(id string, model int) float64 {
	f := n.frames(id)[n.end()]
	return float64(f.Models[model*len(f.Models)/int(n.lane(id).Models)])
}

// lane describes a lane.
func (n *State) lane(id string) *trace.Lane {
	i := slices.IndexFunc(n.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
	return &n.Run.Header.Lanes[i]
}

// trueSlope returns the slope of a group's true line.
func (n *State) trueSlope(group int) float64 {
	return float64(n.Run.Header.DataPreview.Truth[group].Slope)
}

// separation returns the least distance of the centres of two groups on a lane's map, divided by
// the root mean square distance of clients from the centre of their group.
func (n *State) separation(id string, round int) float64 {
	f, sums := &n.frames(id)[round], make([][3]float64, n.groups())
	for i, g := range n.Run.Header.Group {
		s := &sums[g]
		s[0], s[1], s[2] = s[0]+float64(f.XY[2*i]), s[1]+float64(f.XY[2*i+1]), s[2]+1
	}
	centre := func(g int) (x, y float64) { return sums[g][0] / sums[g][2], sums[g][1] / sums[g][2] }
	spread := 0.0
	for i, g := range n.Run.Header.Group {
		x, y := centre(int(g))
		dx, dy := float64(f.XY[2*i])-x, float64(f.XY[2*i+1])-y
		spread += float64(dx*dx) + float64(dy*dy)
	}
	least := math.Inf(1)
	for g := range sums {
		for h := range g {
			x, y := centre(g)
			u, v := centre(h)
			least = min(least, math.Sqrt(float64((x-u)*(x-u))+float64((y-v)*(y-v))))
		}
	}
	return least / math.Sqrt(spread/float64(n.clients()))
}

// spectrum returns a singular value of a lane in a round, counted from 1.
func (n *State) spectrum(id string, round, nth int) float64 {
	return float64(n.frames(id)[round].Spectrum[nth-1])
}

// received returns how many floats a client of a lane received in a round, as a mean, and sent how many it sent.
func (n *State) received(id string, round int) float64 {
	f := n.frames(id)
	return f[round].Down - f[round-1].Down
}

func (n *State) sent(id string, round int) float64 {
	f := n.frames(id)
	return f[round].Up - f[round-1].Up
}
