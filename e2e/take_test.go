package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
)

// keepFiles makes the page keep what it gives away, as {name, type, blob}, in
// the place of a download.
const recordFiles = `(() => {
	window.given = [];
	let blob = null;
	const address = URL.createObjectURL;
	URL.createObjectURL = (b) => (blob = b, address.call(URL, b));
	HTMLAnchorElement.prototype.click = function () { given.push({ name: this.download, type: blob.type, blob }); };
})()`

// take presses a button of the sheet and returns the name and the text of the
// file that comes of it.
func (p *Page) take(row, how string) (name, text string) {
	p.t.Helper()
	p.Eval("void (given.length = 0)", nil)
	p.Click(`[data-take="` + row + `"] [data-how="` + how + `"]`)
	p.Until("given.length === 1", patience)
	p.Eval("given[0].blob.text()", &text)
	return p.Text("given[0].name"), text
}

// What is on screen can be taken away, and a run brought back.
func TestTakeAway(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		s := p.Run("?dphi=8&T=40&algos=cflgp,clove&t=14")
		p.Eval(recordFiles, nil)
		p.Click("#take")
		p.Until("document.querySelector('#sheet').open", patience)
		p.audit("taking away")

		name, csv := p.take("csv", "save")
		lines := strings.Split(strings.TrimSpace(csv), "\n")
		if !strings.HasSuffix(name, ".csv") || len(lines) != 1+2*41 ||
			!strings.HasPrefix(lines[0], "lane,round,ari,") || !strings.HasPrefix(lines[1], "cflgp,0,") {
			t.Errorf("%s has %d lines, the first is %s", name, len(lines), lines[0])
		}
		var doc struct {
			Lanes []struct{ Fingerprint string }
		}
		if _, text := p.take("json", "save"); json.Unmarshal([]byte(text), &doc) != nil || len(doc.Lanes) != 2 ||
			doc.Lanes[1].Fingerprint != s.Lanes[1].Fingerprint {
			t.Errorf("the numbers say %+v, the page %+v", doc, s.Lanes)
		}
		if name, svg := p.take("picture", "save"); !strings.HasSuffix(name, "map-cflgp-round-14.svg") ||
			!strings.HasPrefix(svg, "<svg ") {
			t.Errorf("%s begins %.60s", name, svg)
		}
		// A PNG at two pixels a CSS pixel, on a ground, with something on it.
		p.choose("#take-picture", "curves 0")
		if name, _ := p.take("picture", "png"); !strings.HasSuffix(name, "curves-round-14.png") {
			t.Errorf("the curves are called %s", name)
		}
		if got := p.pixels(); got != "1920,true,true" {
			t.Errorf("the picture has the width, a white corner, many colours: %s", got)
		}

		// The run, dropped on a page that shows another one.
		p.take("run", "save")
		p.Eval("void (window.kept = given[0].blob)", nil)
		p.Key("Escape")
		p.Until("!document.querySelector('#sheet').open", patience)
		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.When(complete + " && s.fingerprint !== '" + s.Fingerprint + "'")
		before := p.Text(engineCount)
		p.Eval(`(() => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([kept], "x.flock"));
			window.drag = (kind) => document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
		})()`, nil)
		const cue = "document.querySelector('.let-go')?.checkVisibility()"
		for _, end := range []string{"dragleave", "drop"} {
			p.Eval(`void drag("dragover")`, nil)
			p.Until(cue, patience)
			p.Shot("let-go")
			p.Eval(`void drag("`+end+`")`, nil)
			p.Until("!"+cue, patience)
		}
		p.When(complete + " && s.fingerprint === '" + s.Fingerprint + "'")
		if after := p.Text(engineCount); after != before {
			t.Errorf("to show a run, an engine was asked: %s messages after %s", after, before)
		}
		p.Key("ArrowRight")
		p.When(complete + " && s.fingerprint !== '" + s.Fingerprint + "' && s.answers > " + before)
	})
}

// choose picks an option of a list.
func (p *Page) choose(list, value string) {
	p.t.Helper()
	p.Eval(`(() => { const list = document.querySelector("`+list+`"); list.value = "`+value+
		`"; list.dispatchEvent(new Event("change", { bubbles: true })) })()`, nil)
	p.Until(`document.querySelector("`+list+`").value === "`+value+`"`, patience)
}

// pixels says of the PNG that was given how wide it is, whether it begins with white, and
// whether it has many colours.
func (p *Page) pixels() (words string) {
	p.Eval(`createImageBitmap(given[0].blob).then((picture) => {
		const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
		const context = canvas.getContext("2d");
		context.drawImage(picture, 0, 0);
		const pixels = new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer);
		return [picture.width, pixels[0] === 0xffffffff, new Set(pixels).size > 20].join();
	})`, &words)
	return words
}

