package e2e

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A key is one key of the keyboard in the terms of both drivers.
type key struct {
	chromium string            // as package kb names it
	firefox  string            // as WebDriver names it
	modifier chromedp.Modifier // if it can be held
}

var keys = map[string]key{
	"ArrowLeft":  {chromium: kb.ArrowLeft, firefox: "\ue012"},
	"ArrowUp":    {chromium: kb.ArrowUp, firefox: "\ue013"},
	"ArrowRight": {chromium: kb.ArrowRight, firefox: "\ue014"},
	"ArrowDown":  {chromium: kb.ArrowDown, firefox: "\ue015"},
	"Home":       {chromium: kb.Home, firefox: "\ue011"},
	"End":        {chromium: kb.End, firefox: "\ue010"},
	"PageUp":     {chromium: kb.PageUp, firefox: "\ue00e"},
	"PageDown":   {chromium: kb.PageDown, firefox: "\ue00f"},
	"Tab":        {chromium: kb.Tab, firefox: "\ue004"},
	"Enter":      {chromium: kb.Enter, firefox: "\ue007"},
	"Escape":     {chromium: kb.Escape, firefox: "\ue00c"},
	"Backspace":  {chromium: kb.Backspace, firefox: "\ue003"},
	"Delete":     {chromium: kb.Delete, firefox: "\ue017"},
	"Space":      {chromium: " ", firefox: " "},
	"Shift":      {firefox: "\ue008", modifier: chromedp.ModifierShift},
	"Control":    {firefox: "\ue009", modifier: chromedp.ModifierCtrl},
	"Alt":        {firefox: "\ue00a", modifier: chromedp.ModifierAlt},
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
		return key{chromium: names[last], firefox: names[last]}, modifiers, nil
	}
	return key{}, nil, fmt.Errorf("there is no key %q", names[last])
}
