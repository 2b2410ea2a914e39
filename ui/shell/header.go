package shell

import (
	"strings"

	"flockscope/sim/say"
	"flockscope/ui/page"
)

// Header is the page's first row: its title, and the actions on the page as a whole.
type Header struct {
	App *App
}

// question describes the data, and asks is its last sentence, which asks.
func (c *Header) question() string {
	text, _ := cutQuestion(c.App.Question())
	return text
}

func (c *Header) asks() string {
	_, asks := cutQuestion(c.App.Question())
	return asks
}

// cutQuestion cuts the last sentence off a text.
func cutQuestion(text string) (before, last string) {
	for _, end := range [...]string{". ", "。", ": "} {
		if i := strings.LastIndex(text, end); i >= 0 && i+len(end) < len(text) {
			return text[:i+len(strings.TrimSpace(end))], text[i+len(end):]
		}
	}
	return "", text
}

// linkWords is the label of the button that copies the link.
func (c *Header) linkWords() string {
	if c.App.Export.LinkStatus != "" {
		return c.App.Export.LinkStatus
	}
	return "Copy link"
}

func (c *Header) themeWords() string {
	switch c.App.Theme {
	case "":
		return "Theme: system"
	case page.Projector:
		return "Theme: light, bold for a projector"
	}
	return say.Textf("Theme: %s", say.Message(c.App.Theme))
}

// language changes between English and Chinese.
func (c *Header) language() {
	lang := "zh"
	if say.Language() != "" {
		lang = "en"
	}
	c.App.Do(page.SetLanguage{Lang: lang})
}

// languageWords names the language that the button leads to, in that language.
func (c *Header) languageWords() string {
	if say.Language() != "" {
		return "English"
	}
	return "中文"
}

func (c *Header) languageTag() string {
	if say.Language() != "" {
		return "en"
	}
	return "zh-Hans"
}
