// teacher.js is the page of the teacher, for the projector: who is here, the run as it is played, and what the class has
// predicted. The server sends all of it with every change, so that a reload loses nothing.
import { connect, idea, noClass, pixels, refill, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const code = location.pathname.split("/")[2].toUpperCase(), secret = location.hash.slice(1);
const svg = (name, attributes, ...inner) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...inner);
  return e;
};
const html = (name, properties, ...inner) => {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...inner);
  return e;
};

const methods = [["cflgp", "CFL-GP"], ["fedavg", "FedAvg"], ["ifca", "IFCA"], ["clove", "CLoVE"], ["", say("none", "无")]];
const noises = [0, 0.02, 0.05, 0.1, 0.3, 1];
for (const [id, chosen] of [["first", "cflgp"], ["second", "fedavg"]]) {
  $(id).replaceChildren(...methods.slice(0, id === "first" ? -1 : undefined).map(([value, text]) => html("option", { value, text, selected: value === chosen })));
}
$("noise").replaceChildren(...noises.map((n) => html("option", { value: n, text: n ? String(n) : say("none", "无") })));

let room, touched = false;
const link = connect(`/class/${code}/teacher`, () => ({ secret }), (message) => {
  room = message;
  $("lost").hidden = true;
  render();
}, (reason, closed) => {
  $("lost").textContent = room && closed === noClass ? say("The class is over, and what the server had of it is deleted.", "课堂已结束，服务器上的内容已删除。")
    : reason || say("No connection to the server. Trying again…", "与服务器断开，正在重试……");
  $("lost").hidden = false;
  if (!reason) return;
  $("join").style.visibility = "hidden";
  for (const e of document.querySelectorAll("button, input, select")) e.disabled = true;
});

const act = (what, more) => link.send({ do: what, ...more });
const options = () => ({ methods: [$("first").value, $("second").value].filter((m, i, all) => m && all.indexOf(m) === i).join(), rounds: Number($("rounds").value),
  noise: Number($("noise").value), more: $("more").value, record: $("record").checked });

$("start").onclick = $("again").onclick = () => act("start", { options: options() });
$("pause").onclick = () => act("pause", { on: !room.run.paused });
$("stop").onclick = () => act("stop");
$("ask").onclick = () => act("ask", { on: !room.asking });
$("delete").onclick = () => act("delete");
$("end").onclick = () => { if (confirm(say("End the class, and delete all that the server has of it?", "结束课堂，并删除服务器上的全部内容？"))) act("end"); };
for (const id of ["first", "second", "rounds", "noise", "more", "record"]) {
  $(id).onchange = () => { touched = true; act("options", { options: options() }); };
}
for (const [id, query, name] of [["saverun", "?run", "class.flockrun"], ["saverecording", "", "class.flockclass"]]) {
  $(id).onclick = async () => {
    const answer = await fetch(`/class/${code}/recording${query}`, { headers: { Authorization: `Bearer ${secret}` } });
    if (!answer.ok) return alert(await answer.text());
    const url = URL.createObjectURL(await answer.blob());
    html("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1e4);
  };
}

// The code as a picture, by the script that the main page uses for its links; without it there is the code.
function invite() {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname), base = room.address || location.origin;
  $("local").hidden = !local || Boolean(room.address);
  $("address").textContent = `${base.replace(/^https?:\/\//, "")}/c/`;
  $("code").textContent = code;
  if (invite.done === base) return;
  invite.done = base;
  import("/assets/lean-qr.js").then(({ generate }) => {
    generate(`${base}/c/${code}`).toCanvas($("qr"));
    $("qr").hidden = false;
  }, () => {});
}

// mark draws a phone: a circle, or a triangle on its head if it is turned; with its number.
function mark(phone, right) {
  const shape = phone.turned ? svg("path", { d: "M1 3H33L17 32Z" }) : svg("circle", { cx: 17, cy: 17, r: 15.5 });
  shape.setAttribute("fill", "currentColor");
  shape.setAttribute("fill-opacity", phone.here ? 1 : 0.3);
  const e = svg("svg", { class: "mark", viewBox: "0 0 34 34", role: "img" }, shape, svg("text", { x: 17, y: phone.turned ? 17 : 21 }, String(phone.number)));
  const upside = phone.turned ? say("turned", "倒置") : say("upright", "正置");
  e.append(svg("title", {}, `${phone.number}, ${upside}${right === undefined ? "" : `, ${Math.round(100 * right)} %`}`));
  return e;
}

function lane(title, at) {
  const { run } = room, playing = run && run.titles[at] === title;
  const accuracy = playing ? run.accuracy[at]?.at(-1) : undefined;
  const head = html("h2", {}, title, html("b", { textContent: accuracy === undefined ? "" : `${Math.round(100 * accuracy)} %` }));
  const boxes = [];
  const plays = room.phones.filter((p) => (playing ? p.plays && p.models : p.ready));
  const used = playing ? [...new Set(plays.map((p) => p.models[at]))].sort() : [-1];
  for (const k of used) {
    const box = html("div", { className: "model" }, html("span", { textContent: k < 0 ? say("no models yet", "尚无模型") : say(`model ${"ABCDEFGHIJ"[k]}`, `模型 ${"ABCDEFGHIJ"[k]}`) }),
      html("div", { className: "marks" }, ...plays.filter((p) => k < 0 || p.models[at] === k).map((p) => mark(p, p.right?.[at]))));
    box.style.color = k < 0 ? "var(--quiet)" : `var(--model-${Math.min(k, 3)})`;
    boxes.push(box);
  }
  return html("div", { className: "lane" }, head, html("p", { className: "hint", textContent: idea(title) }), html("div", { className: "models" }, ...boxes));
}

