package registry

import "testing"

// TestDraft: a draft says in its title that it is one, and is not among what is finished.
func TestDraft(t *testing.T) {
	var r Registry[int]
	paper := Citation{Title: "A paper", Year: 2026}
	r.Register(Entry[int]{Meta: Meta{Name: "done", Title: "Done", Doc: "Done.", Paper: paper}})
	r.Register(Entry[int]{Meta: Meta{Name: "tried", Title: "Tried", Doc: "Tried.", Paper: paper, Draft: true}})
	if all := r.All(); len(all) != 2 || all[0].Title != "Done" || all[1].Title != "Tried (draft)" {
		t.Errorf("All() = %+v, want Done and Tried (draft)", all)
	}
	if finished := r.Finished(); len(finished) != 1 || finished[0].Name != "done" {
		t.Errorf("Finished() = %+v, want done alone", finished)
	}
}
