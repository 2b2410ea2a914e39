package lesson

import (
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	register(Lesson{
		Number: 11,
		Title:  "What an update gives away",
		Query:  "data=digits&n=1200&C=12&angles=0,180&net=softmax&K=2&T=30&every=10&algos=cflgp,fedavg&curve=accuracy&sel=1",
		Scene:  10,
		Setup:  "Twelve clients have handwritten digits, and half of them hold their pictures upside down. No picture leaves a client: it sends its update, the change of a model. The model has one layer, with a weight for each pixel and digit. CFL-GP compares updates, and keeps two models; FedAvg has one.",

		Question:    "The server draws the update of client 1 as pictures, one for each digit. How much do they look like the digits of that client?",
		Options:     []string{"Not at all: their correlation is about 0", "Clearly: their correlation is between a third and two thirds", "They are its digits: their correlation is about 1"},
		Right:       1,
		Explanation: "The correlation is {see} in round 10 of this run, and {mean} as the mean of 30 runs. Look at them: press X (How exactly), and go to the phase Update. A digit is bright where the client's pictures of it have ink, for the gradient of its weights is a sum of pictures. What others draw instead is dark. The server receives such an update from every client in every round. It also shows who holds the pictures upside down, and that is how CFL-GP groups the clients.",

		Steps: []Step{
			{Task: "Wipe the pictures: in the settings of the models, set Privacy to “clipped, with noise”.", Solution: "private=noise",
				Result: "The correlation is now {see10} in round 10 of this run. That has a price: at the end of this run the accuracy of CFL-GP is {c10}, where it was {c0}, and that of FedAvg is {f10}, where it was {f0}. With so much noise CFL-GP no longer sees who is alike: it finds the groups in {found10} of 30 runs.",
				Done: func(n *State) bool {
					return n.track("cflgp") != nil && n.Value("private") == "noise" && n.Number("gauss") >= 0.5
				}},
			{Task: "Pay less: lower the noise multiplier, to not less than 0.1, until CFL-GP finds both groups.", Solution: "private=noise&gauss=0.1",
				Result: "With a multiplier of 0.1 the correlation is {see1} in round 10 of this run, and the accuracy of CFL-GP is {c1} at the end; without noise it was {c0}. CFL-GP finds the groups in {found1} of 30 runs. The mean of many updates has less noise than each of them, so what clients have in common survives noise that hides a single update.",
				Done: func(n *State) bool {
					return n.track("cflgp") != nil && n.Value("private") == "noise" && n.Number("gauss") >= 0.1 && n.ARI("cflgp") == 1
				}},
		},
		Takeaway: "An update shows the data that it comes from. Noise hides the data of one client before it hides what clients have in common.",
		Paper:    registry.DeepLeakage.At("sections 3 and 5"),
		Notes:    "A picture that has vanished is no proof of privacy: a client sends an update in every round, and the mean of its updates has less noise than each of them. Differential privacy counts that. Clipping alone leaves the correlation as it is, with {clip} in this run. The paper recovers single pictures from the gradients of deeper networks. With few pictures per client, updates show more. flock class lets a class try it with digits of its own, on phones. Ask who should add the noise, the client or the server, and whom each of the two protects from whom.",
		Table: Table{
			Head: []string{"noise multiplier", "correlation, client 1, round 10", "accuracy, CFL-GP", "accuracy, FedAvg"},
			Rows: [][]string{{"none", "{see}", "{c0}", "{f0}"}, {"0.1", "{see1}", "{c1}", "{f1}"},
				{"0.3", "{see3}", "{c3}", "{f3}"}, {"1", "{see10}", "{c10}", "{f10}"}},
		},
	})
}

