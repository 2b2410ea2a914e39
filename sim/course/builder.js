// builder.js makes packages of courses in the browser, the same as flock course (course.go), from the site that it is part
// of. parts.json has what both share.
(() => {
  "use strict";

  const encoder = new TextEncoder();

  async function compressed(bytes, format) {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream(format));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const escape = (text) => text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&#34;", "'": "&#39;" })[c]);

  // json returns JSON that can stand in a script element.
  const json = (value) => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

  // filesOf returns the files of a course as a map of bytes by name, in the order of the package. read(name) returns the
  // bytes of a file of the site.
  async function filesOf(parts, o, read) {
    const words = parts.words[o.lang || "en"];
    const lessons = o.lessons.map((n) => parts.lessons.find((l) => l.number === n));
    const names = lessons.map((l) => (o.lang === "zh" ? l.zh : l.title));
    const title = o.title || words.title, about = words.about + names.join("; ") + ".";
    const values = {
      TITLE: escape(title), ABOUT: escape(about), LANG: words.lang, ID: ["flockscope", ...o.lessons].join("-"), LICENCE: escape(words.licence),
      COURSE: json({ scorm: o.scorm, lang: o.lang, pass: o.pass, lessons }),
      RESOURCE: json(sorted({ ...parts.resource, name: title, description: about, inLanguage: words.lang, teaches: names })),
    };
    const fill = (name) => encoder.encode(parts.filled[name].replace(/\{([A-Z]+)\}/g, (place, key) => values[key] ?? place));
    const files = new Map(Object.entries(parts.texts).map(([name, text]) => [name, encoder.encode(text)]));
    files.set("course.html", fill("course.html"));
    await Promise.all(parts.copied.map(async ({ name, from, packed }) => {
      const bytes = await read(from);
      files.set(name, packed ? await compressed(bytes, "gzip") : bytes);
    }));
    const order = [...files.keys()].sort();
    values.FILES = order.map((name) => `\n      <file href="${escape(name)}"/>`).join("");
    return new Map([["imsmanifest.xml", fill(`manifest-${o.scorm}.xml`)], ...order.map((name) => [name, files.get(name)])]);
  }

  const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xEDB88320 ^ n >>> 1 : n >>> 1;
    return n;
  });
  function crc32(bytes) {
    let crc = ~0;
    for (const b of bytes) crc = crcTable[(crc ^ b) & 255] ^ crc >>> 8;
    return ~crc >>> 0;
  }

  // zip returns the parts of a ZIP file (APPNOTE 4.3) with files, which must be less than 4 GB and have names in ASCII.
  async function zip(files) {
    const out = [], directory = [];
    let at = 0;
    const put = (list, ...fields) => { // pairs of a size in bytes and a number
      const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
      let to = 0;
      for (const [size, n] of fields) {
        if (size === 2) view.setUint16(to, n, true);
        else view.setUint32(to, n, true);
        to += size;
      }
      list.push(bytes);
      return bytes.length;
    };
    for (const [name, bytes] of files) {
      const stored = /\.(bin|png|woff2)$/.test(name); // compressed already
      const data = stored ? bytes : await compressed(bytes, "deflate-raw");
      // Version 2.0, no flags, method, time and date (1 January 1980), sum, sizes, lengths of the name and of nothing.
      const head = [[2, 20], [2, 0], [2, stored ? 0 : 8], [2, 0], [2, 33], [4, crc32(bytes)], [4, data.length], [4, bytes.length], [2, name.length], [2, 0]];
      put(directory, [4, 0x02014b50], [2, 20], ...head, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]);
      directory.push(encoder.encode(name));
      at += put(out, [4, 0x04034b50], ...head) + name.length + data.length;
      out.push(encoder.encode(name), data);
    }
    const size = directory.reduce((sum, part) => sum + part.length, 0);
    const end = [];
    put(end, [4, 0x06054b50], [2, 0], [2, 0], [2, files.size], [2, files.size], [4, size], [4, at], [2, 0]);
    return [...out, ...directory, ...end];
  }

  globalThis.flockscopeCourse = { filesOf, zip };
  if (typeof document === "undefined") return; // a test

  const lang = new URLSearchParams(location.search).get("lang") ?? navigator.language;
  const chinese = lang.toLowerCase().startsWith("zh");
  const say = (english, own) => (chinese ? own : english);
  const byID = (id) => document.getElementById(id);
  document.documentElement.lang = chinese ? "zh-Hans" : "en";
  for (const e of document.querySelectorAll("[data-zh]")) if (chinese) e.textContent = e.dataset.zh;

  const status = (text) => { byID("status").textContent = text; };
  const site = (name) => new URL("../" + name, document.baseURI);
  async function read(name) {
    const answer = await fetch(site(name));
    if (!answer.ok) throw new Error(say(`the server answered ${answer.status} for ${name}`, `服务器对 ${name} 回答 ${answer.status}`));
    return new Uint8Array(await answer.arrayBuffer());
  }

  async function start() {
    const parts = JSON.parse(new TextDecoder().decode(await read("course/parts.json")));
    const titleOf = (n) => parts.lessons.filter((l) => l.number === n).map((l) => `${l.number} · ${(chinese && l.zh) || l.title}`)[0];
    // order has the chosen lessons; those that are not chosen follow by number.
    let order = [];
    function render(focus) {
      const rest = parts.lessons.map((l) => l.number).filter((n) => !order.includes(n));
      byID("lessons").replaceChildren(...[...order, ...rest].map((n) => {
        const item = document.createElement("li"), label = document.createElement("label"), box = document.createElement("input");
        box.type = "checkbox";
        box.id = `lesson-${n}`;
        box.checked = order.includes(n);
        box.addEventListener("change", () => {
          order = box.checked ? [...order, n] : order.filter((other) => other !== n);
          render(box.id);
        });
        label.append(box, " ", titleOf(n));
        item.append(label);
        return item;
      }));
      if (focus) byID(focus).focus();
      byID("make").disabled = order.length === 0;
    }
    render();
    byID("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      byID("make").disabled = true;
      status(say("Collecting the files of the page …", "正在收集页面的文件……"));
      try {
        const o = { lessons: order, scorm: byID("scorm").value, title: byID("title").value.trim(), lang: byID("lang").value, pass: Number(byID("pass").value) };
        const blob = new Blob(await zip(await filesOf(parts, o, read)), { type: "application/zip" });
        const link = document.createElement("a"), address = URL.createObjectURL(blob);
        link.href = address;
        link.download = `flockscope-${order.join("-")}-scorm-${o.scorm}.zip`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 60000);
        status(say(`${link.download}, ${(blob.size / 1e6).toFixed(1)} MB. Upload it to your platform as a SCORM package.`,
          `${link.download}，${(blob.size / 1e6).toFixed(1)} MB。请作为 SCORM 包上传到您的平台。`));
      } catch (error) {
        status(say(`The package could not be made: ${error.message}. Check the connection and try again.`, `无法制作课程包：${error.message}。请检查网络后重试。`));
      }
      byID("make").disabled = order.length === 0;
    });
  }

  start().catch((error) => status(say(`The lessons could not be loaded: ${error.message}. Reload the page.`, `无法加载课程：${error.message}。请重新加载页面。`)));
})();
