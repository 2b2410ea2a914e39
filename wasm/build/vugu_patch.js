// These functions replace direct writes in Vugu's render script; each writes
// only what differs from what the page shows already.

// The policy style-src 'self' forbids a style attribute set as text, but not
// the same text set through the style object. The browser rewrites such text
// in its own form, so what was asked for is kept beside the element.
function setStyle(el, text) {
  if (el.vuguStyle === text && el.hasAttribute("style")) return;
  el.style.cssText = text;
  el.vuguStyle = text;
}

function setAttribute(el, name, value) {
  if (name === "style") setStyle(el, value);
  else if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

function setAttributeNS(el, space, name, value) {
  if (name === "style") setStyle(el, value);
  else if (el.getAttributeNS(space, name.replace(/^.*:/, "")) !== value) el.setAttributeNS(space, name, value);
}

// Writing a field's value again, the same, would move its caret.
function setProperty(el, name, value) {
  if (el[name] !== value) el[name] = value;
}

// A canvas has its size from whoever draws on it. Taking that away, as Vugu does
// with every attribute it did not write, would wipe the picture.
function isOwn(el, name) {
  return el.nodeName === "CANVAS" && (name === "width" || name === "height" || name === "style");
}

function setText(node, text) {
  if (node.data !== text) node.data = text;
}

// Most of what is set as HTML is a few words, which need no parser.
function setHTML(el, html) {
  const first = el.firstChild;
  if (/[<&]/.test(html)) setMarkup(el, html);
  else if (!first || first.nextSibling || first.nodeType !== Node.TEXT_NODE) el.textContent = html;
  else setText(first, html);
}

// The browser also rewrites HTML, so both what was asked for and what came of
// it are kept; only if both still hold is there nothing to do.
function setMarkup(el, html) {
  if (el.vuguHTML === html && el.vuguShown === el.innerHTML) return;
  el.innerHTML = html;
  el.vuguHTML = html;
  el.vuguShown = el.innerHTML;
}


// A decoder takes longer to be called than to read what most of these texts are:
// names and values of attributes, a few letters of ASCII each.
const decoder = new TextDecoder();

function readText(view, at, length) {
  let text = "";
  for (let i = 0; length <= 48; i++) {
    if (i === length) return text;
    const letter = view.getUint8(at + i);
    if (letter > 127) break;
    text += String.fromCharCode(letter);
  }
  return decoder.decode(new DataView(view.buffer, view.byteOffset + at, length));
}
