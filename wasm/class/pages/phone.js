// phone.js is the page of a phone. What is drawn stays in this browser: in localStorage, so that a reload or a phone that
// slept loses nothing. What leaves it are the replies of train.js, and what is pressed.
import { answer } from "./train.js";
import { picture } from "./draw.js";
import { chinese, connect, idea, noClass, pixels, refill, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const code = location.pathname.match(/^\/c\/([0-9A-Za-z]+)/)?.[1].toUpperCase();

// One browser is one phone. To rehearse, ?as=2 is another one.
const kept = `flockscope-class-${code}${new URLSearchParams(location.search).get("as") ?? ""}`;
let mine = { token: "", drawings: [], turned: false }; // a drawing is a list of strokes, in the order of asked()
try { mine = { ...mine, ...JSON.parse(localStorage.getItem(kept)) }; } catch { /* begins anew */ }
const keep = () => { try { localStorage.setItem(kept, JSON.stringify(mine)); } catch { /* lives as long as the page */ } };

let room; // what the server said last
let redraws = -1; // the drawing that is made again
let link, sets, lamp, over = false;

// asked returns the digit of each drawing and whether it is held out: all digits in turn.
function asked() {
  const out = [];
  for (let n = 0; n < room.each + room.held; n++) room.digits.forEach((digit, y) => out.push({ digit, y, held: n >= room.each }));
  return out;
}

// setOf returns the drawings that are held out, or the others, as train.js reads them.
function setOf(held) {
  const chosen = asked().map((a, i) => ({ ...a, strokes: mine.drawings[i] })).filter((a) => a.held === held);
  const x = new Float32Array(chosen.length * room.side ** 2);
  chosen.forEach((a, i) => x.set(picture(a.strokes, room.side, room.turned), i * room.side ** 2));
  return { x, y: chosen.map((a) => a.y), n: chosen.length };
}

const complete = () => mine.drawings.length === asked().length;

function hear(message) {
  if (message instanceof ArrayBuffer) {
    if (!complete()) return;
    sets ??= { train: setOf(false), held: setOf(true) };
    const reply = answer(message, sets.train, sets.held, room.digits.length);
    if (reply) link.send(reply);
    else location.reload();
    return;
  }
  const first = !room;
  if (message.token !== mine.token) { // a new participant, perhaps since the server has forgotten this one
    if (mine.token) mine.drawings = [];
    mine.token = message.token;
    mine.turned = false;
    keep();
  }
  room = message;
  if (complete() && !room.ready) ready();
  $("lost").hidden = true;
  if (first) addEventListener("resize", () => { turn(); size(); });
  turn();
  render();
}

function ready() {
  sets = undefined;
  link.send({ type: "ready", drawings: room.each * room.digits.length, held: room.held * room.digits.length });
}

// turn shows the page upside down to who is asked to turn the phone, unless the system has done so.
function turn() {
  const rotated = room.turned && (screen.orientation?.angle ?? 0) !== 180;
  document.documentElement.classList.toggle("turned", rotated);
}

// awake keeps the screen on while a run is played, where the browser can.
async function awake(on) {
  if (on && !lamp && document.visibilityState === "visible") {
    lamp = await navigator.wakeLock?.request("screen").catch(() => null);
    lamp?.addEventListener("release", () => { lamp = undefined; });
  } else if (!on) {
    lamp?.release();
    lamp = undefined;
  }
}

const letters = "ABCDEFGHIJ";

function render() {
  $("who").textContent = say(`class ${code} · phone ${room.number}`, `课堂 ${code} · 手机 ${room.number}`);
  $("leaves").textContent = room.private
    ? say("What leaves this phone: noisy changes of a model and how well it does, never your drawings.",
      "离开本机的内容：加了噪声的模型变化和模型的得分，绝不包括你的画。")
    : say("What leaves this phone: changes of a model and how well it does, never your drawings. Who sees a change can guess roughly what you drew.",
      "离开本机的内容：模型的变化和模型的得分，绝不包括你的画。看到模型变化的人可以大致猜出你画了什么。");
  const at = redraws >= 0 ? redraws : mine.drawings.length;
  const drawing = redraws >= 0 || !complete(), turning = room.turned && !mine.turned;
  $("turn").hidden = !turning;
  $("draw").hidden = turning || !drawing;
  $("wait").hidden = turning || drawing;
  if (turning) return;
  if (drawing) {
    const { digit, held } = asked()[at];
    $("ask").textContent = held
      ? say(`A last ${digit}, as a test (${at + 1} of ${asked().length})`, `再画一个 ${digit} 用于测试（${at + 1}/${asked().length}）`)
      : say(`Draw a ${digit} (${at + 1} of ${asked().length})`, `画一个 ${digit}（${at + 1}/${asked().length}）`);
    size();
    return;
  }
  const playing = room.phase === "playing" && room.playing;
  $("phase").textContent = room.asking ? room.prediction ? say("Sent. Look at the screen.", "已发送。请看屏幕。") : say("What do you think?", "你怎么看？")
    : playing ? say(`Round ${room.round} of ${room.rounds}`, `第 ${room.round} 轮，共 ${room.rounds} 轮`)
    : room.phase === "playing" ? say("A run is being played. You are in the next one.", "正在运行。你将参加下一次。")
    : room.phase === "over" && room.playing ? say("The run is over. Look at the screen.", "运行结束。请看屏幕。")
    : say("All drawn. Look at the screen.", "画完了。请看屏幕。");
  $("predict").hidden = !room.asking;
  $("question").textContent = say(`Who will be right at round ${room.about}? What share of the class’s test drawings will each method read?`,
    `第 ${room.about} 轮谁会更准？每种方法能认出全班测试画的多少？`);
  sliders();
  $("guess").textContent = room.prediction ? say("Send again", "再次发送") : say("Send my prediction", "发送预测");
  $("scores").replaceChildren(...(room.right ?? []).map((right, lane) => {
    const line = document.createElement("p"), tests = room.held * room.digits.length;
    line.append(Object.assign(document.createElement("b"), { textContent: room.lanes[lane] }),
      say(`model ${letters[room.models[lane]]} reads ${Math.round(right * tests)} of your ${tests}`,
        `模型 ${letters[room.models[lane]]} 认出你的 ${tests} 幅中的 ${Math.round(right * tests)} 幅`));
    return line;
  }));
  $("hint").textContent = playing ? say("Keep this page open.", "请保持本页打开。") : say("Tap a drawing to make it again.", "点一幅画可以重画。");
  $("mine").hidden = $("hint").hidden = $("show").hidden = room.asking; // the question fits on a small screen
  refill($("mine"), [room.phase === "playing", mine.drawings], () => mine.drawings.map((strokes, i) => {
    const button = document.createElement("button"), canvas = document.createElement("canvas");
    pixels(canvas, picture(strokes, room.side, false), room.side);
    button.append(canvas);
    button.disabled = room.phase === "playing";
    button.setAttribute("aria-label", say(`Draw the ${asked()[i].digit} again`, `重画 ${asked()[i].digit}`));
    button.onclick = () => { redraws = i; drawn = []; render(); };
    return button;
  }));
  $("volunteer").checked = room.volunteers;
  awake(room.phase === "playing");
}

// sliders makes a slider per method, and keeps those that are there.
function sliders() {
  const names = room.lanes.join();
  if ($("sliders").dataset.names === names) return;
  $("sliders").dataset.names = names;
  $("sliders").replaceChildren(...room.lanes.map((title) => {
    const label = document.createElement("label"), out = document.createElement("output");
    const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 100, step: 5, value: 50 });
    const show = () => { out.textContent = `${input.value} %`; };
    input.oninput = show;
    show();
    label.append(title, out, Object.assign(document.createElement("small"), { textContent: idea(title) }), input);
    return label;
  }));
}

