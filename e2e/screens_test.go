package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// audit returns what is wrong with the page's layout, a sentence each.
const audit = `(() => {
	const wrong = new Set();
	const name = (el) => {
		const mark = el.id ? "#" + el.id : [...el.classList].map((c) => "." + c).join("");
		const text = el.matches("select, :has(select)") ? "" : el.textContent.trim().replace(/\s+/g, " ").slice(0, 24);
		return el.localName + mark + (text ? " (" + text + ")" : "");
	};
	const shown = (el) => {
		const box = el.getBoundingClientRect();
		return el.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && box.width > 2 && box.height > 2 && !el.closest(".hush, option, #poster");
	};
	const all = [...document.querySelectorAll("#flockscope, #flockscope *")].filter(shown);
	const open = (el) => el.closest(".settings, .tuning"); // lie over the page

	const root = document.documentElement, app = document.getElementById("flockscope");
	const scale = app.currentCSSZoom ?? 1; // for a projector a pixel of the page is larger than one of the window
	if (root.scrollWidth > innerWidth) wrong.add("the page scrolls sideways: " + root.scrollWidth);
	// A page of its own that has too little room scrolls; a frame never does.
	if (root.scrollHeight > innerHeight && (app.matches(".embed") || innerHeight >= scale * (innerWidth >= 1080 ? 612 : 560))) wrong.add("the page scrolls: " + root.scrollHeight);

	// What may be cut: texts that end in an ellipsis, and boxes of text.
	const mayCut = (el) => [el, el.parentElement].some((e) => getComputedStyle(e).textOverflow === "ellipsis") || el.localName === "input" || el.localName === "select";
	// A hint beside tabs is on its line as a whole, or out of sight below it.
	const wholeOrNot = (el) => {
		if (!el.matches(".lane figcaption .hint")) return false;
		const line = el.getBoundingClientRect(), text = document.createRange();
		text.selectNodeContents(el);
		return [...text.getClientRects()].every((r) => r.top > line.bottom - 2 || r.left > line.left - 1 && r.right < line.right + 1 && r.bottom < line.bottom + 1);
	};
	// Rows of tabs scroll sideways, so that a thumb pushes them along.
	const rolls = (el) => el.matches(".tabs, .steps, .lane .row") && getComputedStyle(el).overflowX === "auto";
	const rolling = (el) => el.parentElement && (rolls(el.parentElement) || el.closest(".step") && rolls(el.closest(".steps")));
	for (const el of all) {
		const style = getComputedStyle(el);
		if (style.overflowX !== "visible" && !rolls(el) && el.scrollWidth > el.clientWidth + 1 && !mayCut(el) && !wholeOrNot(el)) {
			wrong.add(name(el) + " is " + el.scrollWidth + " px wide inside and " + el.clientWidth + " px outside");
		}
		// The closed drawer waits a little below the edge.
		const drawer = el.id === "flockscope" && getComputedStyle(document.querySelector(".settings")).visibility === "hidden" ? 24 : 0;
		if (style.overflowY === "hidden" && el.scrollHeight > el.clientHeight + 1 + drawer && !mayCut(el) && !wholeOrNot(el)) {
			wrong.add(name(el) + " is " + el.scrollHeight + " px high inside and " + el.clientHeight + " px outside, and does not scroll");
		}
	}

	// Where the nearest ancestor that scrolls or cuts ends.
	const frame = (el) => {
		for (let p = el.parentElement; p; p = p.parentElement) {
			if (getComputedStyle(p).overflowY !== "visible") return p.getBoundingClientRect();
		}
		return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
	};
	for (const el of all) {
		const own = [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
		const control = ["button", "select", "input"].includes(el.localName);
		if (own.length || control) {
			const size = parseFloat(getComputedStyle(el).fontSize);
			if (size < 12 || scale > 1 && size * scale < 18) wrong.add(name(el) + " has letters of " + size + " px");
		}
		// Texts and controls end within the window, and within their box.
		const boxes = own.flatMap((n) => { const r = document.createRange(); r.selectNodeContents(n); return [...r.getClientRects()]; });
		if (control) boxes.push(el.getBoundingClientRect());
		for (const box of (mayCut(el) || wholeOrNot(el)) && !control || rolling(el) ? [] : boxes) {
			if (box.right > innerWidth + 0.5 || box.left < -0.5) wrong.add(name(el) + " leaves the window: " + box.left + " to " + box.right);
			const card = el.closest(".card");
			if (card && card !== el) {
				const edge = card.getBoundingClientRect(), room = parseFloat(getComputedStyle(card).borderLeftWidth) ? 1 : -8; // a card without an edge has no need of it
				if (box.right > edge.right - room || box.left < edge.left + room) wrong.add(name(el) + " leaves its card: " + box.left + " to " + box.right + " in " + edge.left + " to " + edge.right);
			}
		}
	}

	// Neighbours do not lie on each other, and stay within what holds them.
	const apart = (boxes, where) => {
		boxes.forEach(([a, boxA], i) => boxes.slice(i + 1).forEach(([b, boxB]) => {
			const w = Math.min(boxA.right, boxB.right) - Math.max(boxA.left, boxB.left);
			const h = Math.min(boxA.bottom, boxB.bottom) - Math.max(boxA.top, boxB.top);
			if (w > 1 && h > 1) wrong.add("in " + where + " " + name(a) + " and " + name(b) + " overlap by " + w + " by " + h);
		}));
	};
	for (const holder of document.querySelectorAll(".bar, .tools, .lane-head, .lane, .card-head, .metrics, .story, .client, .pair, .control, .controls, .tabs, .steps, .stage-head, .scene, .time, .told, .lecture-bar, .stage, .side, .lanes, .settings, .notices, .notice, .tuning")) {
		if (!shown(holder)) continue;
		const inside = holder.getBoundingClientRect();
		const flow = [...holder.children].filter((el) => shown(el) && !["absolute", "fixed"].includes(getComputedStyle(el).position));
		if (!holder.closest(".stop-0") || !holder.matches("main")) apart(flow.map((el) => [el, el.getBoundingClientRect()]), name(holder)); // a lecture's question stands on its figure
		for (const el of flow) {
			const box = el.getBoundingClientRect();
			// What has no border stands out so that its text is in line.
			if (!rolls(holder) && (box.right > inside.right + scale || box.left < inside.left - scale * (el.matches("select, .views") ? 7 : 1))) wrong.add(name(el) + " sticks out of " + name(holder) + " by " + Math.max(box.right - inside.right, inside.left - box.left));
			if (getComputedStyle(holder).overflowY === "visible" && box.bottom > inside.bottom + scale) wrong.add(name(el) + " sticks out of " + name(holder) + " below by " + (box.bottom - inside.bottom));
		}
	}
	// The header's buttons float over the transport where there is little room.
	apart([...document.querySelectorAll(".tools > *, .transport > *")].filter(shown).map((el) => [el, el.getBoundingClientRect()]), "both bars");
	// Cards are no neighbours in the document, but on the screen.
	apart([...document.querySelectorAll(".card, .hero > .control")].filter((el) => shown(el) && !open(el)).map((el) => {
		const box = el.getBoundingClientRect(), edge = frame(el);
		return [el, { left: box.left, right: box.right, top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) }];
	}), "the page");

	// Figures are drawn: more than one colour, at the screen's resolution.
	for (const el of document.querySelectorAll("canvas.figure")) {
		const box = el.getBoundingClientRect();
		if (!shown(el)) continue;
		const what = el.dataset.figure + " " + (el.dataset.lane ?? "");
		// A figure's size is whole pixels before the page is enlarged.
		if (Math.abs(el.width - box.width * devicePixelRatio) > scale || Math.abs(el.height - box.height * devicePixelRatio) > scale) {
			wrong.add(what + " is drawn for " + el.width + " by " + el.height + " and shown at " + box.width + " by " + box.height);
		}
		if (!["timeline", "scent"].includes(el.dataset.figure) && (box.height < (el.dataset.figure === "curves" ? 40 : 60) || box.width < 100)) wrong.add(what + " is only " + box.width + " by " + box.height);
		const card = el.closest(".card"), edge = card && card.getBoundingClientRect();
		if (card && (box.right > edge.right || box.left < edge.left)) wrong.add(what + " sticks out of its card: " + box.left + " to " + box.right + " in " + edge.left + " to " + edge.right);
		if (!el.width || !el.height) { wrong.add(what + " has no size"); continue; }
		const pixels = new Uint32Array(el.getContext("2d").getImageData(0, 0, el.width, el.height).data.buffer);
		const colours = new Set(pixels);
		if (colours.size < 3) wrong.add(what + " has " + colours.size + " colours");
	}
	return [...wrong];
})()`

