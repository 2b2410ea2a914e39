package algorithm

import "flockscope/sim/registry"

// CommonPhases are the texts of the phases of a round that hold for any method: for drafts, which have none, and
// where a method's own do not hold.
var CommonPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, Says: "[each] gets what it needs for its reply."},
	{Phase: registry.Probe, Says: "[each] works on its own samples."},
	{Phase: registry.Embed, If: "clusters", Says: "The server compares what clients sent."},
	{Phase: registry.Embed, Skips: true, Says: "Skipped: clients are not compared in this round."},
	{Phase: registry.Cluster, If: "clusters", Says: "It is decided which clients belong together."},
	{Phase: registry.Cluster, Skips: true, Says: "Skipped: nothing is clustered in this round."},
	{Phase: registry.Match, If: "clusters moved", Says: "Each cluster gets one of the models."},
	{Phase: registry.Match, Skips: true, Says: "Skipped: every client keeps its model."},
	{Phase: registry.Update, Says: "The models change by what was learned in this round."},
}