const dashes = ["", "10 6", "3 5", "14 5 3 5"];

function curves() {
  const { run } = room, left = 72, right = 840, top = 12, bottom = 176;
  const rounds = run?.rounds ?? Number($("rounds").value), x = (t) => left + (right - left) * t / rounds, y = (v) => bottom - (bottom - top) * v;
  const out = [];
  for (const v of [0, 0.5, 1]) {
    out.push(svg("line", { class: "grid", x1: left, x2: right, y1: y(v), y2: y(v) }), svg("text", { class: "quiet", x: left - 8, y: y(v) + 6, "text-anchor": "end" }, `${100 * v} %`));
  }
  for (const t of [0, Math.round(rounds / 2), rounds]) out.push(svg("text", { class: "quiet", x: x(t), y: bottom + 24, "text-anchor": "middle" }, String(t)));
  const ends = [];
  run?.accuracy.forEach((list, at) => {
    if (!list?.length) return;
    out.push(svg("path", { d: list.map((v, t) => `${t ? "L" : "M"}${x(t).toFixed(1)} ${y(v).toFixed(1)}`).join(""), "stroke-dasharray": dashes[at] ?? "" }));
    ends.push({ at, y: y(list.at(-1)) + 6, x: x(list.length - 1) + 10 });
  });
  ends.sort((a, b) => a.y - b.y).forEach((e, i) => {
    if (i && e.y - ends[i - 1].y < 22) e.y = ends[i - 1].y + 22;
    out.push(svg("text", { x: e.x, y: e.y }, run.titles[e.at]));
  });
  $("curves").replaceChildren(...out);
  $("curves").setAttribute("aria-label", (run?.titles ?? []).map((title, i) => `${title} ${Math.round(100 * (run.accuracy[i]?.at(-1) ?? 0))} %`).join(", "));
}

// predictions shows the answers as dots over a scale from 0 to 100 %, and what has come as a line.
function predictions() {
  const answers = Math.max(0, ...room.guesses.map((g) => g?.length ?? 0)), { run } = room;
  $("predictions").hidden = !room.asking && answers === 0;
  $("question").textContent = say(`Who will be right at round ${room.about}? Answers: ${answers}`, `第 ${room.about} 轮谁会更准？回答：${answers}`);
  const shown = room.asking && !run ? [] : run?.accuracy ?? [];
  $("guesses").replaceChildren(...room.guesses.map((list, at) => {
    const x = (percent) => 110 + 3.4 * percent, heights = {}, out = [svg("text", { x: 0, y: 82 }, room.lanes[at]),
      svg("line", { x1: x(0), x2: x(100), y1: 84, y2: 84, stroke: "var(--line)" })];
    for (const p of [0, 50, 100]) out.push(svg("text", { x: x(p), y: 106, "text-anchor": "middle" }, `${p} %`));
    for (const p of list ?? []) {
      heights[p] = (heights[p] ?? 0) + 1;
      out.push(svg("circle", { cx: x(p), cy: 87 - 8 * Math.min(heights[p], 10), r: 4, fill: "var(--quiet)" }));
    }
    const came = run?.titles[at] === room.lanes[at] ? shown[at]?.[room.about] : undefined;
    if (came !== undefined) {
      out.push(svg("line", { x1: x(100 * came), x2: x(100 * came), y1: 2, y2: 88, stroke: "var(--ink)", "stroke-width": 3 }),
        svg("text", { x: x(100 * came) + (came < 0.5 ? 8 : -8), y: 16, "text-anchor": came < 0.5 ? "start" : "end" }, say(`came out as ${Math.round(100 * came)} %`, `实际为 ${Math.round(100 * came)} %`)));
    }
    return svg("svg", { viewBox: "0 0 480 112", role: "img", "aria-label": `${room.lanes[at]}: ${(list ?? []).join(", ")}` }, ...out);
  }));
}

function updates() {
  const willing = room.phones.filter((p) => p.volunteers);
  refill($("volunteers"), [room.shown, ...willing.map((p) => p.number)], () => (willing.length ? willing.map((p) => {
    const b = html("button", { textContent: say(`phone ${p.number}`, `手机 ${p.number}`), onclick: () => act("show", { phone: p.number }) });
    b.setAttribute("aria-pressed", String(room.shown === p.number));
    return b;
  }) : [say("Nobody has volunteered yet.", "还没有人自愿。")]));
  const pic = room.picture;
  $("picture").replaceChildren(...(pic?.pixels ?? []).map((text, k) => {
    const canvas = html("canvas", {}), bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    pixels(canvas, Array.from(bytes, (b) => (b - 128) / 127), Math.sqrt(bytes.length));
    return html("figure", {}, canvas, html("figcaption", { textContent: String(room.digits[k]) }));
  }));
  $("caption").textContent = pic ? say(`What phone ${pic.phone} sent in round ${pic.round}: the numbers for each digit, as a picture. Dark raises the digit, orange lowers it.`,
    `手机 ${pic.phone} 在第 ${pic.round} 轮发送的内容：每个数字对应的数值画成图。深色提高该数字，橙色降低它。`) : "";
}