// The drawing box. Points are as the user sees them, also on a turned page.
const box = $("box");
let drawn = [], width = 0;

function point(event) {
  const r = box.getBoundingClientRect(), x = (event.clientX - r.left) / r.width, y = (event.clientY - r.top) / r.height;
  const p = document.documentElement.classList.contains("turned") ? [1 - x, 1 - y] : [x, y];
  return p.map((v) => Math.round(1000 * Math.min(1, Math.max(0, v))) / 1000);
}

function size() {
  const w = Math.round(box.clientWidth * devicePixelRatio);
  if (w > 0 && w !== width) box.width = box.height = width = w;
  paint();
}

function paint() {
  const g = box.getContext("2d");
  g.clearRect(0, 0, width, width);
  g.lineWidth = width / 16;
  g.lineCap = g.lineJoin = "round";
  g.strokeStyle = "#1b1f24";
  for (const s of drawn) {
    g.beginPath();
    s.forEach(([x, y], i) => (i ? g.lineTo(x * width, y * width) : g.moveTo(x * width, y * width)));
    if (s.length === 1) g.lineTo(s[0][0] * width + 0.1, s[0][1] * width);
    g.stroke();
  }
  $("undo").disabled = $("clear").disabled = $("next").disabled = drawn.length === 0;
}

