package fl

// Task is what a server asks of one client in one exchange. A client answers
// from its own samples only, and only with numbers that it would really send.
type Task struct {
	// Losses: the loss of every model on the probe sample.
	Losses bool
	// Best: the client itself picks the model with the least loss on its
	// probe sample (the lowest index wins ties) and returns that model's
	// gradient as the first one.
	Best bool
	// Gradients: models whose gradient on the minibatch is wanted.
	Gradients []int
}

func (t *Task) clear() { t.Losses, t.Best, t.Gradients = false, false, t.Gradients[:0] }

// Empty reports whether the client is left alone.
func (t *Task) Empty() bool { return !t.Losses && !t.Best && len(t.Gradients) == 0 }

// Reply is a client's answer. Its slices belong to the exchange.
type Reply struct {
	Losses    []float64   // per model
	Best      int         // the model that the client picked
	Gradients [][]float32 // in the order of the task; with Best, that model's first
}

// maxGradients is the most gradients a client returns in one exchange: CFL-GP
// asks for its own model's and the common model's.
const maxGradients = 2

// Exchange is one round trip between a server and its clients: a task and a
// reply for each, allocated once for the life of a run.
type Exchange struct {
	Tasks   []Task
	Replies []Reply
	Bank    *Bank // the models as they stand
}

// NewExchange returns an exchange for so many clients over the models in bank.
func NewExchange(clients int, bank *Bank) *Exchange {
	x := &Exchange{Tasks: make([]Task, clients), Replies: make([]Reply, clients), Bank: bank}
	for i := range x.Replies {
		x.Replies[i].Losses = make([]float64, bank.Models())
		x.Tasks[i].Gradients = make([]int, 0, maxGradients)
		r := &x.Replies[i]
		r.Gradients = make([][]float32, maxGradients)
		for g := range r.Gradients {
			r.Gradients[g] = make([]float32, bank.Size)
		}
	}
	return x
}

// Traffic counts floats between server and clients: down to a client, up to
// the server. Model ids are whole numbers and do not count, as in the papers.
type Traffic struct{ Down, Up int64 }