// audit checks the layout of what is on screen.
func (p *Page) audit(what string) {
	p.t.Helper()
	var wrong []string
	p.Eval(audit, &wrong)
	for _, text := range wrong {
		p.t.Errorf("%s: %s", what, text)
	}
}

// screens are the sizes that the page is laid out for: a desktop, a tablet, a
// telephone, a frame in slides and one in a text.
var screens = []struct {
	name          string
	width, height int
}{
	{"1440", 1440, 900}, {"768", 768, 1024}, {"390", 390, 844}, {"800x450", 800, 450}, {"490x294", 490, 294},
}

// Every screen in both themes, as in TestLooks, and with what a slider shows. The
// pictures are left in .build/shots.
func TestScreens(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?t=14&scent=1")
		for _, screen := range screens {
			p.Viewport(screen.width, screen.height)
			for _, theme := range []string{"light", "dark"} {
				p.ColorScheme(theme)
				p.When("s.theme === " + quote(theme))
				p.Drawn()
				p.audit(screen.name + " " + theme)
				p.Shot("page-" + screen.name + "-" + theme)
				dark := p.Text("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
				if dark != (theme == "dark") {
					t.Errorf("%s: the paper of the %s theme is dark: %v", screen.name, theme, dark)
				}
			}
			p.ColorScheme("light")
		}
	})
}

