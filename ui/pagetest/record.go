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
	page.AddLane{}, page.Answer{}, page.Awake{}, page.Begin{}, page.BeginLesson{}, page.Brush{},
	page.BuildFrame{}, page.Call{}, page.ChangeLane{}, page.Choose{}, page.ChoosePicture{}, page.ChooseRole{},
	page.ClearSelection{}, page.CloseOverlay{}, page.CloseSheet{}, page.ContinueSweep{}, page.Copy{},
	page.Dismiss{}, page.EndTour{}, page.EngineAnswered{}, page.EngineLost{}, page.EngineStarted{},
	page.Explain{}, page.Export{}, page.Exported{}, page.FetchFailed{}, page.FetchNow{}, page.Fetched{},
	page.Focus{}, page.Focused{}, page.FoldLesson{}, page.FollowSlide{}, page.ForcedColours{},
	page.ForgetMarks{}, page.GuessRoles{}, page.GuideFailed{}, page.GuideLoaded{}, page.Hold{}, page.Insist{},
	page.Jump{}, page.Key{}, page.LanguageChanged{}, page.Leave{}, page.LeaveLesson{}, page.LinkCopied{},
	page.MarksKept{}, page.Network{}, page.NewSeeds{}, page.NextTheme{}, page.NoChinese{}, page.NotKept{},
	page.OfferFiles{}, page.OpenCell{}, page.OpenFiles{}, page.OpenPreviewRun{}, page.OpenSheet{},
	page.OpenSweep{}, page.OpenTable{}, page.Pause{}, page.Peek{}, page.Play{}, page.Point{},
	page.PointCell{}, page.PointSymbol{}, page.Print{}, page.Read{}, page.ReadFailed{}, page.ReadFiles{},
	page.ReadNext{}, page.RecallSweep{}, page.RecordsLoaded{}, page.Redo{}, page.RemoveLane{},
	page.Replaced{}, page.ResetLane{}, page.RetrySweep{}, page.Return{}, page.SaveSweep{}, page.Scrub{},
	page.Search{}, page.Seek{}, page.Select{}, page.Set{}, page.SetLanguage{}, page.SetOwnScale{},
	page.SetSpeed{}, page.SetStill{}, page.Share{}, page.ShowMeasure{}, page.ShowMetric{}, page.ShowPhase{},
	page.ShowPhaseIn{}, page.ShowStep{}, page.ShowTab{}, page.Slide{}, page.StartPlaying{}, page.StartSweep{},
	page.StartTour{}, page.Step{}, page.StepPhase{}, page.StopOrRun{}, page.SweepClaimed{}, page.SweepField{},
	page.SweepRecalled{}, page.TakeWay{}, page.TellParent{}, page.Tick{}, page.Time{}, page.ToggleAdding{},
	page.ToggleAdvanced{}, page.ToggleClient{}, page.ToggleDrawer{}, page.ToggleFill{}, page.ToggleInside{},
	page.ToggleMap3D{}, page.TogglePin{}, page.TogglePreview{}, page.TourKey{}, page.TourTo{}, page.Tune{},
	page.Turn{}, page.TurnKey{}, page.Type{}, page.TypeAddress{}, page.Undo{}, page.Wake{}, page.WalkCells{},
	page.WorkerAnswered{}, page.WorkerLost{}, page.WorkerStarted{},
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
