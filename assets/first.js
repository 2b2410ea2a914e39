// first.js plays the recorded first run until the engine is there; see
// wasm/poster/record.go for the recording. The poster stays until somebody plays
// or scrubs. The page calls leave() when it is ready, and goes on from there.
(() => {
  "use strict";

  // Only a link that says nothing of an experiment or a moment opens this run.
  const query = new URLSearchParams(location.search);
  const harmless = ["theme", "motion", "lang"];
  if (location.hash.length > 1 || ![...query.keys()].every((key) => harmless.includes(key))) return;
  // As in boot.js, in Chinese if the page would be.
  const lang = [query.get("lang"), navigator.language].map((tag) => tag?.match(/^(en|zh)(?:[-_]|$)/i)?.[1]).find(Boolean);
  const chinese = lang?.toLowerCase() === "zh";
  const say = (english, own) => (chinese ? own : english);
  const address = new URL("first-run.bin", document.currentScript.src);
  const poster = document.getElementById("poster");

  let left = false; // the page has taken over
  let touched = false, round = 0, playing = false, timer = 0, played = 0;
  let show = () => {};

  function decode(bytes) {
    const size = bytes[0] | bytes[1] << 8;
    const run = JSON.parse(new TextDecoder().decode(bytes.subarray(2, 2 + size)));
    const rounds = run.rounds + 1, clients = run.shapes.length;
    let at = 2 + size;
    const row = () => bytes.subarray(at, at += rounds);
    const path = () => {
      const out = [];
      for (let t = 0; t < rounds; t++) {
        const step = bytes[at++];
        out.push(step ? out[t - 1] + step - 128 : bytes[at++] | bytes[at++] << 8);
      }
      return out;
    };
    const all = (read) => Array.from({ length: clients }, read);
    run.tracks = run.lanes.map(() => ({ ari: row(), wrong: row(), labels: all(row), x: all(path), y: all(path) }));
    return run;
  }

  const make = (name, attributes, ...children) => {
    const svg = /^(svg|rect|text|path|circle)$/.test(name);
    const el = document.createElementNS(`http://www.w3.org/${svg ? "2000/svg" : "1999/xhtml"}`, name);
    for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
    el.append(...children);
    return el;
  };

  function build(run) {
    const theme = query.get("theme");
    const dark = theme === "dark" || !theme && matchMedia("(prefers-color-scheme: dark)").matches;
    const colours = dark ? run.dark : run.light;
    const [w, h] = run.box;
    const tall = matchMedia("(max-width: 600px) and (min-height: 480px)").matches, places = tall ? run.tall : run.wide;
    const lanes = run.tracks.map((track, lane) => {
      const [left, top] = places.lanes[lane];
      const score = make("text", { x: left + w - 8, y: top - 8, "text-anchor": "end" });
      const marks = run.shapes.map((d) => make(...(d ? ["path", { d }] : ["circle", { r: run.radius }])));
      const frame = make("rect", { x: left - 6, y: top - 30, width: w + 12, height: h + 36, class: "frame" });
      return { track, left, top, score, marks, all: [frame, make("text", { x: left + 8, y: top - 8 }, run.lanes[lane]), score, ...marks] };
    });
    const words = say(run.words, "聚类联邦学习：三类共十二个客户端，谁也不能看它们的数据。谁该和谁一起学？");
    const line = ([x, y], attributes, text) => make("text", { x, y, ...attributes }, text);
    const lead = (tall ? words.split(/(?<=[.。]) ?/) : [words]).map((text, i) => line(places.lead[i], { class: "lead" }, text));
    const picture = make("svg", { viewBox: `0 0 ${places.w} ${places.h}`, role: "img" },
      line(places.title, {}, "Flockscope"), ...lead, ...lanes.flatMap((l) => l.all));
    // The page's legend; see ui/shell/root.vugu.
    const sign = (width, ...marks) => make("svg", { viewBox: `0 0 ${width} 12`, "aria-hidden": true }, ...marks);
    const dot = (x, name) => make("circle", { cx: x, cy: 6, r: 4.5, class: name });
    const legend = make("p", { class: "legend" },
      make("span", {}, sign(46, dot(6, ""), make("path", { d: "M18 2h8v8h-8zM38 .5l5.5 5.5-5.5 5.5-5.5-5.5z" })), say(" shape: true group", " 形状：真实的组")),
      make("span", {}, sign(42, dot(6, "model-a"), dot(21, "model-b"), dot(36, "model-c")), say(" colour: model", " 颜色：模型")),
      make("span", {}, sign(12, dot(6, "hollow")), say(" hollow: misplaced", " 空心：放错")),
      make("span", {}, say("ARI: agreement with the true groups (1 is perfect)", "ARI：与真实分组的一致程度（1 为完全一致）")));
    const play = make("button", { type: "button", class: "text" });
    const slider = make("input", { type: "range", min: 0, max: run.rounds, "aria-label": say("Round", "轮次") });
    const count = make("p", { class: "round" });
    const root = make("figure", { id: "first" }, picture, legend,
      make("div", { class: "bar" }, play, count, slider),
      make("figcaption", {}, say("A recorded run. All settings come with the engine, which is on its way.", "这是一次录制的运行。引擎正在加载，之后就有全部设置。")));
    if (chinese) root.lang = "zh-Hans";

    show = () => {
      picture.toggleAttribute("hidden", !touched);
      poster.hidden = touched;
      slider.value = round;
      count.textContent = say(`round ${round} / ${run.rounds}`, `第 ${round} 轮，共 ${run.rounds} 轮`);
      play.textContent = playing ? say("Pause", "暂停") : say("Play", "播放");
      const said = lanes.map(({ track, score, marks, left, top }, lane) => {
        const text = `ARI ${(track.ari[round] / 100 - 1).toFixed(2).replace("-", "−")} · ${say(`${track.wrong[round]} misplaced`, `放错 ${track.wrong[round]}`)}`;
        score.textContent = text;
        marks.forEach((mark, i) => {
          const label = track.labels[i][round], colour = colours[label & 127];
          mark.setAttribute("transform", `translate(${left + track.x[i][round] / 2} ${top + track.y[i][round] / 2})`);
          mark.setAttribute("fill", label & 128 ? "none" : colour);
          mark.setAttribute("stroke", label & 128 ? colour : "none");
        });
        return `${run.lanes[lane]}: ${text}.`;
      });
      picture.setAttribute("aria-label", `${say(`Round ${round}.`, `第 ${round} 轮。`)} ${said.join(" ")}`);
    };
    // The same speed as the page: the first rounds are slow.
    const tick = () => {
      if (round >= run.rounds) playing = false;
      else round++, played++;
      show();
      if (playing) timer = setTimeout(tick, Math.max(45, 700 * 0.75 ** Math.max(0, played - 5)));
    };
    const act = (change) => { clearTimeout(timer); touched = true; change(); show(); };
    play.addEventListener("click", () => act(() => {
      playing = !playing;
      if (playing) {
        if (round >= run.rounds) round = 0;
        played = 0;
        timer = setTimeout(tick, 300);
      }
    }));
    slider.addEventListener("input", () => act(() => { playing = false; round = Number(slider.value); }));
    poster.after(root);
    show();
    return { root, slider };
  }

  let parts = null;
  fetch(address).then((answer) => answer.arrayBuffer()).then((bytes) => {
    if (left) return;
    const run = decode(new Uint8Array(bytes));
    round = run.rest;
    parts = build(run);
  }).catch(() => {}); // the poster stays

  globalThis.flockscopeFirst = {
    // leave returns the element that had the focus, null if the player was not used.
    leave() {
      left = true;
      clearTimeout(timer);
      if (parts) {
        const focus = parts.root.contains(document.activeElement) && (document.activeElement === parts.slider ? "scrub" : "play");
        parts.root.remove();
        parts = null;
        if (focus) document.getElementById(focus)?.focus();
      }
      return touched ? { round, playing } : null;
    },
  };
})();