// past lists how earlier runs ended, by the noise on their updates.
function past() {
  $("past").replaceChildren(...(room.past ?? []).map((p) => html("li", { textContent: say("Noise ", "噪声 ") + (p.noise || say("none", "无")) + say(": ", "：") +
    p.titles.map((title, i) => `${title} ${Math.round(100 * p.accuracy[i])} %`).join(say(", ", "，")) + say(` after ${p.rounds} rounds`, `（${p.rounds} 轮后）`) })));
}

function render() {
  const { run, phones } = room, playing = run?.phase === "playing";
  const here = phones.filter((p) => p.here).length, ready = phones.filter((p) => p.here && p.ready).length;
  invite();
  $("count").textContent = say(`${here} phone${here === 1 ? "" : "s"}, ${ready} ready`, `${here} 部手机，${ready} 部就绪`);
  $("start").textContent = run ? say("Run again", "再次运行") : say("Start", "开始");
  $("again").textContent = $("start").textContent;
  $("start").disabled = $("again").disabled = playing || ready < 4;
  $("pause").hidden = $("stop").hidden = !playing;
  $("pause").textContent = run?.paused ? say("Continue", "继续") : say("Pause", "暂停");
  $("ask").textContent = room.asking ? say("Close the question", "停止提问") : say("Ask everybody", "向全班提问");
  $("ask").setAttribute("aria-pressed", String(room.asking));
  $("ask").disabled = playing;
  $("state").textContent = !run ? (ready < 4 ? say("Phones scan the picture or open the address. A run needs four of them with drawings.", "用手机扫码或打开网址。至少四部手机画好后才能运行。") : say("Everybody is in as soon as they have drawn.", "画完即可参加。"))
    : run.waiting && playing ? say("Most phones are gone. The run waits for them.", "大多数手机已离线，运行正在等待。")
    : playing && run.paused ? say(`Paused in round ${run.round} of ${run.rounds}`, `已暂停：第 ${run.round} 轮，共 ${run.rounds} 轮`)
    : playing ? say(`Round ${run.round} of ${run.rounds}`, `第 ${run.round} 轮，共 ${run.rounds} 轮`)
    : run.phase === "over" ? say(`Over after ${run.rounds} rounds.`, `共 ${run.rounds} 轮，已结束。`)
    : run.failed === "stopped" ? say(`Stopped in round ${run.round}.`, `在第 ${run.round} 轮停止。`) : run.failed;
  $("refused").textContent = room.refused;
  $("refused").hidden = !room.refused;
  if (!touched) { // settings as the server has them, also after a reload
    const [first, second = ""] = room.options.methods.split(",");
    Object.assign($("first"), { value: first });
    Object.assign($("second"), { value: second });
    $("rounds").value = room.options.rounds;
    $("noise").value = room.options.noise;
    $("more").value = room.options.more;
    $("record").checked = room.options.record;
    touched = true;
  }
  for (const id of ["first", "second", "rounds", "noise", "more", "record"]) $(id).disabled = playing;
  $("lanes").replaceChildren(...(run && (playing || !room.asking) ? run.titles : room.lanes).map(lane));
  curves();
  predictions();
  updates();
  past();
  const over = run?.phase === "over";
  $("saverun").disabled = $("saverecording").disabled = !over;
  $("delete").disabled = !run?.recorded;
  $("ends").textContent = say(`The class ends by itself at ${new Date(room.ends).toLocaleTimeString()}; nothing of it is kept.${run?.recorded ? ` Recorded replies: ${(run.recorded / 1e6).toFixed(1)} MB.` : ""}`,
    `课堂将在 ${new Date(room.ends).toLocaleTimeString()} 自动结束，不保留任何内容。${run?.recorded ? `已记录回复 ${(run.recorded / 1e6).toFixed(1)} MB。` : ""}`);
  $("prints").textContent = over ? say(`Fingerprints: ${run.fingerprint.join(" ")}`, `指纹：${run.fingerprint.join(" ")}`) : "";
  const problems = Object.entries(room.problems).map(([what, n]) => `${what} ${n}`).join(", ");
  $("problems").textContent = problems && say(`Messages that were dropped: ${problems}.`, `已丢弃的消息：${problems}。`);
  refill($("phones"), phones.map((p) => [p.number, p.turned, p.here]), () => phones.map((p) => html("li", {}, `${p.number}${p.turned ? " ▽" : " ○"}${p.here ? "" : say(" gone", " 离线")} `,
    html("button", { textContent: say("Remove", "移除"), onclick: () => act("remove", { phone: p.number }) }))));
}
