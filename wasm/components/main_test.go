package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A template with everything that components have here: what vugugen writes of it is shortened to
// calls, with the attributes as data.
const template = `<section class="a" aria-label="A &quot;b&quot;">
  <p>Plain</p>
  <svg viewBox="0 0 2 2"><path d="M0 0"></path></svg>
  <button type="button" class="a" :title="c.Title" @click="c.Press()">Press</button>
  <input type="checkbox" .checked="c.On">
  <p vg-for='_, n := range c.Names' vg-content='n'></p>
  <sample:Part></sample:Part>
</section>

<script type="application/x-go">
type Sample struct {
	Title string
	On    bool
	Names []string
}

func (c *Sample) Press() {}

type Part struct{}

func (*Part) Build(*vugu.BuildIn) *vugu.BuildOut { return &vugu.BuildOut{} }
</script>
`

func TestShorten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample") // vugugen names the package after the folder
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sample.vugu"), []byte(template), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "tool", "vugugen", "-skip-main", "-skip-go-mod", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	source, err := os.ReadFile(filepath.Join(dir, "sample_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := shorten(string(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`vgn = newElement("", "section", sampleAttributes[0])`,
		`addText(vgparent, "\n  ")`,
		`vgn = addElement(vgparent, "", "p", nil)`,
		`vgn = addElement(vgparent, "svg", "svg", sampleAttributes[1])`,
		`vgn.AddAttrInterface("title", c.Title)`,
		`addEvent(vgn, "click", func(event vugu.DOMEvent) { c.Press() })`,
		`addProperty(vgn, "checked", c.On)`,
		`vgiterkey, func() vugu.Builder { return new(Part) }).(*Part)`,
		`addComponent(vgout, vgparent, vgcomp)`,
		`{{Key: "class", Val: "a"}, {Key: "aria-label", Val: "A \"b\""}},`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), `"log"`) {
		t.Error("it imports a logger that it does not use")
	}
	if rows := strings.Count(string(got), "{{Key:"); rows != 4 {
		t.Errorf("%d lists of attributes, want 4, each once", rows)
	}
}

// What another version of Vugu writes is an error, and nothing is lost.
func TestShortenUnknown(t *testing.T) {
	for _, source := range []string{
		"package p\n\nfunc (c *A) Build() { vgn = &vugu.VGNode{Kind: 1} }\n",
		"package p\n\nfunc build() {}\n",
	} {
		if got, err := shorten(source); err == nil {
			t.Errorf("%q becomes %q, want an error", source, got)
		}
	}
}
