package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A webDriverPage obeys the commands of the W3C's standard WebDriver, whatever carries
// them to the browser.
type webDriverPage struct {
	// call sends a command, named as in the standard but without spaces, and decodes the
	// value that it returns, unless value is nil.
	call func(command string, params map[string]any, value any) error
}

func (w *webDriverPage) open(url string) error {
	if err := w.leaveFrame(); err != nil {
		return err
	}
	return w.call("Navigate", map[string]any{"url": url}, nil)
}

func (w *webDriverPage) eval(expression string) (json.RawMessage, error) {
	return w.script(`
		const done = arguments[arguments.length - 1];
		(async () => (` + expression + `))().then(
			(value) => done({ value: value === undefined ? null : value }),
			(error) => done({ error: String(error) }));`)
}

// script runs a script that calls its last argument with {value} or {error}.
func (w *webDriverPage) script(source string) (json.RawMessage, error) {
	var outcome struct {
		Value json.RawMessage
		Error string
	}
	err := w.call("ExecuteAsyncScript", map[string]any{"script": source, "args": []any{}}, &outcome)
	if err == nil && outcome.Error != "" {
		err = errors.New(outcome.Error)
	}
	return outcome.Value, err
}

func (w *webDriverPage) enterFrame(url string) error {
	if err := w.leaveFrame(); err != nil {
		return err
	}
	var frame map[string]string
	selector := fmt.Sprintf("iframe[src^=%q]", url)
	err := w.call("FindElement", map[string]any{"using": "css selector", "value": selector}, &frame)
	if err != nil {
		return err
	}
	// Firefox reads an element from a member of its own.
	return w.call("SwitchToFrame", map[string]any{"id": frame, "element": frame}, nil)
}

func (w *webDriverPage) leaveFrame() error {
	return w.call("SwitchToFrame", map[string]any{"id": nil}, nil)
}

// viewport sets the size of the window so that the page gets the size asked
// for: first to that size, then larger by what the window keeps for itself.
func (w *webDriverPage) viewport(width, height int) error {
	outerWidth, outerHeight := width, height
	for range 2 {
		if err := w.call("SetWindowRect", map[string]any{"width": outerWidth, "height": outerHeight}, nil); err != nil {
			return err
		}
		value, err := w.eval("[outerWidth - innerWidth, outerHeight - innerHeight]")
		if err != nil {
			return err
		}
		var frame [2]int
		if err := json.Unmarshal(value, &frame); err != nil {
			return err
		}
		outerWidth, outerHeight = width+frame[0], height+frame[1]
	}
	return nil
}

func (w *webDriverPage) mouse(events ...mouseEvent) error {
	kinds := map[string]string{"move": "pointerMove", "press": "pointerDown", "release": "pointerUp"}
	var actions []map[string]any
	for _, e := range events {
		actions = append(actions, map[string]any{
			"type": kinds[e.kind], "x": int(e.x), "y": int(e.y), "button": 0, "duration": 0})
	}
	return w.perform(map[string]any{
		"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}, "actions": actions})
}

func (w *webDriverPage) key(k key, modifiers ...key) error {
	var down, up []map[string]any
	for _, held := range append(modifiers, k) {
		down = append(down, map[string]any{"type": "keyDown", "value": held.webDriver})
		up = append([]map[string]any{{"type": "keyUp", "value": held.webDriver}}, up...)
	}
	return w.perform(map[string]any{"type": "key", "id": "keyboard", "actions": append(down, up...)})
}

func (w *webDriverPage) perform(source map[string]any) error {
	return w.call("PerformActions", map[string]any{"actions": []any{source}}, nil)
}

func (w *webDriverPage) shot() ([]byte, error) {
	var picture []byte // base64 in JSON
	// Firefox would show the whole document.
	err := w.call("TakeScreenshot", map[string]any{"full": false, "hash": false}, &picture)
	return picture, err
}
