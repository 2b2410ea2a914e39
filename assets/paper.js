// paper.js exports pictures for papers and slides: it lays out figures with axis titles,
// a legend and a caption, and writes them as SVG, as PNG, or as a float for LaTeX. It is
// loaded when the first picture is exported.
//
//	flockscopePaper.make(format, page) → promise of { type, data }, a text or an ArrayBuffer
//
// page is what ui/page/exportpaper.go says of a picture, with functions of ui/browser/picture_js.go:
//
//	say(text)                               → text in the page's language
//	draw(kind, lane, w, h, playhead, hints) → { bytes, across, up, words }
//
// where bytes are a display list of w × h CSS pixels less LINE for each title of an axis
// that is not empty. Letters are outlines, so that a picture needs no font; a text with
// characters that glyphs.txt lacks, such as Chinese, stays a text.
(() => {
  "use strict";

  const LINE = 17, MARGIN = 6, GAP = 10, TEXT = 12; // CSS pixels
  const EM = 1000; // in which glyphs are drawn; see sim/draw/scene/glyphs
  const INK = 1, QUIET = 2, PAPER = 4, UNASSIGNED = 6, FIRST = 8; // colours of sim/draw/scene/colour.go
  const INCH = 25.4, DPI = 300;
  const family = "system-ui,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif";

  // Widths in CSS pixels, in which letters of 12 are 9 points; printed, in millimetres; and
  // the pixels of a PNG.
  const column = (mm) => ({ w: mm * 96 / INCH, mm, pixels: mm * DPI / INCH });
  const sizes = { one: column(85), two: column(180), slide: { w: 720, mm: 338.67, pixels: 1920 } };

  let glyphs; // by character: width and path of the regular face, and of the bold one
  const source = globalThis.document?.currentScript?.src;
  async function letters() {
    if (glyphs) return;
    const answer = await fetch(new URL("glyphs.txt", source));
    if (!answer.ok) throw new Error(answer.status);
    read(await answer.text());
  }
  function read(text) {
    glyphs = new Map();
    for (const line of text.split("\n")) {
      const [char, width, path, bold, boldPath] = line.split("\t");
      if (boldPath) glyphs.set(char, [+width, path, +bold, boldPath]);
    }
  }

  const han = /[\u2E80-\u9FFF]/;
  const num = (v) => String(+v.toFixed(3) || 0);
  const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const wide = (text, size = TEXT, bold = false) => {
    let sum = 0;
    for (const c of text) sum += glyphs.get(c)?.[bold ? 2 : 0] ?? EM;
    return sum * size / EM;
  };

  // An Easel replaces a canvas in flockscopePaint: it writes what is painted as SVG.
  class Easel {
    constructor() {
      Object.assign(this, { out: [], d: "", filled: "", clips: 0, depth: [], globalAlpha: 1, gaps: [] });
    }
    getContext() { return this; }
    resetTransform() {}
    clearRect() {}
    setTransform() {}
    flush() {
      if (this.filled) this.out.push(`<path d="${this.d}"${this.filled}/>`);
      this.filled = "";
    }
    opacity() { return this.globalAlpha === 1 ? "" : ` opacity="${num(this.globalAlpha)}"`; }
    beginPath() { this.flush(); this.d = ""; }
    moveTo(x, y) { this.d += `M${num(x)} ${num(y)}`; }
    lineTo(x, y) { this.d += `L${num(x)} ${num(y)}`; }
    closePath() { this.d += "Z"; }
    rect(x, y, w, h) { this.d += `M${num(x)} ${num(y)}h${num(w)}v${num(h)}h${num(-w)}Z`; }
    arc(x, y, r) { this.ellipse(x, y, r, r, 0); }
    ellipse(x, y, rx, ry, angle) { // a whole one
      const dx = rx * Math.cos(angle), dy = rx * Math.sin(angle);
      const half = (s) => `A${num(rx)} ${num(ry)} ${num(angle * 180 / Math.PI)} 0 1 ${num(x + s * dx)} ${num(y + s * dy)}`;
      this.d += `M${num(x + dx)} ${num(y + dy)}${half(-1)}${half(1)}Z`;
    }
    fill() { this.filled = ` fill="${this.fillStyle}"${this.opacity()}`; }
    setLineDash(gaps) { this.gaps = gaps; }
    stroke() {
      this.filled ||= ` fill="none"${this.opacity()}`;
      this.filled += ` stroke="${this.strokeStyle}" stroke-width="${num(this.lineWidth)}"`;
      if (this.lineJoin === "round") this.filled += ' stroke-linejoin="round"';
      if (this.gaps.length) this.filled += ` stroke-dasharray="${this.gaps.join(" ")}"`;
      this.flush();
    }
    save() { this.flush(); this.depth.push(""); }
    clip() {
      const id = `clip${++this.clips}`;
      this.out.push(`<clipPath id="${id}"><path d="${this.d}"/></clipPath><g clip-path="url(#${id})">`);
      this.depth[this.depth.length - 1] += "</g>";
    }
    restore() { this.flush(); this.out.push(this.depth.pop()); }
    fillText(text, x, y) {
      const [, weight, size] = /^(\d+) ([\d.]+)px/.exec(this.font), bold = weight > 400;
      const chars = [...text], style = ` fill="${this.fillStyle}"${this.opacity()}`;
      this.flush();
      if (!chars.every((c) => glyphs.has(c))) {
        const anchor = { start: "start", center: "middle", end: "end" }[this.textAlign];
        this.out.push(`<text x="${num(x)}" y="${num(y)}" font-size="${size}" font-weight="${weight}" font-family="${family}"` +
          ` text-anchor="${anchor}"${style}>${escape(text)}</text>`);
        return;
      }
      x -= wide(text, size, bold) * { start: 0, center: 0.5, end: 1 }[this.textAlign];
      const path = chars.map((c) => glyphs.get(c)[bold ? 3 : 1]).join("");
      this.out.push(`<path transform="translate(${num(x)} ${num(y)}) scale(${+(size / EM).toFixed(6)})" d="M0 0${path}"${style}/>`);
    }
    createImageData(w, h) { return new ImageData(w, h); }
    drawImage(canvas, x, y, w, h) {
      this.flush();
      const style = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
      this.out.push(`<image x="${num(x)}" y="${num(y)}" width="${num(w)}" height="${num(h)}" preserveAspectRatio="none"` +
        `${style}${this.opacity()} href="${canvas.toDataURL("image/png")}"/>`);
    }
    set width(_) {}
    set height(_) {}

    // text sets a line; at draws with the origin elsewhere.
    text(words, x, y, { size = TEXT, bold = false, align = "start" } = {}) {
      Object.assign(this, { font: `${bold ? 600 : 400} ${size}px`, textAlign: align, fillStyle: this.ink, globalAlpha: 1 });
      this.fillText(words, x, y);
    }
    at(x, y, draw) {
      this.flush();
      this.out.push(`<g transform="translate(${num(x)} ${num(y)})">`);
      draw();
      this.flush();
      this.out.push("</g>");
    }
  }

  // lines breaks a text into lines of at most some width: at spaces, and beside Chinese.
  function lines(text, width) {
    const all = [];
    let line = "";
    for (const word of text.match(/[\u2E80-\u9FFF\uFF00-\uFFEF]|[^\s\u2E80-\u9FFF\uFF00-\uFFEF]+\s*|\s+/gu) ?? []) {
      if (line && wide((line + word).trimEnd()) > width && !/^[，。；：、）]/.test(word)) {
        all.push(line.trimEnd());
        line = "";
      }
      line += word;
    }
    return [...all, line.trimEnd()];
  }

  // legend returns rows of samples with what they mean, of at most some width, as functions
  // that draw: of lines by titles, or of shapes and colours.
  function legend(easel, page, titles, width) {
    const { palette, say } = page, r = 4.5, items = [];
    const pen = (colour, lineWidth, gaps = []) => Object.assign(easel, {
      strokeStyle: palette[colour], lineWidth, lineJoin: "round", gaps, globalAlpha: 1 });
    const mark = (corners, x, y) => {
      easel.beginPath();
      if (!corners) easel.arc(x, y, r);
      corners?.forEach(([dx, dy], i) => (i ? easel.lineTo(x + r * dx, y + r * dy) : easel.moveTo(x + r * dx, y + r * dy)));
      if (corners) easel.closePath();
    };
    titles?.forEach((title, i) => items.push([26, title, (x, y) => {
      pen(i ? QUIET : INK, i ? 1.5 : 2, flockscopePaint.dashes[i % 4]);
      easel.beginPath();
      easel.moveTo(x, y);
      easel.lineTo(x + 26, y);
      easel.stroke();
    }]));
    if (!titles) {
      page.groups?.forEach((name, g) => name && items.push([2 * r + 3, say(name), (x, y) => {
        mark(flockscopePaint.shapes[g], x + r + 1, y);
        Object.assign(easel, { fillStyle: palette[UNASSIGNED], globalAlpha: 1 });
        easel.fill();
      }]));
      if (page.wrong) {
        items.push([2 * r + 3, say("misplaced"), (x, y) => {
          pen(QUIET, 2);
          mark(null, x + r + 1, y);
          easel.stroke();
        }]);
      }
      const named = items.length;
      for (const k of page.models ?? []) {
        items.push([18, say("model %s").replace("%s", String.fromCharCode(65 + k)), (x, y) => {
          easel.beginPath();
          easel.rect(x, y - 3.5, 18, 7);
          Object.assign(easel, { fillStyle: palette[FIRST + k], globalAlpha: 1 });
          easel.fill();
        }]);
      }
      if (items[named] && items.reduce((sum, [sample, text]) => sum + sample + 19 + wide(text), 0) > width) items[named].fresh = true;
    }
    const rows = [];
    let x = width + 1;
    for (const item of items) {
      const [sample, text, draw] = item, room = sample + 5 + wide(text);
      if (x + room > width || item.fresh) {
        rows.push([]);
        x = 0;
      }
      const left = x;
      rows.at(-1).push((y) => {
        draw(left, y + LINE / 2);
        easel.text(text, left + sample + 5, y + LINE / 2 + 0.36 * TEXT);
      });
      x += room + 14;
    }
    return rows;
  }

  // picture lays out a picture, and returns its SVG and its size.
  function picture(page) {
    const { palette } = page, easel = new Easel();
    easel.ink = palette[INK];
    const size = sizes[page.size], slide = page.size === "slide";
    const width = size?.w ?? page.w, inner = width - 2 * MARGIN;
    // A narrow figure is higher than on a screen, because its texts have the same size.
    // Of the confusion matrix, only the square is as high as other figures.
    const height = page.kind === "answers" && width < 400 ? 0.95 * width : size ? Math.min(page.h * width / page.w * (1.9 - width / 750), 0.78 * width, 420) : page.h;
    const with_ = page.with ?? "", caption = lines(page.caption, inner), words = [];
    const foot = with_.includes("caption") ? caption : [];
    const footHigh = foot.length ? foot.length * LINE * 0.92 + 2 * MARGIN : MARGIN;
    const whole = slide ? width * 9 / 16 : 0;

    const figure = (kind, lane, x, y, w, h) => easel.at(x, y, () => {
      const drawn = page.draw(kind, lane, w, h, with_.includes("playhead"), with_.includes("help"));
      const top = drawn.up ? LINE : 0, high = h - top - (drawn.across ? LINE : 0);
      words.push(drawn.words);
      if (drawn.up) easel.text(drawn.up, 8, 13);
      easel.at(0, top, () => flockscopePaint(easel, drawn.bytes, palette, w, high, 1));
      const across = [drawn.across, drawn.across.replace(/\s*[(（].*$/, "")].find((text) => wide(text) <= w);
      if (across) easel.text(across, w / 2, h - 4, { align: "center" });
    });
    const key = (rows, y) => {
      easel.at(MARGIN, y, () => rows.forEach((row, i) => row.forEach((item) => item(i * LINE))));
      return y + rows.length * LINE;
    };

    let y;
    if (page.kind !== "all") {
      const rows = legend(easel, page, page.lines, inner);
      const h = whole ? whole - rows.length * LINE - footHigh : height;
      figure(page.kind, page.lane, 0, 0, width, h);
      y = key(rows, h);
    } else {
      const marks = legend(easel, page, null, inner), names = legend(easel, page, page.lanes, inner);
      const columns = Math.min(page.lanes.length, Math.max(Math.floor(width / 150), 2), 4);
      const rows = Math.ceil(page.lanes.length / columns), w = (width - GAP * (columns - 1)) / columns;
      let h = Math.min(w * 0.85, 260), curves = Math.max(Math.min(width * 0.36, 260), 150);
      if (whole) {
        const space = whole - footHigh - (marks.length + names.length + rows) * LINE;
        [h, curves] = [0.56 * space / rows, 0.44 * space];
      }
      page.lanes.forEach((title, i) => {
        const x = i % columns * (w + GAP), top = Math.floor(i / columns) * (h + LINE);
        easel.text(title, x + MARGIN, top + 14, { size: 13, bold: true });
        figure(page.main[i], i, x, top + LINE, w, h);
      });
      y = key(marks, rows * (h + LINE));
      figure("curves", 0, 0, y, width, curves);
      y = key(names, y + curves);
    }
    foot.forEach((line, i) => easel.text(line, MARGIN, y + MARGIN + TEXT + i * LINE * 0.92));
    const high = whole || y + footHigh, unit = size ? "mm" : "", scale = size ? size.mm / width : 1;
    return { width, height: high, pixels: size?.pixels ?? 2 * width, svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${num(width * scale)}${unit}" height="${num(high * scale)}${unit}"` +
      ` viewBox="0 0 ${num(width)} ${num(high)}" role="img" aria-labelledby="title desc">\n` +
      `<title id="title">${escape(page.heading)}</title>\n` +
      `<desc id="desc">${escape([caption.join(" "), ...words].join(" "))}</desc>\n` +
      `<rect width="100%" height="100%" fill="${palette[PAPER]}"/>\n${easel.out.filter(Boolean).join("\n")}\n</svg>\n` };
  }

  // Special characters of TeX, and characters that pdfLaTeX does not know.
  const signs = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\n": " ", "<": "$<$", ">": "$>$",
    "|": "$|$", "°": "$^\\circ$", "−": "$-$", "×": "$\\times$", "·": "$\\cdot$", "±": "$\\pm$", "→": "$\\to$", "≤": "$\\le$",
    "≥": "$\\ge$", "∞": "$\\infty$" };
  for (const c of "&%_#${}") signs[c] = "\\" + c;
  for (const [i, c] of [..."⁰¹²³⁴⁵⁶⁷⁸⁹"].entries()) signs[c] = `$^${i}$`;
  for (const [i, c] of [..."₀₁₂₃₄₅₆₇₈₉"].entries()) signs[c] = `$_${i}$`;
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi o pi rho . sigma tau upsilon phi chi psi omega"
    .split(" ").forEach((name, i) => { if (name.length > 1) signs[String.fromCharCode(0x3B1 + i)] = `$\\${name}$`; });
  "Gamma 2 Delta 3 Theta 7 Lambda 10 Xi 13 Pi 15 Sigma 18 Phi 21 Psi 23 Omega 24"
    .replace(/(\w+) (\d+)/g, (_, name, i) => { signs[String.fromCharCode(0x391 + +i)] = `$\\${name}$`; });
  const tex = (text) => [...text].map((c) => signs[c] ?? c).join("");

  // latex is a picture as a float of a paper, with the link and the fingerprint. It wants the
  // picture as a PDF of the same name as its SVG.
  function latex(page) {
    const two = page.size === "two", env = two ? "figure*" : "figure", name = page.name;
    const chinese = han.test(page.caption) ? "% Chinese: compile with XeLaTeX or LuaLaTeX, and \\usepackage{ctex}\n" : "";
    const link = page.link.replace(/[\\{} ]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
    return `% In the preamble: \\usepackage{graphicx,url}\n${chinese}` +
      `% PDF of the SVG: inkscape ${name}.svg --export-filename=${name}.pdf\n` +
      `\\urldef{\\flockscopelink}\\url{${link}}\n` +
      `\\begin{${env}}\n  \\centering\n  \\includegraphics[width=\\${two ? "text" : "column"}width]{${name}}\n` +
      `  \\caption[${tex(page.title).replace(/[[\]]/g, "{$&}")}]{${tex(page.caption)} \\flockscopelink}\n` +
      `  \\label{fig:${name}}\n\\end{${env}}\n`;
  }

  async function make(format, page) {
    if (format === "tex") return { type: "application/x-tex", data: latex(page) };
    await letters();
    const { svg, width, height, pixels } = picture(page);
    if (format === "svg") return { type: "image/svg+xml", data: svg };
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(pixels), height: Math.round(height * pixels / width) });
    const context = canvas.getContext("2d");
    context.fillStyle = page.palette[PAPER]; // where the picture ends within a pixel
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => canvas.toBlob(done));
    return { type: "image/png", data: await blob.arrayBuffer() };
  }

  globalThis.flockscopePaper = { make, picture, latex, read };
})();
