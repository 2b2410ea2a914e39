package browser

import (
	"syscall/js"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

var errPicture = say.Errorf("the picture could not be made: check the connection and try again")

// picture makes a picture as a file; see assets/paper.js.
func (b *browser) picture(format, figure string, lane int, done func(host.File, error)) {
	p, ok := b.app.Export.Picture(figure, lane)
	if b.app.Run == nil || !ok {
		err := page.ErrNoFigure
		if b.app.Run == nil {
			err = page.ErrNoRun
		}
		done(host.File{}, err)
		return
	}
	facts := b.app.Export.Paper(p)
	var functions []js.Func
	function := func(f func(args []js.Value) any) js.Func {
		functions = append(functions, guard.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
		return functions[len(functions)-1]
	}
	facts["say"] = function(func(args []js.Value) any { return say.Text(args[0].String()) })
	facts["draw"] = function(func(args []js.Value) any {
		var list scene.List
		const line = 17 // as in paper.js
		s := page.NewPainter(b.app.State).DrawForExport(chart.FigureID{Kind: args[0].String(), Lane: args[1].Int()},
			chart.Box{W: float32(args[2].Float()), H: float32(args[3].Float())}, line, &list,
			chart.ExportStyle{On: true, Playhead: args[4].Bool(), Hints: args[5].Bool()})
		bytes := js.Global().Get("Uint8Array").New(len(list.Bytes()))
		js.CopyBytesToJS(bytes, list.Bytes())
		return map[string]any{"bytes": bytes, "across": s.XTitle, "up": s.YTitle, "words": s.Description}
	})
	end := func(data []byte, err error) any {
		for _, f := range functions {
			f.Release()
		}
		done(host.File{Name: b.app.Export.FileName(b.app.Export.Slug(p), format), Type: page.Formats[format],
			Data: data}, err)
		return nil
	}
	failed := function(func([]js.Value) any { return end(nil, errPicture) })
	made := function(func(args []js.Value) any {
		data := args[0].Get("data")
		if guard.TypeOf(data) == js.TypeString {
			return end([]byte(data.String()), nil)
		}
		array := js.Global().Get("Uint8Array").New(data)
		bytes := make([]byte, array.Length())
		js.CopyBytesToGo(bytes, array)
		return end(bytes, nil)
	})
	loaded := function(func([]js.Value) any {
		js.Global().Get("flockscopePaper").Call("make", format, facts).Call("then", made, failed)
		return nil
	})
	b.boot.Call("paper").Call("then", loaded, failed)
}
