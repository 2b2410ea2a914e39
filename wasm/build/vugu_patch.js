// Functions that Vugu's render script calls instead of writing to the document; see VUGU.md.

// The browser rewrites the text of a style, so the text that was set is stored with the element.
function setAttribute(el, name, value, space) {
  if (name === "style") {
    if (el.vuguStyle !== value || !el.hasAttribute(name)) el.style.cssText = el.vuguStyle = value;
  } else if (el.getAttribute(name) !== value) {
    if (space === undefined) el.setAttribute(name, value);
    else el.setAttributeNS(space, name, value);
  }
}

function isCanvasSize(el, name) {
  return el.nodeName === "CANVAS" && (name === "width" || name === "height" || name === "style");
}

function setText(node, text) {
  if (node.data !== text) node.data = text;
}
