package page

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/sim/runfile"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/version"
	"flockscope/ui/host"
)

// Long runs are stored in the browser, and opened instead of being computed again. A stored run is the time that it took,
// in ms, on a line, and its run file. Its key is a hash of the experiment, the version of the engine and, if the
// experiment needs the user's files, these files.

const (
	minStoredTime = 5000     // ms: shorter runs are not stored
	maxStoredSize = 64 << 20 // bytes, before compression
)

// newKey returns the key of the run of the present configuration, "" if it is uncertain which files the engines have.
func (r *Runs) newKey() string {
	h := plan.NewHash()
	h.Write([]byte(strconv.Itoa(version.Engine) + "\n" + r.page.Config.String()))
	if files := r.page.Files; r.page.Config.NeedsFile() {
		if files.inUse == nil || slices.ContainsFunc(files.pending, func(w pendingFiles) bool { return !w.resent }) {
			return ""
		}
		_, hash := files.inUse.identity()
		h.Write([]byte("\n" + hash))
	}
	return h.ID()
}

// store stores a complete run if it took long.
func (r *Runs) store(run *trace.Run) {
	if r.runTime < minStoredTime || r.key == "" {
		return
	}
	data := append([]byte(strconv.Itoa(int(r.runTime))+"\n"), runfile.Write(run)...)
	if len(data) > maxStoredSize {
		return
	}
	r.stored += r.key + "\n"
	r.page.effects.Do(host.StoreRun{Key: r.key, Data: data})
}

// recall asks for the requested run if it is stored, and reports whether it probably is.
func (r *Runs) recall() bool {
	r.key = r.newKey()
	if r.recalling = r.key != "" && strings.Contains(r.stored, r.key); r.recalling {
		r.sendCancel()
		r.page.effects.Do(host.RecallRun{Key: r.key})
	}
	return r.recalling
}

// RunRecalled: the browser returns a stored run, nil if it is no longer there.
type RunRecalled struct {
	Key  string
	Data []byte
}

func (m RunRecalled) update(s *State) {
	r := s.Runs
	if !r.busy || !r.recalling || m.Key != r.key {
		return
	}
	r.recalling = false
	if r.requestPending {
		r.busy = false
		r.Request()
		return
	}
	first, file, _ := bytes.Cut(m.Data, []byte("\n"))
	run, err := runfile.Read(file)
	if err != nil || run.Header.Query != s.Config.String() {
		r.compute()
		return
	}
	r.arriving = run
	r.showArrived()
	took, _ := strconv.Atoi(string(first))
	r.runTime = float64(took)
	r.refusal = say.Messagef("This run is stored in this browser. It took %s to compute.", durationWords(r.runTime/1000))
	s.Notify(r.refusal, Action{Label: "Compute again", Do: ComputeAgain{}})
	s.bringLiarsBack()
	s.jobs().Dispatch()
	s.Lessons.Check()
	s.effects.Redraw(host.Live)
}

// ComputeAgain: the user computes a stored run anew.
type ComputeAgain struct{}

func (ComputeAgain) update(s *State) {
	s.Runs.stored = strings.ReplaceAll(s.Runs.stored, s.Runs.newKey(), "")
	s.Runs.Request()
	s.effects.Redraw(host.Shell | host.Figures)
}
