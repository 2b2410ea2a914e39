// arena.js is the arena's page. The records are read, and all is computed, by the program of main_js.go in a worker; this
// script asks and shows the answers. arena-records.jsonl.gz beside it, if the site has it, are the published records;
// others come from the user, or from Flockscope's main page (assets/handover.js).
(() => {
  "use strict";

  const query = new URLSearchParams(location.search);
  const chinese = (query.get("lang") ?? navigator.language).toLowerCase().startsWith("zh");
  const say = (english, own) => (chinese ? own : english);
  const byID = (id) => document.getElementById(id);
  const site = (name) => new URL("../" + name, document.baseURI).href;
  document.documentElement.lang = chinese ? "zh-Hans" : "en";
  for (const e of document.querySelectorAll("[data-zh]")) if (chinese) e.textContent = e.dataset.zh;
  if (chinese) document.title = "哪种方法适合您的客户端？ · Flockscope";
  if (query.has("lang")) byID("home").href += `?lang=${chinese ? "zh" : "en"}`;

  // The words of sim/lab/arena and of the arena's design in Chinese.
  const own = {
    "better": "更好", "practically equal": "实际相等", "worse": "更差", "not better": "并不更好", "not known": "尚不清楚",
    "needs K": "需要 K", "finds K": "自己找 K", "no clusters": "不分簇",
    "concept shift": "概念偏移", "turns": "旋转", "mixtures": "混合", "corruptions": "损坏", "label skew": "标签偏斜",
    "label groups": "标签分组", "people": "真实的人", "alike": "同分布",
    "concepts": "概念", "mild concepts": "轻微的概念差异", "trouble": "概念加干扰", "small turns": "小角度旋转",
    "MNIST, permuted labels": "MNIST，标签置换", "Fashion-MNIST, turned": "Fashion-MNIST，旋转",
    "Fashion-MNIST, label skew": "Fashion-MNIST，标签偏斜", "AG News, label skew": "AG News，标签偏斜",
    "FEMNIST, writers": "FEMNIST，书写者", "Amazon, kinds of goods": "Amazon，商品种类",
    "Clients give the same inputs different names.": "客户端给同样的输入不同的名称。",
    "Clients see the same things turned.": "客户端看到的是旋转过的同样东西。",
    "Clients hold two kinds of samples, in other shares.": "客户端持有两类样本，比例不同。",
    "Each client's images are bad in another way.": "每个客户端的图像以不同方式损坏。",
    "Clients hold the same classes, in other shares.": "客户端持有相同的类别，比例不同。",
    "Clients of a group hold the same two classes.": "同组客户端持有相同的两个类别。",
    "Clients are what they are in real files.": "客户端就是真实文件中的那些。",
    "All clients have the same distribution.": "所有客户端分布相同。",
  };
  const word = (text) => (chinese && own[text]) || text;
  const or = (names) => names.join(say(" or ", " 或 "));
  const signed = (v) => `${v < -0.0005 ? "−" : "+"}${Math.abs(v).toFixed(3)}`;

  // A file's bytes, unpacked if they are compressed.
  async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async function load(name) {
    const answer = await fetch(site(name)).catch(() => { throw new Error(say("there is no connection", "没有网络连接")); });
    if (!answer.ok) throw new Error(say(`the server answered ${answer.status} for ${name}`, `服务器对 ${name} 回答 ${answer.status}`));
    return new Uint8Array(await answer.arrayBuffer());
  }

  const script = (name) => new Promise((resolve, reject) => {
    const e = document.createElement("script");
    e.src = site(name);
    e.onload = resolve;
    e.onerror = () => reject(new Error(say(`${name} could not be loaded`, `无法加载 ${name}`)));
    document.head.append(e);
  });

  // startProgram returns a function that sends the program a message, and resolves to its answer.
  async function startProgram() {
    const [bytes] = await Promise.all([load("arena/program.pack"), script("assets/unpack.js")]);
    const module = await WebAssembly.compile(flockscopeUnpack(bytes));
    const address = site("assets/engine.js");
    let worker;
    try {
      worker = new Worker(address);
    } catch { // in a frame without an origin
      worker = new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)});`], { type: "text/javascript" })));
    }
    const waiting = new Map();
    let last = 0, ended = "";
    const end = (why) => {
      ended = why;
      for (const { reject } of waiting.values()) reject(new Error(why));
      waiting.clear();
    };
    worker.onerror = (event) => end(event.message || say("the browser refused to run it", "浏览器拒绝运行它"));
    worker.onmessage = ({ data }) => {
      if (data.flockscopeControl === "exit") end(data.message);
      if (!waiting.has(data.id)) return;
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.problem) reject(new Error(data.problem));
      else resolve(data);
    };
    worker.postMessage({ base: site(""), program: { module, kernel: null }, role: "arena" });
    return (message) => new Promise((resolve, reject) => {
      if (ended) { reject(new Error(ended)); return; }
      waiting.set(++last, { resolve, reject });
      worker.postMessage({ ...message, id: last });
    });
  }

  let send = null;
  let arena = { files: [], rows: [], methods: [], notes: [] };
  let hasShipped = true;
  const publishedName = say("the published records", "已发布的记录");

  const status = (text) => {
    byID("status").textContent = text;
    byID("status").hidden = !text;
  };

  const element = (name, text, attributes = {}) => {
    const e = document.createElement(name);
    e.textContent = text;
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };

  // Questions. The state of the form is in the address, so that an answer can be sent to others.
  const radios = () => document.querySelectorAll("input[name=k]");
  const several = "…several";

  function chosenRows() {
    const value = byID("clients").value;
    if (value === "") return null;
    if (value === several) return [...document.querySelectorAll("#rows input[data-row]:checked")].map((e) => Number(e.dataset.row));
    return arena.rows.filter((r) => value === `family ${r.family}` || value === `row ${r.label}`).map((r) => r.row);
  }

  function question() {
    return { rows: chosenRows(), unknownK: [...radios()].find((e) => e.checked).value === "unknown", budget: byID("budget").value,
      tuned: arena.tuned && byID("settings").value === "tuned", byRows: byID("by-rows").checked };
  }

  function writeAddress(q) {
    const labels = byID("clients").value === several ? q.rows.map((row) => arena.rows.find((r) => r.row === row).label) : [];
    const state = { clients: labels.length ? labels.map((l) => `row ${l}`).join("|") : byID("clients").value.replace(several, ""),
      k: q.unknownK && "unknown", budget: q.budget !== "rounds" && q.budget, settings: q.tuned && "tuned", by: q.byRows && "rows" };
    for (const [key, value] of Object.entries(state)) value ? query.set(key, value) : query.delete(key);
    const text = query.toString();
    history.replaceState(null, "", location.pathname + (text && `?${text}`));
  }

  function readAddress() {
    const clients = (query.get("clients") ?? "").split("|");
    fillClients(clients);
    radios().forEach((e) => { e.checked = e.value === (query.get("k") === "unknown" ? "unknown" : "known"); });
    const choose = (id, value) => { if ([...byID(id).options].some((o) => o.value === value)) byID(id).value = value; };
    choose("budget", query.get("budget"));
    choose("settings", query.get("settings"));
    byID("by-rows").checked = query.get("by") === "rows";
  }

  // fillClients offers the rows that have runs, and chooses some.
  function fillClients(chosen) {
    const list = byID("clients"), families = [...new Set(arena.rows.map((r) => r.family))];
    const option = (value, text) => element("option", text, { value });
    list.replaceChildren(option("", say("all kinds", "所有类别")), ...families.flatMap((f) => {
      const rows = arena.rows.filter((r) => r.family === f);
      if (rows.length === 1) return [option(`family ${f}`, word(f))];
      const group = element("optgroup", "", { label: word(f) });
      group.append(option(`family ${f}`, say(`${f}: all rows`, `${word(f)}：所有行`)), ...rows.map((r) => option(`row ${r.label}`, word(r.label))));
      return [group];
    }), option(several, say("several …", "多个……")));
    const known = chosen.filter((c) => [...list.options].some((o) => o.value === c) || arena.rows.some((r) => `row ${r.label}` === c));
    list.value = known.length > 1 || chosen[0] === several ? several : known[0] ?? "";
    if (list.value !== (known[0] ?? "") && known.length === 1) list.value = several; // the only row of a family
    byID("rows").replaceChildren(...families.map((f) => {
      const part = element("div", ""), rows = arena.rows.filter((r) => r.family === f);
      const box = (text, key, value, checked) => {
        const label = element("label", ""), input = element("input", "", { type: "checkbox", [key]: value });
        input.checked = checked;
        label.append(input, text);
        part.append(label);
        return input;
      };
      const all = box(word(f), "data-family", f, false);
      const each = rows.map((r) => box(word(r.label), "data-row", r.row, known.length < 2 || known.includes(`row ${r.label}`)));
      const update = () => {
        all.checked = each.every((e) => e.checked);
        all.indeterminate = !all.checked && each.some((e) => e.checked);
      };
      all.addEventListener("change", () => each.forEach((e) => { e.checked = all.checked; }));
      each.forEach((e) => e.addEventListener("change", update));
      update();
      return part;
    }));
  }

  let asked = 0;
  async function ask() {
    byID("several").hidden = byID("clients").value !== several;
    byID("form").hidden = byID("result").hidden = arena.rows.length === 0;
    if (arena.rows.length === 0) {
      status(arena.files.length === 0 ? say("Open a file of records below.", "请在下面打开记录文件。")
        : say("These records have no runs of fedavg and local with the same seeds, over which methods gain: open a file that has them.",
          "这些记录没有种子相同的 fedavg 和 local 运行，无法计算增益：请打开包含它们的文件。"));
      return;
    }
    const q = question(), mine = ++asked;
    writeAddress(q);
    if (q.rows?.length === 0) {
      byID("result").hidden = true;
      status(say("Choose at least one row.", "请至少选择一行。"));
      return;
    }
    document.body.dataset.state = "computing";
    if (byID("result").hidden || !byID("answer").textContent) status(say("Computing …", "正在计算……"));
    try {
      const view = await send({ ask: q });
      if (mine !== asked) return;
      show(q, view);
      status("");
    } catch (error) {
      if (mine !== asked) return;
      byID("result").hidden = true;
      status(say(`There is no answer: ${error.message}.`, `没有答案：${error.message}。`));
    }
    document.body.dataset.state = "ready";
  }

  // What is shown.

  const classOf = { "needs K": "needs", "finds K": "finds", "no clusters": "none" };
  const shapes = { // round, square, diamond, as in the figures of ARENA.md: kinds differ without colour
    needs: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", finds: "M-4.6-4.6h9.2v9.2h-9.2z", none: "M0-6.5L6.5 0L0 6.5L-6.5 0z",
  };
  const pickText = (l) => (l.best.length === 0 ? "–" : `${l.best.join(", ")}: ${l.gain.text}, ${word(l.verdict)}`);

  function show(q, view) {
    byID("result").hidden = false;
    const whole = view.together ?? view.lines[0];
    const chosen = byID("clients").selectedOptions[0];
    const clients = chosen.value === several ? say("the chosen clients", "所选客户端") : chosen.textContent;
    const none = view.lines.every((l) => l.dots.length === 0);
    const told = q.unknownK ? say("K not known", "K 未知") : say("K known", "K 已知");
    byID("answer").replaceChildren(...none
      ? [say("These records do not say: those of older programs do not have what was spent by when.", "这些记录没有答案：旧程序的记录没有逐轮的开销。")]
      : [say(`For ${clients}, ${told}: `, `${clients}，${told}：`), element("b", pickText(whole)),
        say(`. The gain is over ${or(whole.toBeat)}.`, `。增益相对于 ${or(whole.toBeat)}。`)]);
    draw(view);
    const head = element("thead", ""), body = element("tbody", ""), row = element("tr", "");
    row.append(...[say("clients", "客户端"), say("to beat", "要超过的"), told].map((text) => element("th", text, { scope: "col" })));
    head.append(row);
    for (const l of view.lines) {
      const tr = element("tr", ""), about = arena.rows.find((r) => r.family === l.family)?.about;
      tr.append(element("th", word(l.family) + (about && !q.byRows ? say(": ", "：") + word(about).replace(/[.。]$/, "") : ""), { scope: "row" }),
        element("td", or(l.toBeat)), element("td", pickText(l), { "data-family": l.family }));
      body.append(tr);
    }
    byID("table").replaceChildren(head, body);
    byID("words").textContent = say(`Best methods: those within ${view.near} of the best one; fedavg and local first if they are among them, since then they are enough. In brackets: the interval of 95 % for other seeds. Better: all of it is above +${view.rope}; practically equal: all within ± ${view.rope}; not better: it does not reach +${view.rope}; not known: neither, or fewer than 5 runs.`,
      `最好的方法：与最佳相差不超过 ${view.near} 的那些；fedavg 和 local 若在其中则排在前面，因为那样它们就够了。方括号内是换用其他种子的 95 % 区间。更好：整个区间高于 +${view.rope}；实际相等：全部在 ± ${view.rope} 以内；尚不清楚：两者都不是，或运行少于 5 次。`)
      + (view.diverged ? say(` Runs that diverged count as guessing: ${view.diverged}.`, `发散的运行按猜测计：${view.diverged} 次。`) : "");
  }

  const svg = (name, attributes, ...children) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };

  const least = -0.25; // as in sim/lab/arena/pictures.go: dots at the left edge may be farther out
  let shown = null; // the view of the figure
  let current = null; // the dot that has the figure's tab stop

  function draw(view) {
    shown = view;
    hideTip();
    const width = Math.max(280, byID("figure").clientWidth), narrow = width < 560;
    const left = narrow ? 8 : 190, right = width - 14, top = 26, high = narrow ? 62 : 50;
    const lines = view.together ? [{ ...view.together, family: say("all of these", "以上全部") }, ...view.lines] : view.lines;
    const all = lines.flatMap((l) => [...l.dots.map((d) => d.gain.value), l.oracle.value ?? 0]);
    const low = Math.max(least, Math.min(-0.05, ...all)) - 0.01, up = Math.max(0.05, ...all) + 0.01;
    const x = (v) => left + (Math.max(v, low + 0.01) - low) / (up - low) * (right - left);
    const height = top + lines.length * high + 8;
    const out = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say("Gain of every method", "每种方法的增益") });
    out.append(svg("rect", { class: "band", x: x(-view.near), y: top, width: x(view.near) - x(-view.near), height: height - top - 6 }));
    const step = [0.01, 0.02, 0.05, 0.1].find((s) => (up - low) / s <= (narrow ? 6 : 10)) ?? 0.1;
    for (let i = Math.ceil(low / step); i * step <= up; i++) {
      const at = x(i * step);
      out.append(svg("line", { class: i === 0 ? "zero" : "grid", x1: at, x2: at, y1: top, y2: height - 6 }),
        svg("text", { class: "tick", x: at, y: top - 8, "text-anchor": "middle" }, i === 0 ? "0" : signed(i * step).replace(/0$/, "")));
    }
    lines.forEach((l, i) => {
      const y = top + i * high + (narrow ? 39 : high / 2);
      const best = [...l.dots].sort((a, b) => b.gain.value - a.gain.value)[0];
      const name = svg("text", { x: narrow ? left : 0, y: narrow ? y - 22 : y - 3 }, word(l.family));
      if (best) name.append(svg("tspan", { class: "tick", ...narrow ? { dx: 10 } : { x: 0, dy: 16 } }, `${best.lane} ${signed(best.gain.value)}`));
      out.append(name);
      if (i) out.append(svg("line", { class: "grid", x1: 0, x2: right, y1: top + i * high, y2: top + i * high }));
      if (l.oracle.value !== null) out.append(svg("line", { class: "oracle", x1: x(l.oracle.value), x2: x(l.oracle.value), y1: y - 13, y2: y + 13 }));
      const placed = [];
      // The best are drawn last, above the others.
      for (const d of [...l.dots].sort((a, b) => a.best - b.best || a.gain.value - b.gain.value)) {
        const kind = classOf[d.kind], at = x(d.gain.value), method = arena.methods.find((m) => m.lane === d.lane);
        const level = [0, -8, 8, -15, 15].find((dy) => placed.every(([px, py]) => Math.hypot(px - at, py - dy) > 9)) ?? 0;
        placed.push([at, level]);
        const dot = svg("a", { class: `dot ${kind}${d.best ? " best" : ""}${method?.entered ? " entered" : ""}`, href: site("") + "?" + d.query + (query.has("lang") ? `&lang=${chinese ? "zh" : "en"}` : ""),
          target: "_blank", rel: "noopener", tabindex: -1, "data-lane": d.lane, "data-family": l.family, "data-fingerprint": d.fingerprint, transform: `translate(${at} ${y + level})` });
        if (d.gain.low !== null) dot.append(svg("line", { x1: x(d.gain.low) - at, x2: x(d.gain.high) - at }));
        dot.append(svg("path", { d: shapes[kind] }), svg("circle", { class: "area", r: 11 }));
        if (method?.entered) dot.append(svg("text", { x: 0, y: -9, "text-anchor": at > (left + right) / 2 ? "end" : "start" }, d.lane));
        const texts = tipTexts(l, d);
        dot.setAttribute("aria-label", texts.join("; "));
        Object.assign(dot, { texts, line: i, gain: d.gain.value });
        out.append(dot);
      }
    });
    const old = current && [current.dataset.lane, current.line];
    byID("figure").replaceChildren(out);
    const dots = [...out.querySelectorAll(".dot")];
    current = dots.find((d) => old && d.dataset.lane === old[0] && d.line === old[1]) ?? dots.at(-1) ?? null;
    current?.setAttribute("tabindex", 0);
    byID("legend").replaceChildren(...Object.entries(classOf).filter(([kind]) => lines.some((l) => l.dots.some((d) => d.kind === kind))).map(([kind, name]) => {
      const s = element("span", "", { class: name });
      s.append(svg("svg", { viewBox: "-7 -7 14 14", "aria-hidden": "true" }, svg("path", { d: shapes[name] })), " ", word(kind));
      return s;
    }));
    byID("reading").textContent = say(`Accuracy gained over the better of fedavg and local. Full: best methods, with intervals. Grey band: ± ${view.near}. Bar: fedavg within each true group. At the left edge: there or farther out. A dot opens its run, the one whose gain is nearest to the mean; arrow keys move between dots.`,
      `相对于 fedavg 和 local 中较好者的准确率增益。实心：最好的方法，带区间。灰带：± ${view.near}。竖线：各真实组内的 fedavg。左边缘：在此处或更远。点击一个点打开它的运行，即增益最接近均值的那次；方向键在点之间移动。`);
  }

  function tipTexts(l, d) {
    const rounded = signed(d.runGain);
    const texts = [`${d.lane} · ${word(l.family)}`, word(d.kind), say(`gain ${d.gain.text}, ${d.runs} run${d.runs === 1 ? "" : "s"}`, `增益 ${d.gain.text}，${d.runs} 次运行`),
      say(`opens ${d.row}, seed ${d.seed}: ${rounded}, fingerprint ${d.fingerprint}`, `打开 ${word(d.row)}，种子 ${d.seed}：${rounded}，指纹 ${d.fingerprint}`)];
    if (arena.rows.find((r) => r.label === d.row)?.onFiles) texts.push(say("on files, which the page will ask for", "使用文件中的数据，页面会要求打开这些文件"));
    return texts;
  }

  function showTip(dot) {
    if (current !== dot) current?.setAttribute("tabindex", -1);
    document.querySelectorAll(".dot.now").forEach((e) => e.classList.remove("now"));
    current = dot;
    dot.setAttribute("tabindex", 0);
    dot.classList.add("now");
    const tip = byID("tip"), figure = tip.parentElement.getBoundingClientRect(), at = dot.querySelector("path").getBoundingClientRect();
    tip.replaceChildren(...dot.texts.map((text, i) => element(i ? "span" : "b", text)));
    tip.hidden = false;
    const leftMost = figure.width - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(leftMost, at.x - figure.x - tip.offsetWidth / 2))}px`;
    const above = at.y - figure.y - tip.offsetHeight - 12;
    tip.style.top = `${at.y - tip.offsetHeight - 12 < 0 ? at.bottom - figure.y + 12 : above}px`;
  }

  function hideTip() {
    byID("tip").hidden = true;
    document.querySelectorAll(".dot.now").forEach((e) => e.classList.remove("now"));
  }

  const dotOf = (event) => event.target.closest?.(".dot");
  const figure = byID("figure");
  let touched = null; // the dot whose tooltip a finger has opened: the next tap opens its run
  figure.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse" && dotOf(event)) showTip(dotOf(event)); });
  figure.addEventListener("pointerout", (event) => { if (event.pointerType === "mouse" && dotOf(event)) hideTip(); });
  figure.addEventListener("focusin", (event) => { if (dotOf(event)) showTip(dotOf(event)); });
  figure.addEventListener("focusout", hideTip);
  figure.addEventListener("click", (event) => {
    const dot = dotOf(event), finger = event.pointerType === "touch" || event.pointerType === "pen";
    if (dot && finger && touched !== dot) {
      event.preventDefault();
      showTip(dot);
    }
    touched = finger ? dot : null;
    if (!dot) hideTip();
  });
  figure.addEventListener("keydown", (event) => {
    const dot = dotOf(event), sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key], down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") hideTip();
    if (!dot || event.altKey || event.ctrlKey || event.metaKey || (!sideways && !down && event.key !== "Home" && event.key !== "End")) return;
    event.preventDefault();
    const all = [...figure.querySelectorAll(".dot")];
    const lineOf = (n) => all.filter((d) => d.line === n).sort((a, b) => a.gain - b.gain);
    let next;
    if (down) {
      for (let n = dot.line + down; !next && all.some((d) => (d.line - n) * down >= 0); n += down) {
        next = lineOf(n).sort((a, b) => Math.abs(a.gain - dot.gain) - Math.abs(b.gain - dot.gain))[0];
      }
    } else {
      const line = lineOf(dot.line);
      next = event.key === "Home" ? line[0] : event.key === "End" ? line.at(-1) : line[line.indexOf(dot) + sideways];
    }
    next?.focus();
  });
  new ResizeObserver(() => { if (shown && figure.firstChild && Math.abs(figure.firstChild.viewBox.baseVal.width - Math.max(280, figure.clientWidth)) > 1) draw(shown); }).observe(figure);

  // Files.

  function showFiles() {
    byID("files").replaceChildren(...arena.files.map((f) => {
      const item = element("li", say(`${f.name}: ${f.records} records`, `${f.name}：${f.records} 条记录`));
      const close = element("button", say("Leave out", "去掉"), { type: "button", "aria-label": say(`Leave out ${f.name}`, `去掉 ${f.name}`) });
      close.addEventListener("click", () => change({ remove: f.name }));
      item.append(close);
      return item;
    }));
    byID("notes").replaceChildren(...arena.notes.map((text) => element("li", text)));
    byID("shipped").hidden = !hasShipped || arena.files.some((f) => f.name === publishedName);
    byID("settings-of").hidden = !arena.tuned;
  }

  // change sends the program a message that changes the records, and asks again.
  async function change(message) {
    status(message.add ? say(`Reading ${message.add} …`, `正在读取 ${message.add}……`) : "");
    try {
      arena = await send(message);
    } catch (error) {
      status(say(`Not opened. ${error.message}.`, `没有打开。${error.message}。`));
      document.body.dataset.state = "ready";
      return false;
    }
    showFiles();
    fillClients((query.get("clients") ?? "").split("|"));
    await ask();
    return true;
  }

  async function openFiles(files) {
    for (const f of files) {
      let data;
      try {
        data = await unpacked(new Uint8Array(f.data ?? await f.arrayBuffer()));
      } catch {
        status(say(`Not opened. ${f.name} is damaged, or cannot be unpacked: download it again, or unpack it first.`, `没有打开。${f.name} 已损坏或无法解压：请重新下载，或先解压。`));
        return false;
      }
      if (!await change({ add: f.name, data })) return false;
    }
    return true;
  }

  async function openShipped() {
    const data = await load("arena/arena-records.jsonl.gz").catch(() => null);
    hasShipped = data !== null;
    if (data) await openFiles([{ name: publishedName, data }]);
    else status(say("This site has no records of its own: open a file of records below.", "这个网站没有自己的记录：请在下面打开记录文件。"));
    showFiles();
  }

  byID("form").addEventListener("change", ask);
  byID("form").addEventListener("submit", (event) => event.preventDefault());
  byID("open").addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    openFiles(files);
  });
  byID("shipped").addEventListener("click", openShipped);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    openFiles([...event.dataTransfer.files]);
  });

  async function start() {
    const handed = query.has("opened") ? script("assets/handover.js").then(() => flockscopeHandover.take()) : [];
    query.delete("opened");
    [send] = await Promise.all([startProgram(), handed]);
    readAddress();
    // Records that somebody brings stand alone if they can; those of a method alone stand beside the published ones.
    const brought = await handed;
    if (brought.length === 0 || await openFiles(brought) && arena.rows.length === 0) await openShipped();
    document.body.dataset.state = "ready";
  }

  start().catch((error) => status(say(`The page could not start: ${error.message}. Reload it.`, `页面无法启动：${error.message}。请重新加载。`)));
})();
