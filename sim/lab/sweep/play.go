package sweep

import (
	"context"
	"sync"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
)

// Play plays the jobs that are open with so many workers and returns when all are
// played, or ctx is done: then with its error, and what is in the table stays.
// play plays one run and may be called by several goroutines at once; what it
// refuses is noted. tell, if not nil, is called after every run, one at a time.
func (t *Table) Play(ctx context.Context, workers int,
	play func(context.Context, experiment.Config) (*Run, error), tell func()) error {
	var (
		jobs = make(chan int)
		busy sync.WaitGroup
		mine sync.Mutex // guards the table
	)
	for range max(workers, 1) {
		busy.Go(func() {
			for job := range jobs {
				r, err := play(ctx, t.Plan.Config(job))
				mine.Lock()
				switch {
				case err == nil:
					t.Put(job, r)
				case ctx.Err() == nil:
					t.Refuse(job, say.Of(err))
				}
				if tell != nil {
					tell()
				}
				mine.Unlock()
			}
		})
	}
	for job := range t.Plan.Jobs() {
		mine.Lock()
		open := t.Open(job)
		mine.Unlock()
		if !open {
			continue
		}
		select {
		case jobs <- job:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(jobs)
	busy.Wait()
	return ctx.Err()
}
