package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"flockscope/wasm/class"
)

// classmates lets MATES phones join that are no pages: they draw by calling, and play by the scripts of the phone's page.
// The first KILLED of them lose their connection once in rounds 2 to 5, when they have been asked, and come back.
const classmates = `(async () => {
	const { answer } = await import("/class/pages/train.js"), { picture } = await import("/class/pages/draw.js");
	const digits = [
		[[26, 32], [44, 13], [68, 25], [60, 51], [25, 87], [75, 86]],
		[[60, 88], [61, 14], [25, 63], [79, 62]],
		[[24, 17], [75, 15], [46, 88]],
	];
	const set = (each, turned, hand) => {
		const x = [], y = [];
		for (let n = 0; n < each; n++) digits.forEach((line, k) => {
			x.push(...picture([line.map(([a, b], i) => [a + (hand + i * (n + 1)) % 5, b + (hand * i) % 7])], 28, turned));
			y.push(k);
		});
		return { x: Float32Array.from(x), y, n: y.length };
	};
	window.mates = [];
	const enter = (mate) => {
		const socket = new WebSocket(location.origin.replace("http", "ws") + "/class/CODE/phone");
		socket.binaryType = "arraybuffer";
		socket.onopen = () => socket.send(JSON.stringify({ type: "join", token: mate.token }));
		socket.onmessage = ({ data }) => {
			if (typeof data !== "string") {
				const round = new Uint32Array(data)[3];
				if (mate.hand < KILLED && !mate.killed && round === 2 + mate.hand % 4) {
					mate.killed = true;
					socket.onmessage = null;
					socket.onclose = () => enter(mate);
					return socket.close();
				}
				return socket.send(mate.reply = answer(data, mate.train, mate.held, 3));
			}
			const m = JSON.parse(data);
			if (mate.token) return;
			mate.token = m.token;
			mate.train = set(2, m.turned, mate.hand);
			mate.held = set(1, m.turned, mate.hand + 5);
			socket.send(JSON.stringify({ type: "ready", drawings: 6, held: 3 }));
			if (mate.hand === 0) socket.send(JSON.stringify({ type: "volunteer", on: true }));
			window.mates.push(mate);
		};
	};
	for (let hand = 0; hand < MATES; hand++) enter({ hand, token: "" });
	return new Promise((done) => setInterval(() => window.mates.length === MATES && done(true), 20));
})()`

// addClassmates is the expression that lets some phones join, of which some lose their connection.
func addClassmates(c *class.Class, mates, killed int) string {
	return strings.NewReplacer("CODE", c.Code, "MATES", strconv.Itoa(mates), "KILLED", strconv.Itoa(killed)).
		Replace(classmates)
}

// watchClass is the expression that opens a further connection of the teacher, whose last state is window.state.
func watchClass(c *class.Class) string {
	_, secret, _ := strings.Cut(c.TeacherPath(), "#")
	return `new Promise((done) => {
		const s = window.teacher = new WebSocket(location.origin.replace("http", "ws") + "/class/` + c.Code + `/teacher");
		s.onopen = () => s.send(JSON.stringify({ secret: "` + secret + `" }));
		s.onmessage = ({ data }) => { window.state = JSON.parse(data); done(true); };
	})`
}

// serveClasses serves the built site, and classes.
func serveClasses(classes *class.Server) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/c/") || strings.HasPrefix(r.URL.Path, "/class/") {
			classes.ServeHTTP(w, r)
			return
		}
		built().ServeHTTP(w, r)
	})
}

// digits of a pupil, in hundredths of the drawing box.
var drawnDigits = [3][][2]float64{
	{{26, 32}, {44, 13}, {68, 25}, {60, 51}, {25, 87}, {75, 86}},
	{{60, 88}, {61, 14}, {25, 63}, {79, 62}},
	{{24, 17}, {75, 15}, {46, 88}},
}

// drawDigit draws a digit in the box of a phone's page with the mouse, upside down if the phone is.
func (p *Page) drawDigit(k int) {
	p.t.Helper()
	b := p.Box("#box")
	turned := p.Text(`document.documentElement.classList.contains("turned")`) == "true"
	var events []mouseEvent
	for i, at := range drawnDigits[k] {
		if turned {
			at = [2]float64{100 - at[0], 100 - at[1]}
		}
		x, y := b.X+b.Width*at[0]/100, b.Y+b.Height*at[1]/100
		if events = append(events, mouseEvent{"move", x, y}); i == 0 {
			events = append(events, mouseEvent{"press", x, y})
		}
	}
	last := events[len(events)-1]
	p.Mouse(append(events, mouseEvent{"release", last.x, last.y})...)
}

// beyond are the elements of a page that reach beyond its width.
const beyond = `[...document.querySelectorAll("main *")].filter((e) => e.checkVisibility() && (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1)).map((e) => e.id || e.tagName)`

