package registry

// Outcome is what a method has achieved by a round.
type Outcome uint8

// The outcomes.
const (
	OutcomeStart     Outcome = iota // no client has replied
	OutcomeRight                    // clusters are the groups
	OutcomeMisplaced                // some clients have models of other groups
	OutcomeSplit                    // every model has clients of one group, and some group has several models
	OutcomeShared                   // every group has one model, and some groups have the same
	OutcomeMixed                    // the groups are mixtures of others, so that no clustering is right
	OutcomeNothing                  // all clients have the same distribution
	OutcomeNone                     // the method makes no clusters
	OutcomeUnknown                  // the groups are unknown
	OutcomeDiverged                 // the models have diverged, or are diverging
)

// Evidence has what is measured of a lane at a round, for one sentence that says why the outcome is what it is
// ([Meta.Cause]). Texts in it are in the language of the page.
type Evidence struct {
	_ [0]func() // see Step

	Outcome Outcome
	Clients int  // that have replied so far
	Wrong   int  // those of them that are misplaced
	Groups  int  // planted ones; 0 if unknown
	Models  int  // that the server may use
	Used    int  // models that clients have
	Idle    int  // models of a given number that no client has
	Samples int  // of a client, on which it compares models; 0 if unknown
	Finds   bool // the method finds the number of clusters
	Alike   bool // all groups have the same distribution

	// Clients that computed losses of several models in this round: those whose lead is larger than its noise, all of
	// them, and those that have the model of the least loss.
	Sure, Leads, Least int

	// Gap between groups in what the server compared last, 0 if unknown (see [trace.Frame]); Nearer is the number of
	// clients that were nearer to the centre of another group than to that of their own.
	Gap    float64
	Nearer int
	// Remembers: the server averages the replies of each client. These are the least and the most averaged for a client that
	// has replied.
	Remembers                 bool
	LeastReplies, MostReplies int

	// Cancelled is the length of the mean update in the largest cluster with several groups, else in the largest one,
	// divided by the root mean square length of its clients' updates; negative if unknown.
	Cancelled float64
	// UsedPerClient is the effective number of models that a client uses, 1/Σw² for weights w, as a mean over clients; 0 if
	// clients do not weigh models.
	UsedPerClient float64
	Weighed       int // models that have a weight for some client

	// Fit says where a single model lies among the groups' own best ones, if these are lines; Fits names the group that it
	// fits.
	Fit  Fit
	Fits string
	// Best and Worst name the groups with the least and the largest error, with their errors or accuracies; empty if
	// unknown.
	Best, Worst string
	// Excess is the error divided by the noise floor, 0 if that is unknown or 0.
	Excess float64
}

// Right reports whether the clusters are the groups.
func (e *Evidence) Right() bool { return e.Outcome == OutcomeRight }

// Fit is where a model lies among those of several groups.
type Fit uint8

// The places of a model.
const (
	FitUnknown Fit = iota
	FitMiddle      // it is close to a group's, with others on both sides
	FitOuter       // it is close to the first or the last one
	FitBetween     // it is between groups, and close to none
	FitOutside     // it is on neither
)