func updateFacts() Facts {
	const scene, end = 10, 30
	see := seen("cflgp", scene, 0)
	cflgp, fedavg := accuracyIn("cflgp", end), accuracyIn("fedavg", end)
	found := func(n *State) bool { return n.right("cflgp") }
	noise := func(tenths int) string { // 10 is the default
		if tenths == 0 {
			return ""
		}
		return "private=noise&gauss=" + strconv.FormatFloat(float64(tenths)/10, 'g', -1, 64)
	}
	numbers := []Measure{{"see", "", ThisRun, 2, see}, {"mean", "", Mean, 2, see},
		{"clip", noise(10) + "&gauss=0", ThisRun, 2, see},
		{"found10", noise(10), Count, 0, whether(found)}, {"found1", noise(1), Count, 0, whether(found)}}
	for _, tenths := range []int{0, 1, 3, 10} {
		at := strconv.Itoa(tenths)
		if tenths > 0 {
			numbers = append(numbers, Measure{"see" + at, noise(tenths), ThisRun, 2, see})
		}
		numbers = append(numbers, Measure{"c" + at, noise(tenths), ThisRun, 2, cflgp},
			Measure{"f" + at, noise(tenths), ThisRun, 2, fedavg})
	}
	clear := func(n *State) bool { return see(n) > 1.0/3 && see(n) < 2.0/3 }
	return Facts{numbers, []Claim{
		{Says: "Twelve clients have handwritten digits, and half of them hold their pictures upside down.", Holds: func(n *State) bool {
			turned := 0
			for _, g := range n.Run.Header.Group {
				turned += int(g)
			}
			return n.clients() == 12 && turned == 6 && n.Value("angles") == "0,180"
		}},
		{Says: "No picture leaves a client: it sends its update, the change of a model.", Why: "federated learning"},
		{Says: "The model has one layer, with a weight for each pixel and digit.", Holds: func(n *State) bool { return n.lane("cflgp").Size == 784*10+10 }},
		{Says: "CFL-GP compares updates, and keeps two models; FedAvg has one.", Holds: func(n *State) bool {
			return n.lane("cflgp").Models == 2 && n.lane("fedavg").Models == 1
		}},
		{Says: "Clearly: their correlation is between a third and two thirds", Seeds: 30, Holds: clear},
		{Says: "The correlation is {see} in round 10 of this run, and {mean} as the mean of 30 runs.", Seeds: 30, Holds: clear},
		{Says: "press X (How exactly), and go to the phase Update", Why: "the page"},
		{Says: "A digit is bright where the client's pictures of it have ink, for the gradient of its weights is a sum of pictures. What others draw instead is dark.", Why: "the gradient of cross-entropy: Σ (p − 1[y = c]) x"},
		{Says: "The server receives such an update from every client in every round.", Holds: func(n *State) bool {
			for t := 1; t <= n.end(); t++ {
				if n.sent("fedavg", t) < float64(n.lane("fedavg").Size) {
					return false
				}
			}
			return true
		}},
		{Says: "It also shows who holds the pictures upside down, and that is how CFL-GP groups the clients.", Seeds: 30, Holds: found},
		{Says: "The correlation is now {see10} in round 10 of this run.", With: noise(10), Seeds: 30, Holds: func(n *State) bool { return see(n) < 0.1 }},
		{Says: "That has a price: at the end of this run the accuracy of CFL-GP is {c10}, where it was {c0}, and that of FedAvg is {f10}, where it was {f0}.", With: noise(10), Seeds: 30, Holds: func(n *State) bool {
			return cflgp(n) < cflgp(n.Lesson)-0.2 && fedavg(n) < fedavg(n.Lesson)-0.1
		}},
		{Says: "With so much noise CFL-GP no longer sees who is alike: it finds the groups in {found10} of 30 runs.", With: noise(10), Seeds: 28, Holds: func(n *State) bool { return !found(n) }},
		{Says: "With a multiplier of 0.1 the correlation is {see1} in round 10 of this run, and the accuracy of CFL-GP is {c1} at the end; without noise it was {c0}.", With: noise(1), Seeds: 28, Holds: func(n *State) bool {
			return n.Number("gauss") == 0.1 && see(n) < 0.15 && cflgp(n) > cflgp(n.Lesson)-0.05
		}},
		{Says: "CFL-GP finds the groups in {found1} of 30 runs.", With: noise(1), Seeds: 28, Holds: found},
		{Says: "The mean of many updates has less noise than each of them, so what clients have in common survives noise that hides a single update.", With: noise(1), Seeds: 28, Holds: func(n *State) bool {
			return see(n) < 0.15 && found(n) && cflgp(n) > cflgp(n.Lesson)-0.05
		}},
		{Says: "An update shows the data that it comes from.", Seeds: 30, Holds: clear},
		{Says: "Noise hides the data of one client before it hides what clients have in common.", With: noise(1), Seeds: 28, Holds: func(n *State) bool {
			return see(n) < see(n.Lesson)/3 && found(n)
		}},
		{Says: "A picture that has vanished is no proof of privacy: a client sends an update in every round, and the mean of its updates has less noise than each of them. Differential privacy counts that.", Why: "composition of differential privacy"},
		{Says: "Clipping alone leaves the correlation as it is, with {clip} in this run.", With: noise(10) + "&gauss=0", Seeds: 25, Holds: func(n *State) bool {
			return see(n) > see(n.Lesson)-0.1
		}},
		{Says: "The paper recovers single pictures from the gradients of deeper networks.", Why: "the paper, sections 3 and 4"},
		{Says: "With few pictures per client, updates show more.", With: "n=240", Seeds: 28, Holds: func(n *State) bool { return see(n) > see(n.Lesson) }},
		{Says: "flock class lets a class try it with digits of its own, on phones.", Why: "package class"},
	}}
}
