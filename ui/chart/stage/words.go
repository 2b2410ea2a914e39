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
	f, n := s.now, v.Run.Header.Clients
	add := func(title string, values []float32, at func(i int) int) {
		head = append(head, title)
		for i := range rows {
			text := ""
			if j := at(i); j < len(values) && s.replied(i) {
				text = chart.Number(float64(values[j]))
			}
			rows[i] = append(rows[i], text)
		}
	}
	each := func(width, j int) func(int) int { return func(i int) int { return i*width + j } }
	if len(f.Lead) >= n && len(f.Noise) >= n {
		add("lead", f.Lead, each(1, 0))
		add("noise", f.Noise, each(1, 0))
	}
	if len(f.Replies) >= n {
		head = append(head, "replies")
		for i := range rows {
			rows[i] = append(rows[i], chart.Fixed(float64(f.Replies[i]), 0))
		}
	}
	s.match.Find(v, s.f)
	s.findModels()
	models := s.models
	if len(models) > mostChips {
		models = nil
	}
	if width := s.lane.Columns; width > 1 && len(f.Losses) >= n*width {
		for _, k := range models {
			add(say.Textf("loss on model %s", v.Letter(k)), f.Losses, each(width, k))
		}
	} else if width == 1 && len(f.Losses) >= n {
		add("loss", f.Losses, each(1, 0))
	}
	if width := s.lane.Models; v.Mixes() && len(f.Mixture) >= n*width {
		for _, k := range models {
			add(say.Textf("weight of model %s", v.Letter(k)), f.Mixture, each(width, k))
		}
	}
	if len(f.Accuracies) >= n {
		add("accuracy", f.Accuracies, each(1, 0))
	}
	if pulls := s.lane.Pulls(); len(f.Pull) >= n*pulls && n > 0 {
		if pulls > mostBars {
			pulls = 0
		}
		for j := range pulls {
			add(say.Textf("update %d", j+1), f.Pull, each(s.lane.Pulls(), j))
		}
	}
	return head, rows
}
