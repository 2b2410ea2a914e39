package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"flockscope/wasm/site"
)

// The page also opens with a program that is not packed, as it is with a version of Go that
// wasm/pack does not know, and computes the same.
func TestPlainProgram(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		const query = "?algos=clove,cflgp&C=24&b=20&dphi=8&T=60&t=30"
		dir := filepath.Join(root, ".build", "plain")
		build := exec.Command("go", "run", "./wasm/build", "-plain", "-out", dir)
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("building the site: %v\n%s", err, out)
		}
		p.Serve(site.Handler(dir))
		if got := p.Run(query); got.Problem != "" || got.Shown != 30 || prints(got) != native(t, query[1:]) {
			t.Errorf("state() = %+v, want round 30 of the run that the command line computes", got)
		}
		p.Until("document.getElementById('poster').hidden", patience)
	})
}
