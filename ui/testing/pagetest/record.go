package pagetest

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"flockscope/ui/page"
)

// Messages has a message of each type. A test compares it with the source of package page.
var Messages = []page.Message{
	page.AddLane{}, page.AnswerQuestion{}, page.ArenaFailed{}, page.OpenOnArena{},
	page.BeginLesson{}, page.Begin{}, page.CardFocused{},
	page.ChangeLane{}, page.ChangeSetting{}, page.ChineseFailed{}, page.ChoosePicture{}, page.ChooseRole{},
	page.ClearSelection{}, page.CloseOverlay{}, page.CloseSheet{}, page.CompareModelCounts{}, page.ComputeAgain{},
	page.ContinueSweep{}, page.CopyLink{},
	page.CopyText{}, page.DismissNotice{}, page.DispatchJobs{}, page.DragFiles{}, page.EditFrame{},
	page.EditSweepField{}, page.EndTour{}, page.EngineAnswered{}, page.EngineLost{}, page.EngineStarted{},
	page.Exported{}, page.Export{}, page.FetchFailed{}, page.FetchProgress{}, page.FocusLane{},
	page.FocusScrubber{}, page.FoldLesson{}, page.FollowSlide{}, page.ForceDetail{}, page.ForcedColours{},
	page.ForgetMarks{}, page.GoToTourStop{}, page.GuideFailed{}, page.GuideLoaded{}, page.HistoryReturn{},
	page.HoverCell{}, page.HoverClient{}, page.HoverRound{}, page.JumpToEvent{}, page.LanguageChanged{},
	page.LeaveField{}, page.LeaveLesson{}, page.LinkCopied{}, page.MarksLoaded{}, page.MoveCell{},
	page.NetworkChanged{}, page.NewSeeds{}, page.NewVersionServed{}, page.NextTheme{}, page.OpenCell{},
	page.OpenFiles{}, page.OpenPreviewRun{}, page.OpenSheet{}, page.OpenSweep{}, page.OpenTable{},
	page.OpenTopic{}, page.ParentCall{}, page.PauseEngines{}, page.Pause{}, page.PointSymbol{},
	page.PressKey{}, page.PressMapKey{}, page.PrintPage{}, page.ReadCurves{}, page.ReadFailed{},
	page.ReadFiles{}, page.ReadNextMethod{}, page.ReaderFailed{}, page.ReaderLoaded{}, page.ReaderProgress{},
	page.RecallSweep{}, page.RecordsLoaded{}, page.RecordsNotKept{},
	page.Redo{}, page.RemoveLane{}, page.ReportToParent{}, page.ResetLane{}, page.ResetRoles{}, page.Resume{},
	page.RetrySweep{}, page.RunAction{}, page.RunRecalled{}, page.SaveSweep{}, page.SearchMethods{}, page.Seek{},
	page.SelectClients{}, page.SelectClient{}, page.SelectWhileDragging{}, page.SetLanguage{},
	page.SetOwnScale{}, page.SetReducedMotion{}, page.SetSpeed{}, page.ShowByClass{}, page.ShowMeasure{},
	page.ShowMetric{}, page.ShowPhaseIn{}, page.ShowPhase{}, page.ShowStep{}, page.ShowTab{}, page.SlideSetting{},
	page.StartPlaying{}, page.StartSweep{}, page.StartTour{}, page.StepPhase{}, page.StepRound{},
	page.StopOrRun{}, page.SweepClaimed{}, page.SweepRecalled{}, page.Tick{}, page.ToggleAdding{},
	page.ToggleAdvanced{}, page.ToggleClient{}, page.ToggleDrawer{}, page.ToggleFetch{}, page.ToggleFill{},
	page.ToggleLaneSettings{}, page.ToggleMap3D{}, page.StartLecture{}, page.GoToStop{}, page.StepLecture{},
	page.LeaveLecture{}, page.ToggleExact{}, page.ToggleLegend{}, page.WatchRound{}, page.EndPhases{},
	page.ToggleLiars{}, page.PinHonest{}, page.TogglePin{}, page.TogglePlay{},
	page.TogglePreview{}, page.TourKey{}, page.TurnMap{}, page.TypeFileAddress{}, page.TypeSetting{},
	page.Undo{}, page.UpdateTime{}, page.WorkerAnswered{}, page.WorkerLost{}, page.WorkerStarted{},
}

// ReadRecord parses a text of [page.State.Record]: the link that was opened, and the messages.
func ReadRecord(text string) (link string, entries []page.Entry, err error) {
	kinds := map[string]reflect.Type{}
	for _, m := range Messages {
		kinds[reflect.TypeOf(m).String()] = reflect.TypeOf(m)
	}
	head, lines, _ := strings.Cut(strings.TrimSpace(text), "\n")
	var engine int
	if _, err := fmt.Sscanf(head, "engine %d link %q", &engine, &link); err != nil {
		return "", nil, fmt.Errorf("line 1: %v", err)
	}
	for i, line := range strings.Split(lines, "\n") {
		at, source, _ := strings.Cut(line, " ")
		var e page.Entry
		if e.At, err = strconv.ParseFloat(at, 64); err != nil {
			return "", nil, fmt.Errorf("line %d: %v", i+2, err)
		}
		expr, err := parser.ParseExpr(source)
		if err != nil {
			return "", nil, fmt.Errorf("line %d: %v", i+2, err)
		}
		name, _, _ := strings.Cut(source, "{")
		kind, ok := kinds[name]
		if !ok {
			return "", nil, fmt.Errorf("line %d: there is no message %s", i+2, name)
		}
		m := reflect.New(kind).Elem()
		if err := setValue(m, expr); err != nil {
			return "", nil, fmt.Errorf("line %d: %v", i+2, err)
		}
		e.Message = m.Interface().(page.Message)
		entries = append(entries, e)
	}
	return link, entries, nil
}

// setValue sets a value to a Go literal as fmt formats it with %#v.
func setValue(v reflect.Value, expr ast.Expr) error {
	text := func() string { var b strings.Builder; format.Node(&b, token.NewFileSet(), expr); return b.String() }
	switch e := expr.(type) {
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if pair, ok := x.(*ast.KeyValueExpr); ok {
				if err := setValue(v.FieldByName(pair.Key.(*ast.Ident).Name), pair.Value); err != nil {
					return err
				}
				continue
			}
			item := reflect.New(v.Type().Elem()).Elem()
			if err := setValue(item, x); err != nil {
				return err
			}
			v.Set(reflect.Append(v, item))
		}
		return nil
	case *ast.CallExpr: // []T(nil)
		return nil
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		var s string
		s, err = strconv.Unquote(text())
		v.SetString(s)
	case reflect.Bool:
		v.SetBool(text() == "true")
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text(), 64)
		v.SetFloat(x)
	case reflect.Uint8:
		var n uint64
		n, err = strconv.ParseUint(text(), 0, 64)
		v.SetUint(n)
	case reflect.Int:
		var n int64
		n, err = strconv.ParseInt(text(), 0, 64)
		v.SetInt(n)
	default:
		err = fmt.Errorf("a %s cannot be read", v.Type())
	}
	return err
}
