//go:build !js

package cluster

import (
	"fmt"
	"math"
	"strings"
	"time"

	"flockscope/sim/say"
)

// longDuration is the expected duration above which a sweep prints a warning.
const longDuration = time.Hour

// The interval between lines of progress, on a terminal and elsewhere, such as in the log of a job.
const (
	onTerminal = 200 * time.Millisecond
	inLog      = time.Minute
)

// showProgress prints the progress of some work until the returned function is called. It prints a warning once, as
// soon as there is one.
func (l *Log) showProgress(progress func(bar bool) string, warning func() string) (stop func()) {
	every, line := inLog, func(text string) string { return "flock: " + text + "\n" }
	terminal := l.isTerminal()
	if terminal {
		every, line = onTerminal, func(text string) string { return "\r\033[K" + text }
	}
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(onTerminal)
		defer tick.Stop()
		last, warned := time.Now(), false
		for {
			select {
			case <-ended:
				if terminal {
					l.print("\r\033[K")
				}
				return
			case <-tick.C:
			}
			if !warned {
				if text := warning(); text != "" {
					warned = true
					l.print(line("") + text)
				}
			}
			if time.Since(last) >= every {
				last = time.Now()
				l.print(line(progress(terminal)))
			}
		}
	}()
	return func() { close(ended); <-stopped }
}

// progress returns a line of progress: cells done, speed, remaining time.
func (s *Sweep) progress(bar bool) string {
	s.countRuns()
	s.mu.Lock()
	defer s.mu.Unlock()
	cells, finished := s.cells(), s.doneBefore+s.done+s.incompatible
	var text strings.Builder
	if bar {
		const width = 24
		full := min(width*finished/max(cells, 1), width)
		fmt.Fprintf(&text, "%s%s ", strings.Repeat("█", full), strings.Repeat("░", width-full))
	}
	fmt.Fprintf(&text, "%s of %s", say.Whole(finished), say.Amount(cells, "cell"))
	if s.failed > 0 {
		fmt.Fprintf(&text, ", %s failed", say.Whole(s.failed))
	}
	if elapsed := time.Since(s.began).Seconds(); s.done > 0 && elapsed > 1 {
		rate := float64(s.done) / elapsed
		fmt.Fprintf(&text, " · %s per second · %s left", say.Number(rate), Duration(s.runsPerCell*float64(cells-finished)/rate))
	}
	return text.String()
}

// countRuns counts the runs that the cells need, which takes a while for large plans.
func (s *Sweep) countRuns() {
	if s.runsPerCell == 0 {
		s.runsPerCell = float64(s.plan.Runs()) / float64(s.plan.Cells())
	}
}

// warning returns a warning if the sweep will take more than an hour, or "". It is "" until the first cells are
// measured.
func (s *Sweep) warning() string {
	s.countRuns()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.probed) < min(probes, s.cells()) {
		return ""
	}
	left := s.runsPerCell * float64(s.cells()-s.doneBefore-s.done)
	return estimate(int(math.Round(left)), s.probed, s.Workers)
}

// estimate returns the warning about a number of runs; seconds are the times of measured runs.
func estimate(runs int, seconds []float64, workers int) string {
	sum := 0.0
	for _, v := range seconds {
		sum += v
	}
	each := sum / float64(len(seconds))
	total := each * float64(runs) / float64(workers)
	if total < longDuration.Seconds() {
		return ""
	}
	return fmt.Sprintf(`flock: this takes about %s: %s of about %s s each, %d at a time. It can be stopped and
flock: continued with -o FILE at any time, and divided: -shard 0/16 to -shard 15/16 on 16 computers and then
flock: flock merge, -emit slurm or -emit kubernetes for a cluster, or -nats URL for computers that share the work.
`, Duration(total), say.Amount(runs, "run"), say.Number(each), workers)
}

// Duration formats a time in the largest fitting unit.
func Duration(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	}
	return fmt.Sprintf("%.1f days", seconds/86400)
}
