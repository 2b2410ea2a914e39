package course

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// BuilderDir is the folder of the builder on a site: a page that makes packages in the browser, of the site that it is
// part of.
const BuilderDir = "course/"

//go:embed builder.html builder.css builder.js
var builder embed.FS

// builderParts are what builder.js has of this package, so that both make the same files.
type builderParts struct {
	Lessons  []titled          `json:"lessons"`
	Copied   []copied          `json:"copied"`   // files of the site
	Texts    map[string]string `json:"texts"`    // other files, by their names in the package
	Filled   map[string]string `json:"filled"`   // files with places to fill
	Words    map[string]words  `json:"words"`    // by language
	Resource map[string]any    `json:"resource"` // the description that all courses share
}

// Builder returns the files of the builder of a site, by their names on the site.
func Builder(site fs.FS) (map[string][]byte, error) {
	list, changed, err := pageFiles(site)
	if err != nil {
		return nil, err
	}
	p := builderParts{Copied: list, Texts: map[string]string{}, Filled: map[string]string{}, Words: wordsIn,
		Resource: resource}
	if p.Lessons, err = titlesOf(site); err != nil {
		return nil, err
	}
	for name, content := range changed {
		p.Texts[name] = string(content)
	}
	for name, from := range copiedParts {
		text, err := parts.ReadFile(from)
		if err != nil {
			return nil, err
		}
		p.Texts[name] = string(text)
	}
	for _, name := range []string{"course.html", "manifest-1.2.xml", "manifest-2004.xml"} {
		text, err := parts.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p.Filled[name] = string(text)
	}
	files := map[string][]byte{}
	if files[BuilderDir+"parts.json"], err = json.Marshal(p); err != nil {
		return nil, err
	}
	for name, from := range map[string]string{"index.html": "builder.html", "builder.css": "builder.css", "builder.js": "builder.js"} {
		if files[BuilderDir+name], err = builder.ReadFile(from); err != nil {
			return nil, err
		}
	}
	return files, nil
}
