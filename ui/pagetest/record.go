package pagetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"flockscope/ui/page"
)

// Messages has one of each kind. A test holds it against the source of package page.
var Messages = []page.Message{
	page.AddLane{}, page.Answer{}, page.BeginLesson{}, page.Begin{}, page.BuildFrame{}, page.Call{},
	page.ChangeLane{}, page.ChoosePicture{}, page.ChooseRole{}, page.ClearSelection{}, page.CloseOverlay{},
	page.CloseSheet{}, page.ContinueSweep{}, page.Copy{}, page.Dismiss{}, page.DispatchJobs{},
	page.DragFiles{}, page.EndTour{}, page.EngineAnswered{}, page.EngineLost{}, page.EngineStarted{},
	page.Explain{}, page.Exported{}, page.Export{}, page.FetchFailed{}, page.FetchNow{}, page.Fetched{},
	page.FocusScrubber{}, page.Focused{}, page.Focus{}, page.FoldLesson{}, page.FollowSlide{},
	page.ForceDetail{}, page.ForcedColours{}, page.ForgetMarks{}, page.GuessRoles{}, page.GuideFailed{},
	page.GuideLoaded{}, page.HistoryReturn{}, page.HoverCell{}, page.HoverClient{}, page.HoverRound{},
	page.Jump{}, page.Key{}, page.LanguageChanged{}, page.LeaveField{}, page.LeaveLesson{}, page.LinkCopied{},
	page.MarksKept{}, page.MoveCell{}, page.Network{}, page.NewSeeds{}, page.NewVersionServed{},
	page.NextTheme{}, page.NoChinese{}, page.NotKept{}, page.OpenCell{}, page.OpenFiles{},
	page.OpenPreviewRun{}, page.OpenSheet{}, page.OpenSweep{}, page.OpenTable{}, page.PauseEngines{},
	page.Pause{}, page.Play{}, page.PointSymbol{}, page.Print{}, page.ReadCurves{}, page.ReadFailed{},
	page.ReadFiles{}, page.ReadNextMethod{}, page.RecallSweep{}, page.RecordsLoaded{}, page.Redo{},
	page.RemoveLane{}, page.ResetLane{}, page.RetrySweep{}, page.SaveSweep{}, page.Search{}, page.Seek{},
	page.SelectClients{}, page.SelectClient{}, page.SelectWhileDragging{}, page.SetLanguage{},
	page.SetOwnScale{}, page.SetSpeed{}, page.SetStill{}, page.Set{}, page.Share{}, page.ShowMeasure{},
	page.ShowMetric{}, page.ShowPhaseIn{}, page.ShowPhase{}, page.ShowStep{}, page.ShowTab{}, page.Slide{},
	page.StartPlaying{}, page.StartSweep{}, page.StartTour{}, page.StepPhase{}, page.Step{}, page.StopOrRun{},
	page.SweepClaimed{}, page.SweepField{}, page.SweepRecalled{}, page.TakeAction{}, page.TellParent{},
	page.Tick{}, page.Time{}, page.ToggleAdding{}, page.ToggleAdvanced{}, page.ToggleClient{},
	page.ToggleDrawer{}, page.ToggleFill{}, page.ToggleInside{}, page.ToggleMap3D{}, page.TogglePin{},
	page.TogglePreview{}, page.TourKey{}, page.TourTo{}, page.Tune{}, page.TurnKey{}, page.Turn{},
	page.TypeFileAddress{}, page.TypeSetting{}, page.Undo{}, page.WakeUp{}, page.WorkerAnswered{},
	page.WorkerLost{}, page.WorkerStarted{},
}

// ReadRecord reads what [page.State.Record] writes: the link that was opened, and the messages.
func ReadRecord(text string) (link string, entries []page.Entry, err error) {
	kinds := map[string]reflect.Type{}
	for _, m := range Messages {
		kinds[reflect.TypeOf(m).Name()] = reflect.TypeOf(m)
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var l struct {
			Link string
			At   float64
			Do   string
			With json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			return "", nil, fmt.Errorf("line %d: %v", i+1, err)
		}
		if i == 0 {
			link = l.Link
			continue
		}
		kind, ok := kinds[l.Do]
		if !ok {
			return "", nil, fmt.Errorf("line %d: there is no message %s", i+1, l.Do)
		}
		m := reflect.New(kind)
		if err := json.Unmarshal(l.With, m.Interface()); err != nil {
			return "", nil, fmt.Errorf("line %d: %v", i+1, err)
		}
		entries = append(entries, page.Entry{At: l.At, Message: m.Elem().Interface().(page.Message)})
	}
	return link, entries, nil
}
