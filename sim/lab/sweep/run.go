package sweep

// Run is the result of one run.
type Run struct {
	HasTruth   bool // the groups are known, so a clustering is correct or not
	Classifies bool // models are classifiers
	Lanes      []Outcome
}

// Outcome is the result of one lane: the numbers of its last finite frame. If [Run] says that they do not exist, ARI,
// Misplaced and Accuracy are zero and Settled is −1.
type Outcome struct {
	ARI         float64
	Misplaced   int     // clients to move until the clustering is correct
	Loss        float64 // NaN if models were not evaluated in that frame
	Accuracy    float64
	Val, Test   float64 // HCFL's; 0 without test clients
	Settled     int     // first round from which the clustering stays correct; −1 for none
	Diverged    int     // round in which the lane diverged; −1 if it did not
	Fingerprint uint64
}
