package lane

import (
	"fmt"

	"flockscope/ui/chart"
)

// Describe says how often the models are right, and what they mistake.
func (g *Answers) Describe(v *chart.View) string {
	f, lane := v.LastEvaluation(), v.LaneHeader()
	if f == nil || lane == nil || !g.count(v, f) {
		return "Answers: models are not evaluated here."
	}
	text := fmt.Sprintf("Answers, evaluated after round %d, %s: ", f.Round, lane.Title)
	if i := v.Subject(); i < 0 {
		text += "all clients'"
	} else if chart.OwnModels(lane) {
		text += "the model of client " + chart.Client(i)
	} else {
		text += fmt.Sprintf("client %s's model %s", chart.Client(i), v.Letter(chart.ModelOf(f, i)))
	}
	if v.Subject() < 0 {
		text += " models are right in " + chart.Percent(g.share(v, f)) +
			" of the samples held back, in the mean over clients"
	} else {
		text += " is right in " + chart.Percent(g.share(v, f)) + " of the samples held back"
	}
	if class, answer, times, of := g.mistake(); times > 0 {
		names := v.Run.Header.Scenery.Gallery.Classes
		text += fmt.Sprintf("; the commonest mistake is to take %s for %s, %d times in %d", names[class], names[answer],
			times, of)
	}
	if len(f.Accuracies) > 1 {
		i := worst(f)
		text += fmt.Sprintf("; least right is client %s with %s", chart.Client(i),
			chart.Percent(float64(f.Accuracies[i])))
	}
	return text + "."
}

// Table lists the clients with their shares of right answers.
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
