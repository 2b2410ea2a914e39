package lane

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe gives the accuracy and the most common mistake.
func (g *Answers) Describe(v *chart.View) string {
	f, lane := v.LastEvaluation(), v.LaneHeader()
	if f == nil || lane == nil || !g.sumAnswers(v, f) {
		return say.Text("Answers: models are not evaluated here.")
	}
	var parts []string
	switch i, right := v.Focus(), chart.Percent(g.shareCorrect(v, f)); {
	case i < 0 && len(v.Run.Header.Liar) > 0:
		parts = append(parts, say.Textf("the mean accuracy over honest clients is %s on held-out samples", right))
	case i < 0:
		parts = append(parts,
			say.Textf("the mean accuracy over clients is %s on held-out samples", right))
	case chart.OwnModels(lane):
		parts = append(parts, say.Textf("client %d's model is correct on %s of its held-out samples", i+1, right))
	default:
		parts = append(parts, say.Textf("client %d's model %s is correct on %s of its held-out samples", i+1,
			v.Letter(chart.ModelOf(f, i)), right))
	}
	if class, answer, times, of := g.commonestMistake(); times > 0 {
		names := v.Run.Header.DataPreview.Gallery.Classes
		parts = append(parts, say.Textf("the most common mistake is to take %s for %s, %d times in %d",
			say.Message(names[class]), say.Message(names[answer]), times, of))
	}
	if len(f.Accuracies) > 1 {
		i := worstClient(v, f)
		parts = append(parts, say.Textf("client %d has the lowest accuracy, %s", i+1,
			chart.Percent(float64(f.Accuracies[i]))))
	}
	return say.Textf("Answers, evaluated after round %d, %s: %s.", f.Round, v.Title(v.Lane), say.Join(parts, "; "))
}

// Table lists the clients with their accuracies.
func (g *Answers) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model", "right"}
	f := v.LastEvaluation()
	if f == nil {
		return head, nil
	}
	for i, share := range f.Accuracies {
		row := []string{chart.Client(i), v.ClientGroup(i), "none", chart.Percent(float64(share))}
		if k := chart.ModelOf(f, i); k >= 0 {
			row[2] = v.Letter(k)
		}
		rows = append(rows, row)
	}
	return head, rows
}
