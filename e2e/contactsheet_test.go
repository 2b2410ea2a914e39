package e2e

import (
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"flockscope/sim/catalog"
)

// shown is a picture of the contact sheet.
type shown struct {
	Name, Query   string
	Width, Height int
	Theme         string // "light", "dark" or "projector"
}

// File is the picture's name in the sheet's directory.
func (s shown) File() string {
	return fmt.Sprintf("%s-%dx%d-%s.png", s.Name, s.Width, s.Height, s.Theme)
}

// sections are what the contact sheet shows: the page as it opens on every screen and in
// every theme, each workload and each method once at mid-run.
func sections() (out []struct {
	Title  string
	Thumbs []shown
}) {
	add := func(title string, thumbs []shown) {
		out = append(out, struct {
			Title  string
			Thumbs []shown
		}{title, thumbs})
	}
	for _, theme := range []string{"light", "dark", "projector"} {
		var screens []shown
		for _, s := range []shown{
			{"desk", "", 1440, 900, theme}, {"zoomed", "", 720, 450, theme}, {"tablet", "", 768, 1024, theme},
			{"phone", "", 390, 844, theme}, {"phone-aside", "", 844, 390, theme}, {"small-phone", "", 360, 640, theme},
			{"frame", "embed=1&", 800, 450, theme}, {"small-frame", "embed=1&", 490, 294, theme},
		} {
			if theme == "projector" {
				s.Query += "theme=projector&"
			}
			screens = append(screens, s)
		}
		add("Screens, "+theme, screens)
	}
	const half = "T=60&t=30&"
	var data, methods []shown
	for _, w := range catalog.Schema().Workloads {
		data = append(data, shown{"data-" + w.Name, half + "data=" + w.Name + "&", 1440, 900, "light"})
	}
	for _, m := range catalog.Schema().Algorithms {
		methods = append(methods, shown{"method-" + m.Name, half + "dphi=20&algos=" + m.Name + "&", 1440, 900, "light"})
	}
	add("Data", data)
	add("Methods", methods)
	return out
}

// TestContactSheet makes the contact sheet, if FLOCKSCOPE_SHEET names a directory for it:
// the pictures, index.html with all of them, and a picture of each of its sections. Every
// picture is of a page that is at rest and has reported no problem.
func TestContactSheet(t *testing.T) {
	dir := os.Getenv("FLOCKSCOPE_SHEET")
	if dir == "" {
		t.Skip("FLOCKSCOPE_SHEET names no directory")
	}
	schema := catalog.Schema()
	own := map[string][]file{"csv": {{"two groups.csv", []byte(samples(true))}}, "samples": idx(400)}
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		take := func(name string) {
			picture, err := p.browser.shot()
			p.must("taking a picture", err)
			p.must("writing it", os.WriteFile(filepath.Join(dir, name), picture, 0o644))
		}
		all := sections()
		for _, section := range all {
			for _, s := range section.Thumbs {
				p.Viewport(s.Width, s.Height)
				scheme := s.Theme
				if scheme == "projector" {
					scheme = "light"
				}
				p.ColorScheme(scheme)
				p.Open("/?" + s.Query + "scent=0")
				ready := complete
				if c, _ := schema.Parse(s.Query); c.NeedsFile() {
					p.PickFiles(own[c.Workload()]...)
					ready += " && s.file !== ''"
				}
				p.Until(says(ready), posing)
				p.Drawn()
				if problem := p.State().Problem; problem != "" {
					t.Errorf("%s: %s", s.File(), problem)
				}
				take(s.File())
			}
		}
		index, err := os.Create(filepath.Join(dir, "index.html"))
		p.must("writing the sheet", err)
		p.must("writing the sheet", sheetPage.Execute(index, all))
		p.must("writing the sheet", index.Close())
		files := httptest.NewServer(http.FileServer(http.Dir(dir)))
		defer files.Close()
		p.ColorScheme("light")
		for i, section := range all {
			rows := (len(section.Thumbs) + 3) / 4
			p.Viewport(1600, 60+rows*290)
			p.Open(fmt.Sprintf("%s/#s%d", files.URL, i))
			p.Until("[...document.images].every((image) => image.complete && image.naturalWidth > 0)", patience)
			take(fmt.Sprintf("sheet-%d.png", i+1))
		}
	})
}

// sheetPage is the contact sheet; with the name of a section behind the #, only that.
var sheetPage = template.Must(template.New("").Parse(`<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Flockscope, contact sheet</title>
<style>
body { font: 14px sans-serif; margin: 16px; background: #ddd; }
body:has(section:target) section:not(:target) { display: none; }
.thumbs { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; }
figure { margin: 0; height: 270px; display: flex; flex-direction: column; }
figure a { flex: 1; min-height: 0; }
img { max-width: 100%; max-height: 100%; border: 1px solid #999; }
h2 { margin: 8px 0; }
</style>
{{range $i, $section := .}}<section id="s{{$i}}"><h2>{{.Title}}</h2>
<div class="thumbs">{{range .Thumbs}}<figure><figcaption>{{.Name}} {{.Width}}×{{.Height}}</figcaption><a href="{{.File}}"><img src="{{.File}}" alt="{{.Query}}"></a></figure>
{{end}}</div></section>
{{end}}`))

// The sheet has every size once in each theme, and no two pictures overwrite each other.
func TestContactSheetIsWhole(t *testing.T) {
	var files []string
	for _, section := range sections() {
		for _, s := range section.Thumbs {
			if slices.Contains(files, s.File()) {
				t.Errorf("%s is there twice", s.File())
			}
			files = append(files, s.File())
		}
	}
	if want := 24 + len(catalog.Schema().Workloads) + len(catalog.Schema().Algorithms); len(files) != want {
		t.Errorf("%d pictures, want %d", len(files), want)
	}
}