// Sizes between and beyond those.
func TestOtherScreens(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		for _, query := range firstStates(1, []string{"?t=14&algos=cflgp,ifca,clove", "?t=14"}) {
			p.Run(query)
			for _, size := range [][2]int{{1920, 1080}, {1280, 720}, {1100, 700}, {1080, 560}, {900, 700}, {600, 800},
				{360, 640}, {640, 360}} {
				p.Viewport(size[0], size[1])
				p.Drawn()
				p.audit(fmt.Sprintf("%d by %d, %s", size[0], size[1], query))
			}
		}
	})
}

// Pictures bring more names of metrics, when the figures have their sizes already.
func TestScreensOfPictures(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		for _, screen := range firstStates(2, screens) {
			p.Viewport(screen.width, screen.height)
			p.Run(small + "&algos=cflgp,ifca")
			p.Drawn()
			p.audit(screen.name + " pictures")
			p.Run("?data=shapes&n=400&C=8&T=1&every=1&view=network&algos=hcflplus,ifca")
			p.Eval("document.querySelector('.by-class').click()", nil)
			p.Drawn()
			p.audit(screen.name + " network, and pictures by class")
			p.Shot("network-" + screen.name)
		}
	})
}

// What is open or long must find its place too.
func TestCrowdedScreens(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		const crowded = "?algos=cflgp,cflgp:b,clove,ifca&cflgp:b.beta=1&cflgp:b.K=2&ifca.K=5&t=160&sel=12&dphi=900&nonsense=1"
		p.Run(crowded)
		p.audit("1440 four lanes")
		p.Shot("crowded-1440")
		p.OpenSettings()
		p.Click("#advanced")
		p.Drawn()
		p.audit("1440 settings")
		p.Key("Escape")
		p.Click(".lane button[aria-label='Settings of CFL-GP · b']")
		p.Drawn()
		p.audit("1440 a lane's settings")
		p.Shot("settings-1440")
		p.Click(".lane button[aria-label='Settings of CFL-GP · b']")
		const drawer = "getComputedStyle(document.querySelector('.settings'))"
		for _, screen := range screens[1:] {
			p.Viewport(screen.width, screen.height)
			if screen.height == 450 { // from here on they are frames
				p.Run(strings.TrimSuffix(crowded, "&dphi=900&nonsense=1") + "&embed=1")
			}
			p.Until(drawer+".visibility === 'hidden'", patience)
			p.Drawn()
			p.audit(screen.name + " four lanes")
			p.Shot("crowded-" + screen.name)
			p.OpenSettings()
			p.Drawn()
			p.audit(screen.name + " settings")
			p.Shot("settings-" + screen.name)
			p.Key("Escape")
		}
	})
}