// A pupil draws, a teacher plays a run, and the pupil comes back to it after a reload.
func TestClass(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		settings := class.DefaultSettings
		settings.Pace, settings.Deadline = 0, 10*time.Second
		classes := class.NewServer(ctx, settings, false)
		c, err := classes.Open()
		p.must("opening a class", err)
		p.Serve(serveClasses(classes))
		p.Viewport(360, 640)
		p.Open("/c/" + c.Code)
		p.Until(`document.querySelector("#ask").textContent.includes("Draw a 2")`, patience)
		p.drawDigit(0)
		p.Click("#undo")
		p.Until(`document.querySelector("#next").disabled`, patience)
		p.drawDigit(0)
		p.Shot("class-draw-360")
		var wide []string
		p.Eval(beyond, &wide)
		if len(wide) > 0 || p.Text("document.documentElement.scrollHeight > innerHeight + 1") == "true" {
			t.Errorf("at 360 pixels these do not fit: %v", wide)
		}

		// The next phone is asked to turn itself.
		p.Viewport(390, 844)
		p.Eval("localStorage.clear(), 0", nil)
		p.Open("/c/" + c.Code)
		p.Until(`!document.querySelector("#turn").hidden && document.documentElement.classList.contains("turned")`, patience)
		p.Shot("class-turn-390")
		p.drawAll()
		p.Shot("class-drawn-390")
		p.Click("#volunteer")

		// Others, and a teacher who asks and starts: the page plays, too.
		mates := 54
		if testing.Short() {
			mates = 5
		}
		enter := addClassmates(c, mates, 0)
		began := time.Now()
		p.Until(enter, patience)
		t.Logf("%d phones joined in %v", mates, time.Since(began))
		p.Until(watchClass(c), patience)
		p.Eval(`window.teacher.send(JSON.stringify({ do: "ask", on: true })), 0`, nil)
		p.Until(`!document.querySelector("#predict").hidden`, patience)
		p.Shot("class-predict-390")
		p.Click("#guess")
		p.Until(`document.querySelector("#phase").textContent.startsWith("Sent")`, patience)
		p.Eval(`window.teacher.send(JSON.stringify({ do: "start", options: { methods: "cflgp,fedavg", rounds: 12 } })), 0`, nil)
		p.Until(`document.querySelector("#phase").textContent.startsWith("The run is over") && document.querySelectorAll("#scores p").length === 2`, patience)
		p.Shot("class-over-390")

		// The page is closed; the class goes on without it, on the teacher's page.
		p.Viewport(1440, 900)
		p.Open(c.TeacherPath())
		p.Until(`document.querySelector("#curves path") && !document.querySelector("#qr").hidden`, patience)
		p.Until(enter, patience)
		p.Until(`document.querySelector("#count").textContent === "`+fmt.Sprintf("%d phones, %d ready", mates, mates)+`"`, patience)
		p.Shot("class-teacher-between")
		p.Click("#settings summary")
		p.Enter("#rounds", "9")
		p.Click("#gives summary")
		p.Choose("#noise", "0.05")
		p.Click("#volunteers button:last-child")
		p.Until(`(window.pressed = document.querySelector("#volunteers [aria-pressed=true]")) !== null`, patience)
		p.Click("#again")
		p.Until(`document.querySelector("#state").textContent.startsWith("Over after 9 rounds")`, 4*patience)
		p.Until(`document.querySelectorAll("#picture canvas").length === 3`, patience)
		p.Shot("class-teacher")
		if p.Text("window.pressed.isConnected") != "true" { // pressed in the moment in which it is replaced it would do nothing
			t.Error("buttons are replaced while a run is played")
		}
		if past := p.Text(`[...document.querySelectorAll("#past li")].map((li) => li.textContent.split(":")[0]).join("; ")`); past != "Noise none; Noise 0.05" {
			t.Errorf("the runs to compare are %q", past)
		}
		p.Eval(`document.querySelector("#gives").scrollIntoView(), 0`, nil)
		p.Shot("class-update")
		p.Eval(beyond, &wide)
		if len(wide) > 0 {
			t.Errorf("on the projector these do not fit: %v", wide)
		}
		address := p.Text("location.href")
		p.Open("/c/" + c.Code) // reload of a phone: it is known, and has its drawings
		p.Until(`document.querySelectorAll("#mine canvas").length === 9 && document.querySelector("#who").textContent.endsWith("phone 2")`, patience)
		p.Open(address)
		p.Until(`document.querySelector("#state").textContent.startsWith("Over after 9 rounds")`, patience)

		// The class ends, and the phone keeps nothing of it.
		p.Open("/c/" + c.Code)
		p.Until(`!document.querySelector("#wait").hidden`, patience)
		p.Until(watchClass(c), patience)
		p.Eval(`window.teacher.send(JSON.stringify({ do: "end" })), 0`, nil)
		p.Until(`document.querySelector("#lost").textContent.startsWith("The class is over.") && localStorage.length === 0`, patience)
	})
}
