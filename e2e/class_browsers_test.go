package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flockscope/sim/runfile"
	"flockscope/sim/trace"
	"flockscope/wasm/class"
)

// Six browsers and 54 phones that are no pages play a run together. Of the 60, 18 are cut off in it and come back: none is
// lost, none counted twice, and the recording replays to what was seen live. Nothing that the browsers send has a drawing.
func TestClassOfSixBrowsers(t *testing.T) {
	SkipIfShort(t)
	t.Parallel()
	for range maxPages { // no other page is open meanwhile
		acquirePage(t, true)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	settings := class.DefaultSettings
	settings.Pace = 500 * time.Millisecond // so that a run can be held in a round
	classes := class.NewServer(ctx, settings, false)
	c, err := classes.Open()
	if err != nil {
		t.Fatal(err)
	}
	var sent traffic
	teacher := newPage(t, openChromiumPage(t))
	teacher.Serve(sent.record(serveClasses(classes)))
	var pages []*Page
	ownFirefox := func() (*marionette, error) { return startFirefox(t.Cleanup) }
	for range 2 { // each with a storage of its own
		pages = append(pages, newPage(t, openChromiumPage(t)), newPage(t, openFirefoxPage(t, ownFirefox)),
			newPage(t, openWebKitPage(t)))
	}
	teacher.Viewport(1440, 900)
	teacher.Open(c.TeacherPath())
	teacher.Until(watchClass(c), patience)

	address := teacher.origin + "/c/" + c.Code
	began := time.Now()
	for _, p := range pages {
		p.origin = teacher.origin
		p.Viewport(390, 844)
		p.Eval("void setTimeout(() => location.assign("+quote(address)+"))", nil)
	}
	teacher.Until(addClassmates(c, 54, 16), patience)
	teacher.Until("window.state.phones.filter((p) => p.here).length === 60", patience)
	t.Logf("60 phones joined in %v", time.Since(began))

	var drawn [][][]float32 // per page and drawing, as a model sees it
	for _, p := range pages {
		p.drawAll()
		var pictures [][]float32
		p.Eval(`import("/class/pages/draw.js").then(({ picture }) => {
			const mine = JSON.parse(Object.values(localStorage)[0]);
			return mine.drawings.map((strokes) => Array.from(picture(strokes, 28, mine.turned)));
		})`, &pictures)
		drawn = append(drawn, pictures)
	}
	teacher.Until(`document.querySelector("#count").textContent === "60 phones, 60 ready"`, patience)

	teacher.Click("#settings summary")
	teacher.Enter("#rounds", "20")
	teacher.Click("#record")
	teacher.Click("#start")
	// A browser is closed in a round, and opened again when rounds have gone on without it. The run is held meanwhile, so
	// that it is not over before.
	killed := pages[1:3]
	hold := func(condition string) {
		teacher.Until(condition, patience)
		teacher.Until(`window.state.run.paused || (window.teacher.send('{"do": "pause", "on": true}'), false)`, patience)
	}
	resume := func() { teacher.Click("#pause") }
	hold("window.state.run.round >= 1")
	for _, p := range killed {
		p.must("leaving the page", p.browser.open("about:blank"))
	}
	teacher.Until("window.state.phones.filter((p) => p.here).length === 58", patience)
	heldAt := teacher.Text("window.state.run.round")
	resume()
	hold("window.state.run.round >= " + heldAt + " + 4")
	var numbers []int
	for _, p := range killed {
		p.Open(address)
		p.Until(`document.querySelector("#phase").textContent.startsWith("Round")`, patience)
		var number int
		p.Eval(`Number(document.querySelector("#who").textContent.match(/phone (\d+)$/)[1])`, &number)
		numbers = append(numbers, number)
	}
	teacher.Until("window.state.phones.filter((p) => p.here).length === 60", patience)
	resume()
	teacher.Until(`document.querySelector("#state").textContent === "Over after 20 rounds."`, patience)
	teacher.Shot("class-of-sixty")

	var state struct {
		Run struct {
			Phones      int
			Seconds     float64
			Ari         [][]float64
			Fingerprint []string
		}
		Phones []struct {
			Number      int
			Here, Plays bool
			Models      []int
		}
		Problems map[string]int
	}
	teacher.Eval("window.state", &state)
	t.Logf("a round took %.3f s (median); ARI at the end %v; dropped messages %v", state.Run.Seconds,
		state.Run.Ari[0][20], state.Problems)
	if n := teacher.Text("window.mates.filter((mate) => mate.killed).length"); n != "16" {
		t.Errorf("%s phones were cut off, want 16", n)
	}
	if state.Run.Phones != 60 || len(state.Phones) != 60 {
		t.Errorf("%d phones, %d in the run, want 60", len(state.Phones), state.Run.Phones)
	}
	for i, p := range state.Phones {
		if p.Number != i+1 || !p.Here || !p.Plays || len(p.Models) != 2 {
			t.Errorf("phone %d of the list: %+v", i+1, p)
		}
	}
	was, played, err := class.Replay(ctx, download(t, teacher.origin, c, ""))
	if err != nil || len(was) != 2 || !slices.Equal(was, played) || !slices.Equal(was, state.Run.Fingerprint) {
		t.Errorf("replayed %v of %v, live %v: %v", played, was, state.Run.Fingerprint, err)
	}
	run, err := runfile.Read(download(t, teacher.origin, c, "?run"))
	if err != nil {
		t.Fatal(err)
	}
	frames := run.Tracks[0].Frames
	for _, n := range numbers {
		dropped := slices.ContainsFunc(frames[1:], func(f trace.Frame) bool { return f.State[n-1] == trace.Dropped })
		if !dropped || frames[20].State[n-1] != trace.Present {
			t.Errorf("phone %d dropped out: %v, and ended %v", n, dropped, frames[20].State[n-1])
		}
	}
	for i, s := range frames[20].State {
		if s != trace.Present {
			t.Errorf("in the last round phone %d is %v", i+1, s)
		}
	}

	var token string
	var reply []byte
	teacher.Eval("window.mates.find((mate) => mate.killed).token", &token)
	teacher.Eval("btoa(String.fromCharCode(...window.mates[20].reply))", &reply)
	messages := sent.messages(t)
	if !bytes.Contains(messages, []byte(token)) || !bytes.Contains(messages, reply) {
		t.Error("the recording of the traffic does not have what was sent")
	}
	for i, pictures := range drawn {
		if len(pictures) != 9 {
			t.Errorf("page %d has %d drawings, want 9", i, len(pictures))
		}
		for k, x := range pictures {
			for form, needle := range rowForms(x) {
				if bytes.Contains(messages, needle) {
					t.Errorf("drawing %d of page %d was sent as %s", k+1, i, form)
				}
			}
		}
	}
}

// drawAll draws all that a phone's page asks for.
func (p *Page) drawAll() {
	p.t.Helper()
	p.Until(`!document.querySelector("#turn").hidden || !document.querySelector("#draw").hidden`, patience)
	if p.Text(`document.querySelector("#turn").hidden`) == "false" {
		p.Click("#turned")
	}
	for n := range 9 {
		p.drawDigit(n % 3)
		p.Click("#next")
	}
	p.Until(`!document.querySelector("#wait").hidden && document.querySelectorAll("#mine canvas").length === 9`, patience)
}

// rowForms returns the middle row of a drawing of 28 × 28 pixels in forms in which it might be sent, also upside down.
func rowForms(x []float32) map[string][]byte {
	forms := map[string][]byte{}
	for name, at := range map[string]int{"": 14, " upside down": 13} {
		row := slices.Clone(x[28*at:][:28])
		if at == 13 {
			slices.Reverse(row)
		}
		var gray, single, double []byte
		var text []string
		for _, v := range row {
			gray = append(gray, byte(255*v))
			single, _ = binary.Append(single, binary.LittleEndian, v)
			double, _ = binary.Append(double, binary.LittleEndian, float64(v))
			text = append(text, fmt.Sprint(v))
		}
		forms["bytes"+name], forms["float32"+name], forms["float64"+name] = gray, single, double
		forms["text"+name] = []byte(strings.Join(text, ","))
	}
	return forms
}

// download fetches the last run of a class; "?run" for the run file.
func download(t *testing.T, origin string, c *class.Class, query string) []byte {
	t.Helper()
	q, err := http.NewRequest(http.MethodGet, origin+"/class/"+c.Code+"/recording"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(c.TeacherPath(), "#")
	q.Header.Set("Authorization", "Bearer "+secret)
	w, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode != http.StatusOK {
		t.Fatalf("recording: %s %v", w.Status, err)
	}
	return data
}

// traffic is all that a server has received.
type traffic struct {
	mu       sync.Mutex
	requests bytes.Buffer    // addresses and bodies
	streams  []*bytes.Buffer // of WebSockets
}

// record serves with a handler, and records what it receives.
func (r *traffic) record(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		q.Body = io.NopCloser(bytes.NewReader(body))
		r.mu.Lock()
		fmt.Fprintf(&r.requests, "%s %v %s\n", q.URL, q.Header, body)
		r.mu.Unlock()
		h.ServeHTTP(recordedWriter{w, r}, q)
	})
}

