package fl

import "slices"

// Traffic counts floats between server and clients: down to a client and up to the server. A client that drops out still
// receives what it is sent. The rules are the same for every method:
//
//   - Real numbers count: parameters, updates, losses, weights, masses of classes, prototypes,
//     directions, Gaussians. A model counts once per round and client, however often it is used.
//   - Whole numbers do not count: a client's model or its choice, numbers of samples, classes and
//     vectors, and which clusters were split, merged or removed. The papers leave them out, and
//     n_i is sent once.
//   - Only what the other side needs counts: no update of a model that a client did not train, no
//     vector of a class of which it has no samples, and no weight or mass that the server does not
//     use. What only the page shows is free, such as the losses by which a client of IFCA decides.
//
// [Round] counts by the task. An algorithm that is a [Meter] says which floats of a call or its answer are free.
type Traffic struct{ Down, Up int64 }

// floatsDown returns the number of floats that are sent to client i with a task.
func (r *Round) floatsDown(i int, t *Task) (floats int64) {
	if t.Call > 0 {
		floats += int64(len(t.With))
		if r.Meter != nil {
			floats -= r.Meter.FreeDown(r, i)
		}
	}
	if r.Local {
		return floats
	}
	if t.Losses || t.PickBest {
		floats += r.floatsOfAll(i)
	}
	for _, k := range t.Updates {
		floats += r.floatsOfModel(i, k)
	}
	if t.Feature > 0 {
		floats += r.floatsOfModel(i, t.Feature-1)
	}
	if t.Call > 0 {
		for _, k := range t.Models {
			floats += r.floatsOfModel(i, k)
		}
	}
	return floats
}

// floatsUp returns the number of floats that client i sends in reply to a task.
func (r *Round) floatsUp(i int, t *Task) (floats int64) {
	d := int64(r.Bank.Size)
	if t.Losses {
		floats += int64(r.Bank.Models())
	}
	if t.Feature > 0 {
		floats += int64(r.Exchange.Width())
	}
	if t.Call > 0 {
		floats += int64(len(r.Exchange.Replies[i].Answer))
		if r.Meter != nil {
			floats -= r.Meter.FreeUp(r, i)
		}
	}
	if r.Local {
		if t.Call > 0 {
			floats -= d
		}
		return floats
	}
	if t.PickBest {
		floats += d
	}
	return floats + d*int64(len(t.Updates))
}

// everyModel stands for all models in onDevice.
const everyModel = -1

// floatsOfModel sends model k to client i unless it has it, and returns the number of floats.
func (r *Round) floatsOfModel(i, k int) int64 {
	if slices.Contains(r.onDevice[i], everyModel) || slices.Contains(r.onDevice[i], k) {
		return 0
	}
	r.onDevice[i] = append(r.onDevice[i], k)
	return int64(r.Bank.Size)
}

// floatsOfAll is floatsOfModel for all models.
func (r *Round) floatsOfAll(i int) int64 {
	if slices.Contains(r.onDevice[i], everyModel) {
		return 0
	}
	floats := int64(r.Bank.Size * (r.Bank.Models() - len(r.onDevice[i])))
	r.onDevice[i] = append(r.onDevice[i][:0], everyModel)
	return floats
}
