package shell

import (
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// TableSheet shows the description of a figure and its numbers, for users who do not see
// it and for exact values.
type TableSheet struct {
	App *App
}

// mostRows is how many rows of a table are shown: more would take seconds.
const mostRows = 500

// words is the description of the figure.
func (c *TableSheet) words() string {
	return c.App.Describe(c.App.TableFigure.Kind, c.App.TableFigure.Lane)
}

// table returns the numbers of the figure, and how many rows are omitted.
func (c *TableSheet) table() (head []string, rows [][]string, rest string) {
	a := c.App
	f := page.NewPainter(a.State)
	figure := f.Figure(a.TableFigure.Kind, a.TableFigure.Lane)
	if figure == nil || a.Run == nil {
		return nil, nil, ""
	}
	v := a.View(f.LaneOf(a.TableFigure.Kind, a.TableFigure.Lane))
	head, rows = figure.Table(&v)
	if n := len(rows); n > mostRows {
		rows, rest = rows[:mostRows], say.Textf("And %s more.", say.Count(n-mostRows, "row"))
	}
	if len(rows) == 0 {
		rest = "There is nothing to list yet."
	}
	return head, rows, rest
}

func (c *TableSheet) head() []string {
	head, _, _ := c.table()
	return head
}

func (c *TableSheet) rows() [][]string {
	_, rows, _ := c.table()
	return rows
}

func (c *TableSheet) rest() string {
	_, _, rest := c.table()
	return rest
}
