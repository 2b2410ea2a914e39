package page

import (
	"slices"
	"strconv"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
	"flockscope/ui/jobs"
)

// How many models there should be for the user's files, whose groups nobody knows.

// modelCountNotice says that the number of models is an assumption, until the user sets it, compares
// other numbers or dismisses the notice.
func (s *State) modelCountNotice() Notice {
	own := s.Files.inUse
	if own == nil || own.modelsCompared || !s.Config.FromFile() || !s.Runs.UpToDate() || s.Run.Header.HasTruth() ||
		!s.Config.Reads("K") {
		return Notice{}
	}
	k := s.Config.Value("K")
	ofFile := slices.ContainsFunc(own.forced, func(f forcedSetting) bool { return f.key == "K" && f.value == k })
	if _, given := s.Config.Given("K"); given && !ofFile {
		return Notice{}
	}
	low, high := s.otherModelCounts()
	return Notice{
		Text: say.Messagef("The groups of these clients are unknown. K = %s models are an assumption, not a result.", k),
		Actions: []Action{{Label: say.Messagef("Compare the losses of K = %d to %d", low, high),
			Do: CompareModelCounts{}}}}
}

// otherModelCounts returns the numbers of models around the present one.
func (s *State) otherModelCounts() (low, high int) {
	k := s.Config.Values(-1).Int("K")
	return max(1, k-1), min(k+1, s.Run.Header.Clients)
}

// CompareModelCounts: the user compares the losses of a few numbers of models.
type CompareModelCounts struct{}

func (CompareModelCounts) update(s *State) {
	low, high := s.otherModelCounts()
	if s.Files.inUse != nil {
		s.Files.inUse.modelsCompared = true
	}
	b := s.jobs()
	b.PrepareSweep()
	b.Sweep.Spans = [2]jobs.Span{{Key: "K", From: strconv.Itoa(low), To: strconv.Itoa(high),
		Count: strconv.Itoa(high - low + 1)}}
	b.Sweep.Seeds = "5"
	if b.Sweep.Batch == nil || !b.Sweep.Batch.Busy() {
		b.StartSweep()
	}
	b.ShowMeasure(sweep.Loss)
	OpenSheet{"sweep"}.update(s)
}
