package sweep

// Run is how one run ended.
type Run struct {
	Truth  bool // the groups are known, so that a clustering is right or wrong
	Graded bool // models answer right or wrong
	Lanes  []Outcome
}

// Outcome is how one lane ended: the numbers of its last finite frame. Where
// [Run] says that there are none, ARI, Misplaced and Accuracy are zero and
// Settled is −1.
type Outcome struct {
	ARI         float64
	Misplaced   int     // clients
	Loss        float64 // NaN where models were not evaluated in that frame
	Accuracy    float64
	Val, Test   float64 // HCFL's; 0 without test clients
	Settled     int     // first round from which the clustering stays right; −1 if there is none
	Diverged    int     // round in which the lane diverged; −1 if it did not
	Fingerprint uint64
}
