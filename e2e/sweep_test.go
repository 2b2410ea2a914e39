package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// openSweep opens the sheet of sweeps.
func (p *Page) openSweep() {
	p.t.Helper()
	p.Click("#open-sweep")
	p.When("s.sheet === 'sweep'")
	p.Drawn() // a click before the sheet is drawn closes it
}

// startSweep starts a sweep over this many values and seeds.
func (p *Page) startSweep(values, seeds string) {
	p.t.Helper()
	p.openSweep()
	p.Enter(`[data-sweep="0.count"]`, values)
	p.Enter(`[data-sweep="seeds"]`, seeds)
	p.Click("#sweep-run")
}

// saveSweep saves the results of the sweep in the open sheet, and returns them with the command
// that computes them.
func (p *Page) saveSweep() (records, command string) {
	p.t.Helper()
	p.Until(`document.querySelector('[data-save="jsonl"]') !== null`, patience)
	p.Drawn()
	p.Eval(recordFiles, nil)
	p.Click(`[data-save="jsonl"]`)
	p.Until("given.length === 1", patience)
	p.Eval("given[0].blob.text()", &records)
	return records, p.Text(`document.querySelector("#sweep-command").value`)
}

// A sweep goes on in the tab when its page is loaded again. Its records are those of flock,
// byte for byte, and a page that they are dropped on shows them.
func TestSweepAndReload(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?T=20&algos=ifca,cflgp")
		p.startSweep("4", "150")
		p.When("s.sweep && s.sweep.done > 40")
		p.Eval("location.reload(), 0", nil)
		p.Until("window.flockscope !== undefined && flockscope.state !== undefined", patience)
		p.When("s.sweep && s.sweep.done > 20 && s.sweep.of === 600") // 20 may have been on their way
		p.When("s.sweep && !s.sweep.busy && s.sweep.done === 600")

		p.Click("#open-sweep")
		text, command := p.saveSweep()
		if want := flockOf(t, text, command, 600, t.TempDir()); text != want {
			t.Errorf("the page saves %d bytes, flock computes %d; the page's begin %.300s", len(text), len(want), text)
		}

		// Another visit, to another run: the file shows its sweep, and a part of it goes on.
		part := strings.Join(strings.SplitAfter(text, "\n")[:580], "")
		p.Go("?data=mixreg&T=20&scent=0")
		p.withFile("k.jsonl", part, `document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }))`)
		p.When("s.sheet === 'sweep' && s.sweep && s.sweep.done === 580 && !s.sweep.busy")
		p.Until(`document.querySelector("#sweep-continue") !== null`, patience)
		p.Click("#sweep-continue")
		p.When("s.sweep.done === 600 && !s.sweep.busy")

		// Packed, the reader of files unpacks it.
		p.Go("?data=mixreg&T=20&scent=0")
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(part))
		z.Close()
		p.PickFiles(file{"k.jsonl.gz", packed.Bytes()})
		p.When("s.sheet === 'sweep' && s.sweep && s.sweep.done === 580 && !s.sweep.busy")
	})
}

// The records of a page of results open as a table by setting and method.
func TestBookOpens(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		const name = "cflgp-fig1b.jsonl.gz"
		records, err := os.ReadFile(filepath.Join(root, "sim", "lab", "papers", "results", name))
		if err != nil {
			t.Fatal(err)
		}
		p.Run("?data=mixreg&T=20&scent=0")
		p.PickFiles(file{name, records})
		p.Until(`[...document.querySelectorAll(".result tbody tr")].some((row) => [...row.cells].slice(0, 4).map((c) => c.innerText).join() === "10,1.6,cflgp,20")`,
			patience)
	})
}

// A sweep of files of the user's waits for them after its page is loaded again: it says so,
// keeps what it has, and goes on with it. Its records are those of flock. Other files do
// not go on with it.
func TestSweepOfOwnFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes 600 runs")
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?K=2&T=20&algos=ifca,cflgp&t=5")
		open := func(groups bool) {
			before := p.State().Fingerprint
			p.Pick("two groups.csv", samples(groups))
			p.When(fmt.Sprintf("%s && s.config.startsWith('data=csv') && s.clients === 6 && s.fingerprint !== %q", complete, before))
		}
		open(true)
		p.startSweep("4", "75")
		p.When("s.sweep && s.sweep.done > 20")
		p.Eval("location.reload(), 0", nil)
		p.Until("window.flockscope !== undefined && flockscope.state !== undefined", patience)
		p.When("s.notices.length === 1 && s.notices[0].includes('your own files')")

		open(false) // something else, since the groups are unknown
		p.openSweep()
		p.Until(`document.querySelector("#sheet").textContent.includes("This sweep uses other files: open the ones it was started with.") || document.querySelector("#sweep-continue") !== null`, patience)
		p.Click("#sweep-continue")
		p.Until(`document.querySelector("#sheet").textContent.includes("This sweep uses other files: open the ones it was started with.")`, patience)
		p.Key("Escape")
		p.When("!s.sheet")

		open(true)
		p.openSweep()
		p.Click("#sweep-continue")
		p.When("s.sweep.done === 300 && !s.sweep.busy")
		text, command := p.saveSweep()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "two groups.csv"), []byte(samples(true)), 0o666); err != nil {
			t.Fatal(err)
		}
		if want := flockOf(t, text, command, 300, dir); text != want {
			t.Errorf("the page saves %d bytes, flock computes %d; the page's begin %.300s", len(text), len(want), text)
		}
	})
}

// flockOf is what flock says of a sweep after the page's command: first from the records
// of the page, of which it must compute none, and then by itself, in dir, where the user's
// files are.
func flockOf(t *testing.T, records, command string, results int, dir string) string {
	t.Helper()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "flock"), "./sim/cmd/flock")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "flockscope-sweep.jsonl"), []byte(records), 0o666); err != nil {
		t.Fatal(err)
	}
	shell := func(script string) string {
		run := exec.Command("bash", "-euc", script)
		run.Dir = dir
		run.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		var said strings.Builder
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", script, err, &said)
		}
		return string(out) + said.String()
	}
	if said := shell(command); !strings.Contains(said, fmt.Sprintf("sweep.flock holds %d results", results)) {
		t.Errorf("%s says %s", command, said)
	}
	sweep := command[strings.LastIndex(command, "flock sweep"):]
	return shell(strings.Replace(sweep, "-o sweep.flock", "-o again.flock", 1) +
		" >/dev/null; flock results -jsonl again.flock")
}