// rings returns how many elements that have the focus show a ring, and those whose
// ring is cut by what scrolls or ends around them.
const rings = `(() => {
	const cut = [];
	let seen = 0;
	for (const el of document.querySelectorAll("button, a[href], select, input, [tabindex='0']")) {
		if (!el.checkVisibility({ visibilityProperty: true }) || el.disabled) continue;
		el.focus({ focusVisible: true });
		const style = getComputedStyle(el);
		if (document.activeElement !== el || style.outlineStyle === "none") continue;
		seen++;
		const grown = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
		const box = el.getBoundingClientRect();
		for (let around = el.parentElement; around; around = around.parentElement) {
			if (getComputedStyle(around).overflow === "visible") continue;
			const frame = around.getBoundingClientRect();
			const left = frame.left + around.clientLeft, top = frame.top + around.clientTop;
			const over = Math.max(left - box.left, box.right - left - around.clientWidth, top - box.top, box.bottom - top - around.clientHeight) + grown;
			if (over > 1) cut.push((el.id || el.getAttribute("aria-label") || el.textContent.trim()) + " by " + over.toFixed(1) + " in ." + around.className);
		}
	}
	return { seen, cut };
})()`

// Who walks with the keyboard sees where.
func TestFocusRings(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		for _, query := range firstStates(1, []string{small + "&algos=ifca,fedavg", "?t=14", "?t=14&embed=1"}) {
			p.Viewport(screens[0].width, screens[0].height)
			p.Run(query)
			for _, screen := range screens {
				p.Viewport(screen.width, screen.height)
				p.Drawn()
				p.Focus("#play")
				p.Key("Tab") // what has the focus is shown to who uses keys
				var got struct {
					Seen int
					Cut  []string
				}
				if p.Eval(rings, &got); got.Seen < 5 || len(got.Cut) > 0 {
					t.Errorf("%s, %s: of %d rings these are cut: %q", screen.name, query, got.Seen, got.Cut)
				}
			}
		}
	})
}

// Both methods stand side by side on the telephone; its tabs show one more figure each.
func TestNarrowTabs(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		p.Run("?t=14")
		for _, tab := range []string{"data", "losses", "curves", "map"} {
			p.Click("[data-tab=" + tab + "]")
			p.When("s.tab === " + quote(tab))
			p.Drawn()
			p.audit("390 " + tab)
			p.Shot("page-390-" + tab)
			var figures []string
			p.Eval("[...document.querySelectorAll('canvas:not(.scent, .scrub *)')].filter((c) => c.checkVisibility()).map((c) => c.dataset.figure)", &figures)
			want := map[string]string{"data": "data stage stage", "losses": "stage losses stage losses", "curves": "stage stage curves",
				"map": "stage stage"}[tab]
			if got := strings.Join(figures, " "); got != want {
				t.Errorf("the tab %s shows %q, want %q", tab, got, want)
			}
		}
	})
}

