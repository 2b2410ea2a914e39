package e2e

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A key is one key of the keyboard in the drivers' terms.
type key struct {
	chromium  string            // as package kb names it
	webDriver string            // as WebDriver names it, for Firefox and WebKit
	modifier  chromedp.Modifier // if it can be held
}

var keys = map[string]key{
	"ArrowLeft":  {chromium: kb.ArrowLeft, webDriver: "\ue012"},
	"ArrowUp":    {chromium: kb.ArrowUp, webDriver: "\ue013"},
	"ArrowRight": {chromium: kb.ArrowRight, webDriver: "\ue014"},
	"ArrowDown":  {chromium: kb.ArrowDown, webDriver: "\ue015"},
	"Home":       {chromium: kb.Home, webDriver: "\ue011"},
	"End":        {chromium: kb.End, webDriver: "\ue010"},
	"PageUp":     {chromium: kb.PageUp, webDriver: "\ue00e"},
	"PageDown":   {chromium: kb.PageDown, webDriver: "\ue00f"},
	"Tab":        {chromium: kb.Tab, webDriver: "\ue004"},
	"Enter":      {chromium: kb.Enter, webDriver: "\ue007"},
	"Escape":     {chromium: kb.Escape, webDriver: "\ue00c"},
	"Backspace":  {chromium: kb.Backspace, webDriver: "\ue003"},
	"Delete":     {chromium: kb.Delete, webDriver: "\ue017"},
	"Space":      {chromium: " ", webDriver: " "},
	"Shift":      {webDriver: "\ue008", modifier: chromedp.ModifierShift},
	"Control":    {webDriver: "\ue009", modifier: chromedp.ModifierCtrl},
	"Alt":        {webDriver: "\ue00a", modifier: chromedp.ModifierAlt},
}

// parseKey reads a combination such as "Shift+Tab" or "?".
func parseKey(combination string) (key, []key, error) {
	names := strings.Split(combination, "+")
	if combination == "+" {
		names = []string{"+"}
	}
	last := len(names) - 1
	var modifiers []key
	for _, name := range names[:last] {
		k, ok := keys[name]
		if !ok || k.modifier == 0 {
			return key{}, nil, fmt.Errorf("%q cannot be held", name)
		}
		modifiers = append(modifiers, k)
	}
	if k, ok := keys[names[last]]; ok && k.modifier == 0 {
		return k, modifiers, nil
	}
	if utf8.RuneCountInString(names[last]) == 1 {
		return key{chromium: names[last], webDriver: names[last]}, modifiers, nil
	}
	return key{}, nil, fmt.Errorf("there is no key %q", names[last])
}
