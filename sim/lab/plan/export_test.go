package plan

// Identity returns the cell that a record says it is of.
func Identity(r *Record) string {
	c := Cell{Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	return c.hash()
}

// Parse reads a record without asking whether its numbers can be right.
var Parse = parseRecord
