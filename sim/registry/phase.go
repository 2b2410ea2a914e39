package registry

// PhaseText says what a method does in a phase of a round. A page that shows several methods side by side shows the
// phases in one order, that of [Phase], whatever the order of a method's own steps.
//
// The texts of a method are Meta.Phases. For a phase, the first text counts that holds: its choice was made, its
// conditions are true and all slots of Says can be filled. So special texts come before general ones. A phase without
// a text that holds has the common one (package algorithm), as all phases of a draft do.
//
//	{Phase: registry.Embed, When: "beta=1", If: "clusters", Says: "Only the newest gradient is a client’s place."},
//	{Phase: registry.Embed, If: "clusters", Says: "[each] sends its gradient: the server averages it with those before.",
//		Client: "alone [mix.gradient], mean of [mix.taken]: [mix.new]"},
//	{Phase: registry.Embed, Skips: true, Says: "Not in this round: the server clusters every [P:setting] rounds."},
//
// Slots are those of a round, such as [each] and [clients], settings of the lane, as [P:setting], and what was noted
// of the followed client, [step.value:kind]. Package page fills them (phasewords.go) and knows all names and kinds.
type PhaseText struct {
	_ [0]func() // see Step

	Phase Phase
	When  string // a choice, as in [Step]
	// If has conditions of the round, all of which must be true; "!" negates one. They are:
	//
	//	first      it is the first round
	//	clusters   the server compared clients and decided which model each of them gets
	//	before     it did so in an earlier round
	//	due        the server compares all clients in it, by the setting est
	//	grew       more models are in use than before the round
	//	moved      some client was given another model
	//	stopped    the method has stopped clustering
	//	single     the method has one model for all
	//	classes    models classify
	//	strangers  some model was trained by clients of several groups
	//	mixes      it is a round of CFL-GP in which gradients are averaged with earlier ones
	//	alone      none of these clients had an earlier reply of the kind, as far as that is known
	//	note.NAME  the step of this name was recorded of the followed client
	If string
	// Says is one sentence about all clients, first who does what, of at most 110 characters.
	Says  string
	Skips bool // nothing happens in this phase, and Says says why
	// Client has numbers of the followed client, in at most 75 characters. Of several texts, separated by "|", the first
	// counts all of whose slots can be filled. Without it, the phase has the usual numbers.
	Client string
	// Carries names the steps whose messages cross the network in this phase, separated by spaces. Models cross it in
	// Broadcast, updates in Update and all other replies in Embed unless some phase carries them.
	Carries string
	// Sends names what crosses the network, where the steps do not, and what is no number, such as a choice; in
	// Broadcast, what is sent beside models.
	Sends string
}
