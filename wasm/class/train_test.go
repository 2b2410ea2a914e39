//go:build !js

package class

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// runScript runs a script that imports the modules of the pages, with input as JSON, and decodes what it prints.
func runScript(t *testing.T, script string, input, output any) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"train.js", "draw.js"} {
		source, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"package.json": `{"type":"module"}`, "main.js": script, "input.json": string(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("node", "main.js")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, output); err != nil {
		t.Fatal(err)
	}
}

// exchanges keeps tasks with their replies by the engine's own model.
type exchanges struct {
	direct
	mu    sync.Mutex
	Tasks []task
	want  [][]byte
}

type task struct {
	Task         []byte `json:"task"` // base64 in JSON, as the next ones
	X, Y         []byte
	HeldX, HeldY []byte
}

func (e *exchanges) Exchange(v *engine.Job) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.phones {
		if a, ok := v.Asks(i); ok && i < 2 {
			d := &e.phones[i]
			bytes := appendTask(nil, 7, v, &a)
			e.Tasks = append(e.Tasks, task{bytes, trace.Bytes(d.x), trace.Bytes(d.y), trace.Bytes(d.heldX),
				trace.Bytes(d.heldY)})
			e.want = append(e.want, answerTask(bytes, d, 3))
		}
	}
	e.direct.Exchange(v)
}

const answerScript = `
import { readFileSync } from "node:fs";
import { answer } from "./train.js";
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64")).buffer;
const set = (x, y) => {
  const labels = Array.from(new Float32Array(bytes(y)));
  return { x: new Float32Array(bytes(x)), y: labels, n: labels.length };
};
const replies = JSON.parse(readFileSync("input.json", "utf8")).map((t) =>
  Buffer.from(answer(bytes(t.task), set(t.X, t.Y), set(t.HeldX, t.HeldY), 3)).toString("base64"));
console.log(JSON.stringify(replies));
`

// The page of a phone computes what the engine computes: all that it replies agrees to 1e-6.
func TestPhoneTrainsAsTheEngine(t *testing.T) {
	t.Parallel()
	e := &exchanges{direct: direct{classes: 3}}
	r := rand.New(rand.NewPCG(1, 57))
	group, held := []int{}, []int{}
	for i := range 4 {
		e.phones = append(e.phones, pupil(r, i%2 == 1, 2, 1))
		group, held = append(group, i%2), append(held, 6)
	}
	for _, o := range []Options{
		{Methods: "cflgp,ifca,clove", Rounds: 4, More: "lr=0.5"},
		{Methods: "cflgp,fedavg", Rounds: 3, More: "avg=model&tau=3&lr=0.5"},
		{Methods: "cflgp,ifca", Rounds: 3, More: "private=noise&gauss=0&clip=0.8&cflgp.cr=50"},
	} {
		c, data, err := configOf(queryOf(o, len(group)), group, held, quick.Digits)
		if err != nil {
			t.Fatal(err)
		}
		var rec engine.Recorder
		if err := engine.RunRemote(context.Background(), c, data, e, &rec); err != nil {
			t.Fatal(err)
		}
	}
	var replies []string
	runScript(t, answerScript, e.Tasks, &replies)
	worst, numbers := 0.0, 0
	for n, text := range replies {
		got, err := base64.StdEncoding.DecodeString(text)
		want := e.want[n]
		if err != nil || len(got) != len(want) {
			t.Fatalf("task %d: %d bytes, want %d: %v; the task begins with %v", n, len(got), len(want), err,
				e.Tasks[n].Task[:4*taskHead])
		}
		for at := 0; at < len(got); at += 4 {
			a, b := binary.LittleEndian.Uint32(got[at:]), binary.LittleEndian.Uint32(want[at:])
			if a == b {
				continue
			}
			x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
			if isNoise(e.Tasks[n].Task, at) {
				continue // the error of the lead, which answerTask does not compute
			}
			worst = max(worst, math.Abs(x-y))
			numbers++
		}
	}
	t.Logf("%d replies; %d numbers differ, by at most %.2g", len(replies), numbers, worst)
	if worst > 1e-6 || len(replies) < 50 {
		t.Errorf("the numbers of %d replies differ by up to %g, want at most 1e-6", len(replies), worst)
	}
}

// isNoise reports whether a place of a reply is the standard error of the lead.
func isNoise(task []byte, at int) bool {
	models := int(binary.LittleEndian.Uint32(task[4*7:]))
	return binary.LittleEndian.Uint32(task[4*4:]) != 0 && at == 4*(replyHead+models+1)
}

const pictureScript = `
import { readFileSync } from "node:fs";
import { picture } from "./draw.js";
const { strokes, side } = JSON.parse(readFileSync("input.json", "utf8"));
console.log(JSON.stringify([false, true].map((turned) => Array.from(picture(strokes, side, turned)))));
`

// A drawing becomes a picture as in MNIST: in a box of 20 pixels, centred by mass; a turned phone turns it.
func TestPicture(t *testing.T) {
	t.Parallel()
	var out [2][]float64
	runScript(t, pictureScript, map[string]any{"strokes": strokes[2:3], "side": Side}, &out)
	var mass, x, y float64
	low, high := Side, 0
	for i, v := range out[0] {
		if v < 0 || v > 1 {
			t.Fatalf("pixel %d is %g", i, v)
		}
		mass, x, y = mass+v, x+v*(float64(i%Side)+0.5), y+v*(float64(i/Side)+0.5)
		if v > 0 {
			low, high = min(low, i/Side), max(high, i/Side)
		}
		if w := out[1][len(out[1])-1-i]; v != w {
			t.Fatalf("pixel %d is %g, turned %g", i, v, w)
		}
	}
	if math.Abs(x/mass-14) > 0.1 || math.Abs(y/mass-14) > 0.1 {
		t.Errorf("the centre of mass is (%g, %g), want (14, 14)", x/mass, y/mass)
	}
	if rows := high - low + 1; rows < 18 || rows > 22 || mass < 30 || mass > 200 {
		t.Errorf("%d rows have ink, %g in total", rows, mass)
	}
}