// A figure for a paper, in each format; what is Chinese stays text in the SVG, and the
// sheet says so.
func TestPictureForPaper(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		s := p.Run("?dphi=8&T=40&algos=cflgp,clove&t=14")
		p.Eval(recordFiles, nil)
		p.Eval(`void Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } })`, nil)
		p.Click("#take")
		p.Until("document.querySelector('#sheet').open", patience)
		if wide := p.Text("document.querySelector('#sheet').scrollWidth > document.querySelector('#sheet').clientWidth"); wide != "false" {
			t.Error("on a phone the sheet is wider than the screen")
		}
		p.choose("#take-picture", "all 0")
		p.choose("#take-size", "one")
		p.choose("#take-palette", "grey")
		p.audit("choosing a picture")
		result := strings.ToUpper(s.Fingerprint[:4] + "-" + s.Fingerprint[4:8])
		name, svg := p.take("picture", "save")
		if !strings.HasSuffix(name, "all-round-14.svg") ||
			!strings.HasPrefix(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="85mm"`) ||
			strings.Contains(svg, "<text") || !strings.Contains(svg, scene.Greyscale.Hex(scene.Cluster(0))) ||
			!strings.Contains(svg, "Result "+result) {
			t.Errorf("%s, of the run %s, is %.600s", name, result, svg)
		}
		if _, _ = p.take("picture", "png"); p.pixels() != "1004,true,true" {
			t.Errorf("the PNG has the width, a white corner, many colours: %s", p.pixels())
		}
		p.Click(`[data-take=picture] [data-how=tex]`)
		p.Until("window.copied", patience)
		if text := p.Text("copied"); !strings.Contains(text, `\begin{figure}`) ||
			!strings.Contains(text, "Result "+result) ||
			!strings.Contains(text, "algos=cflgp,clove&t=14") || !strings.Contains(text, `\url{http`) {
			t.Errorf("for LaTeX there is %s", text)
		}
		p.Shot("take-picture")

		p.Run("?dphi=8&T=40&algos=cflgp,clove&t=14&lang=zh")
		p.Eval(recordFiles, nil)
		p.Click("#take")
		p.Until("document.querySelector('#sheet').open && document.querySelector('[data-take=picture] .hint').textContent.includes('中文')", patience)
		if _, svg := p.take("picture", "save"); !strings.Contains(svg, "</text>") ||
			!strings.Contains(svg, "PingFang SC") || !strings.Contains(svg, "结果") {
			t.Errorf("in Chinese the picture is %.400s", svg)
		}
	})
}

// Texts are copied; where nothing is allowed they are shown.
func TestCopyByHand(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("Clipboard API")
		p.Viewport(1440, 900)
		p.Run("?T=40&algos=clove&t=3")
		p.Eval(`void (Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject() } }), document.execCommand = () => false)`, nil)
		p.Click("#take")
		p.Until("document.querySelector('#sheet').open", patience)
		p.Click(`[data-take=sh] [data-how=copy]`)
		p.Until(`document.querySelector("#by-hand").value.startsWith("flock run 'data=linreg&T=40&algos=clove'")`,
			patience)
	})
}

// The page around a frame is given files too.
func TestExportToHost(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, _ := p.listener("?embed=1&T=40&t=9", `sandbox="allow-scripts"`, false)
		p.Open(host)
		p.heard(finished)
		ask := func(call string) map[string]any {
			p.Eval("heard.length = 0, say({ type: 'flockscope/export', "+call+" })", nil)
			return p.heard("m.type === 'flockscope/export' || m.type === 'flockscope/error'")
		}
		if m := ask("format: 'csv'"); m["mime"] != "text/csv" || !strings.HasPrefix(m["text"].(string), "lane,round") {
			t.Errorf("the numbers are given as %.200v", m)
		}
		if m := ask("format: 'svg', figure: 'map', lane: 2"); !strings.Contains(m["text"].(string),
			"Map of IFCA, round 9") {
			t.Errorf("the picture is given as %.200v", m)
		}
		ask("format: 'png', figure: 'curves'")
		if got := p.Text("[...heard[0].bytes.slice(1, 4)].map((c) => String.fromCharCode(c)).join('')"); got != "PNG" {
			t.Errorf("the picture begins %q", got)
		}
		for call, why := range map[string]string{"format: 'exe'": "the formats are",
			"format: 3": "format is not a text", "": "format is not a text", "format: 'svg', figure: 'sky'": "there is no such figure", "format: 'svg', lane: 'x'": "lane is not"} {
			if m := ask(call); m["message"] == nil || !strings.Contains(m["message"].(string), why) {
				t.Errorf("%s is answered by %.200v", call, m)
			}
		}
	})
}