// recordedWriter records the connections of which its handler makes WebSockets.
type recordedWriter struct {
	http.ResponseWriter
	to *traffic
}

func (w recordedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered())
	stream := bytes.NewBuffer(slices.Clone(early))
	w.to.mu.Lock()
	defer w.to.mu.Unlock()
	w.to.streams = append(w.to.streams, stream)
	return recordedConn{conn, w.to, stream}, rw, nil
}

type recordedConn struct {
	net.Conn
	to     *traffic
	stream *bytes.Buffer
}

func (c recordedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.to.mu.Lock()
	defer c.to.mu.Unlock()
	c.stream.Write(b[:n])
	return n, err
}

// messages returns all requests, and what the frames of the WebSockets carry (RFC 6455, section 5.2).
func (r *traffic) messages(t *testing.T) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := bytes.Clone(r.requests.Bytes())
	for _, stream := range r.streams {
		for b := stream.Bytes(); len(b) >= 2; {
			if b[0]&0x70 != 0 || b[1]&0x80 == 0 {
				t.Fatalf("a frame begins with %x: it is compressed, or not masked", b[:2])
			}
			n, head := int(b[1]&0x7f), 2
			switch {
			case n == 126 && len(b) >= 4:
				n, head = int(binary.BigEndian.Uint16(b[2:])), 4
			case n == 127 && len(b) >= 10:
				n, head = int(binary.BigEndian.Uint64(b[2:])), 10
			}
			if len(b) < head+4+n { // cut off
				break
			}
			mask := b[head:][:4]
			for i, x := range b[head+4:][:n] {
				out = append(out, x^mask[i%4])
			}
			b = b[head+4+n:]
		}
	}
	return out
}
