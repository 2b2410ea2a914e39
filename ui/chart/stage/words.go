package stage

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe says which clients have which model, what a phase shows and sends, and the numbers of the followed client.
func (s *Stage) Describe(v *chart.View) string {
	if !s.find(v) {
		return say.Text("Stage: nothing computed yet.")
	}
	text := say.Textf("Stage, round %d, %s: %s.", s.f.Round, v.Title(v.Lane), s.Map.DescribeClusters(v))
	if d := v.Detail; d != nil {
		switch phase := say.Text(d.Phase.Name()); {
		case s.skipped:
			text = say.Textf("%s %s", text, say.Textf("%s: nothing happens.", phase))
		case d.Sends == "":
			text = say.Textf("%s %s", text, say.Textf("%s: nothing crosses the network.", phase))
		default:
			text = say.Textf("%s %s", text, say.Textf("%s: sent: %s.", phase, d.Sends))
		}
	}
	if i := v.Followed; i >= 0 && i < min(len(s.now.Lead), len(s.now.Noise)) && s.has(cluster) {
		text = say.Textf("%s %s", text, say.Textf("Client %d: lead %s, noise %s.", i+1,
			chart.Number(float64(s.now.Lead[i])), chart.Number(float64(s.now.Noise[i]))))
	}
	return text
}

// Table lists the clients: number, group, model, whether misplaced, and what is known of their replies.
func (s *Stage) Table(v *chart.View) (head []string, rows [][]string) {
	head, rows = s.Map.Table(v)
	if !s.find(v) {
		return head, rows
	}
	s.match.Find(v, s.f)
	s.findModels()
	f := s.now
	type column struct {
		title  string
		values []float32
		width  int // numbers of each client
		at     int
	}
	list := []column{{"lead", f.Lead, 1, 0}, {"noise", f.Noise, 1, 0}, {"accuracy", f.Accuracies, 1, 0}}
	if s.lane.Columns == 1 {
		list = append(list, column{"loss", f.Losses, 1, 0})
	}
	for _, k := range s.models {
		if n := s.lane.Columns; n > 1 && len(s.models) <= mostChips {
			list = append(list, column{say.Textf("loss on model %s", v.Letter(k)), f.Losses, n, k})
		}
	}
	for _, k := range s.models {
		if s.family == mixtures && len(s.models) <= mostChips {
			list = append(list, column{say.Textf("weight of model %s", v.Letter(k)), f.Mixture, s.lane.Models, k})
		}
	}
	if n := s.lane.Pulls(); n <= mostBars {
		for j := range n {
			list = append(list, column{say.Textf("update %d", j+1), f.Pull, n, j})
		}
	}
	for _, c := range list {
		if len(c.values) < len(rows)*c.width || len(rows) == 0 {
			continue
		}
		head = append(head, c.title)
		for i := range rows {
			text := ""
			if s.replied(i) {
				text = chart.Number(float64(c.values[i*c.width+c.at]))
			}
			rows[i] = append(rows[i], text)
		}
	}
	return head, rows
}