// A lane shows the figure of the link below its stage, or in its place where there is no room for two; a frame shows what
// its address says and no other.
func TestFiguresOfLanes(t *testing.T) {
	const figures = "[...document.querySelectorAll('canvas:not(.scent, .scrub *)')].filter((c) => c.checkVisibility()).map((c) => c.dataset.figure).join(' ')"
	InChromium(t, func(t *testing.T, p *Page) {
		shows := func(what, want string) {
			t.Helper()
			p.Drawn()
			if got := p.Text(figures); got != want {
				t.Errorf("%s shows %q, want %q", what, got, want)
			}
			p.audit(what)
		}
		p.Viewport(1440, 900)
		p.Run("?t=14&algos=cflgp,ifca,clove,fedavg&view=flow")
		shows("1440 four lanes", "data flow flow flow models curves") // one model for all has no flow
		p.Viewport(768, 1024)
		shows("768 four lanes", "data flow flow flow models curves")
		p.Click(".lane.focus .views .on")
		p.When("s.tab === 'map'")
		shows("768 four lanes, stages", "data stage stage stage stage curves")
		p.Viewport(1920, 1200)
		shows("1920 four lanes", "data stage stage stage stage curves")
		for _, tt := range firstStates(4, []struct {
			width, height int
			query, want   string
		}{
			{490, 294, "view=data", "data"},
			{490, 294, "hide=map", "losses losses"},
			{800, 450, "hide=map,data&view=flow", "flow flow curves"},
			{800, 450, "view=losses", "losses losses curves"},
			{490, 294, "view=losses", "losses losses"},
			{490, 294, "view=curves", "curves"},
			{490, 294, "", "stage stage"},
			{800, 450, "view=data", "stage stage curves"},
		}) {
			p.Viewport(tt.width, tt.height)
			p.Run("?t=14&embed=1&" + tt.query)
			shows(fmt.Sprintf("a frame of %d by %d with %s", tt.width, tt.height, tt.query), tt.want)
		}
	})
}

// On the narrowest of telephones the round stays in the row of the buttons, however many digits it has.
func TestNarrowTransport(t *testing.T) {
	const row = `(() => {
		const boxes = ["step", "round", "scrub"].map((part) => document.querySelector(".transport [data-part=" + part + "]").getBoundingClientRect());
		const apart = boxes.slice(1).every((box, i) => box.left >= boxes[i].right - 0.5 && box.top < boxes[i].bottom && box.bottom > boxes[i].top);
		return apart ? "" : boxes.map((box) => box.left + " to " + box.right + " at " + box.top).join(", ");
	})()`
	InChromium(t, func(t *testing.T, p *Page) {
		for _, width := range firstStates(1, []int{360, 375, 390}) {
			p.Viewport(width, 740)
			for _, rounds := range firstStates(2, []string{"1000", "9", "200"}) {
				p.Run("?b=1&T=" + rounds + "&t=" + rounds)
				p.Drawn()
				if wrong := p.Text(row); wrong != "" {
					t.Errorf("%d px, round %s: step, round and scrubber are no row: %s", width, rounds, wrong)
				}
			}
		}
	})
}

// Firefox lays the same page out, down to the least width of its window.
func TestScreensInFirefox(t *testing.T) {
	t.Parallel()
	t.Run("firefox", func(t *testing.T) {
		p := newPage(t, newFirefoxPage(t))
		p.Run("?t=14")
		for _, screen := range screens {
			if screen.width < 500 {
				continue
			}
			p.Viewport(screen.width, screen.height)
			p.Until(fmt.Sprintf("innerWidth === %d", screen.width), patience)
			p.Drawn()
			p.audit(screen.name)
			p.Shot("page-" + screen.name)
		}
	})
}