let pointer;
box.onpointerdown = (event) => {
  if (pointer !== undefined || event.button) return; // one finger draws
  pointer = event.pointerId;
  box.setPointerCapture(pointer);
  drawn.push([point(event)]);
  paint();
};
box.onpointermove = (event) => {
  if (event.pointerId !== pointer) return;
  const s = drawn.at(-1);
  for (const e of event.getCoalescedEvents?.() ?? [event]) if (s.length < 500) s.push(point(e));
  paint();
};
box.onpointerup = box.onpointercancel = (event) => { if (event.pointerId === pointer) pointer = undefined; };

$("undo").onclick = () => { drawn.pop(); paint(); };
$("clear").onclick = () => { drawn = []; paint(); };
$("next").onclick = () => {
  mine.drawings[redraws >= 0 ? redraws : mine.drawings.length] = drawn;
  drawn = [];
  redraws = -1;
  keep();
  if (complete()) ready();
  render();
};
$("turned").onclick = () => { mine.turned = true; keep(); render(); };
$("guess").onclick = () => link.send({ type: "predict", values: Array.from($("sliders").querySelectorAll("input"), (i) => Number(i.value)) });
$("volunteer").onchange = () => link.send({ type: "volunteer", on: $("volunteer").checked });
$("forget").onclick = () => {
  if (!confirm(say("Delete your drawings on this phone, and all that the class knows of it?", "删除本机上的画，以及课堂对本机的所有记录？"))) return;
  over = true;
  link?.send({ type: "forget" });
  localStorage.removeItem(kept);
  mine = { token: "", drawings: [], turned: false };
};

function lost(reason, closed) {
  const ended = closed === noClass && mine.token;
  if (ended) over = true;
  $("lost").textContent = ended ? say("The class is over. Your drawings are deleted, on this phone, too.", "课堂已结束。本机上的画也已删除。")
    : reason || say("No connection. Trying again…", "没有连接，正在重试……");
  $("lost").hidden = false;
  if (!reason) return;
  for (const section of document.querySelectorAll("section, #show, footer")) section.hidden = true;
  if (over) localStorage.removeItem(kept);
  $("enter").hidden = false;
}

$("enter").onsubmit = (event) => {
  event.preventDefault();
  const typed = $("code").value.trim().toUpperCase();
  if (typed === code) location.reload();
  else if (typed) location.assign(`/c/${encodeURIComponent(typed)}${chinese ? "?lang=zh" : ""}`);
};

if (code) {
  link = connect(`/class/${code}/phone`, () => ({ type: "join", token: mine.token }), hear, lost);
} else {
  $("enter").hidden = false;
  $("leaves").textContent = say("What leaves this phone: changes of a model and how well it does, never your drawings.",
    "离开本机的内容：模型的变化和模型的得分，绝不包括你的画。");
  $("forget").hidden = true;
}