// Links and buttons of the page's head act on the page.
func TestTheme(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ColorScheme("light")
		p.Run("?t=14")
		p.When("s.theme === 'light'")
		theme := "[aria-label^='Theme']"
		for _, tt := range []struct{ want, label string }{
			{"dark", "Theme: dark"}, {"light", "Theme: light"}, {"light", "Theme: light, bold for a projector"},
			{"light", "Theme: system"},
		} {
			p.Click(theme)
			p.When("s.theme === " + quote(tt.want))
			p.Until("document.querySelector("+quote(theme)+").ariaLabel === "+quote(tt.label), patience)
			p.Drawn()
		}
		p.ColorScheme("dark")
		p.When("s.theme === 'dark'")
		p.Run("?t=14&theme=light")
		p.When("s.theme === 'light'")
		if got := p.Text("getComputedStyle(document.body).backgroundColor"); got != "rgb(255, 255, 255)" {
			t.Errorf("a link to the light theme shows paper of %s", got)
		}
	})
}

// In a window of its own the page has no layout of a frame, however small the window is: it
// scrolls, until everything has been in sight.
func TestSmallWindows(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		p.Run("?t=14")
		for _, size := range [][2]int{{720, 450}, {844, 390}, {320, 568}, {320, 256}} {
			what := fmt.Sprintf("%d by %d", size[0], size[1])
			p.Viewport(size[0], size[1])
			p.Drawn()
			p.audit(what)
			p.Shot("small-" + fmt.Sprint(size[0], "x", size[1]))
			var hidden []string
			p.Eval(`(() => {
				const out = [];
				const parts = [".name", "#lessons", "#play", "#scrub", ".hero [data-slide]", ".lane.focus canvas[data-figure=stage]", ".lane:last-child .map canvas"];
				parts.push("#help", ...(innerHeight >= 480 ? [".tabs .tab:last-child"] : innerWidth >= 600 ? [".step[data-phase=Update]", ".curves canvas"] : []));
				for (const part of parts) {
					const el = document.querySelector(part);
					el.scrollIntoView({ block: "center", inline: "nearest" });
					const box = el.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
					const at = document.elementFromPoint(x, y);
					if (!el.checkVisibility() || !at || !(el.contains(at) || at.contains(el) || at.closest(".scrub"))) out.push(part + " under " + (at && at.className));
				}
				scrollTo(0, 0);
				return out;
			})()`, &hidden)
			for _, part := range hidden {
				t.Errorf("%s: nothing brings %s in sight", what, part)
			}
			p.Click(".tools [aria-label=Settings]")
			p.Until("document.activeElement.closest('.settings') && document.activeElement.getBoundingClientRect().bottom <= innerHeight", patience)
			p.Key("Escape")
		}
	})
}

// On a telephone the product has its name, lanes that differ late have names that differ, and
// a row of tabs that goes on has a shade at that end, which is gone at the end itself.
func TestNamesOnTelephone(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		p.Run("?t=14&algos=cflgp,cflgp:b,cflgp:c,ifca")
		if got := p.Text("(({ width, height }) => width > 60 && height > 15)(document.querySelector('.name').getBoundingClientRect())"); got != "true" {
			t.Error("the product's name is not in sight")
		}
		if got := p.Text("[...document.querySelectorAll('.lane-head .label')].map((e) => e.scrollWidth > e.clientWidth + 1 ? 'cut' : e.innerText).join()"); got != ",b,c," {
			t.Errorf("the lanes of one method are told apart by %q", got)
		}
		const shade = `(() => { const row = document.querySelector(".tabs"); return [row.scrollWidth > row.clientWidth + 1, getComputedStyle(row).backgroundAttachment].join(" "); })()`
		if got, want := p.Text(shade), "true local, local, scroll, scroll"; got != want {
			t.Errorf("a row of tabs that goes on is painted %q, want %q", got, want)
		}
	})
}
