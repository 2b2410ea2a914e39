// paint.js draws a display list on a canvas. The operations and their coding
// are documented in sim/draw/scene/ops.go, and nowhere else; the outlines and dash
// patterns below repeat shape.go and list.go, and a Go test compares them.
//
//	flockscopePaint(canvas, bytes, palette, width, height, devicePixelRatio, ground, stays)
//
// bytes is a Uint8Array, palette an array of CSS colours by index, width and
// height are CSS pixels. What the first ground bytes paint, if any, is kept beside
// the canvas; if it stays, it is unchanged since the last call, and the copy is used.
// An unknown operation throws.
(() => {
  "use strict";

  const family = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
  const anchors = ["start", "center", "end"];
  const dashes = [[], [6, 3], [2, 2], [8, 2, 2, 2], [3, 3]];

  // ring returns n corners, alternating between two radii.
  const ring = (n, even, odd, from) => Array.from({ length: n }, (_, i) => {
    const angle = (from + i * 360 / n) * Math.PI / 180, radius = i % 2 ? odd : even;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const a = 1.25, b = 0.38;
  const shapes = [
    null, // the circle
    ring(4, 1.253, 1.253, 45),
    ring(4, 1.253, 1.253, 0),
    ring(3, 1.45, 1.45, -90),
    ring(3, 1.45, 1.45, 90),
    [[-b, -a], [b, -a], [b, -b], [a, -b], [a, b], [b, b], [b, a], [-b, a], [-b, b], [-a, b], [-a, -b], [-b, -b]],
    ring(10, 1.6, 0.66, -90),
    ring(6, 1.1, 1.1, 0),
    [[-1.153, -0.615], [-0.615, -1.153], [0, -0.537], [0.615, -1.153], [1.153, -0.615], [0.537, 0],
      [1.153, 0.615], [0.615, 1.153], [0, 0.537], [-0.615, 1.153], [-1.153, 0.615], [-0.537, 0]],
    [[-1.1, -1.4], [1.1, -1.4], [0.2, 0], [1.1, 1.4], [-1.1, 1.4], [-0.2, 0]],
    ring(3, 1.45, 1.45, 0),
    ring(3, 1.45, 1.45, 180),
    [[-1.4, -1.1], [0, -0.2], [1.4, -1.1], [1.4, 1.1], [0, 0.2], [-1.4, 1.1]],
    [[-1.6, -0.5], [1.6, -0.5], [1.6, 0.5], [-1.6, 0.5]],
    [[-0.5, -1.6], [0.5, -1.6], [0.5, 1.6], [-0.5, 1.6]],
    ring(8, 1.75, 0.62, -90),
    [[-1.4, -1.6], [-0.5, -0.8], [0.5, -0.8], [1.4, -1.6], [1.05, 0.5], [0, 1.4], [-1.05, 0.5]],
  ];
  const utf8 = new TextDecoder();
  const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const grounds = new WeakMap(); // a canvas beside each that keeps its ground
  let easel = null; // rasters are laid out here, pixel by pixel, before they are stretched

  function keep(canvas) {
    const ground = grounds.get(canvas) || document.createElement("canvas");
    ground.width = canvas.width;
    ground.height = canvas.height;
    ground.getContext("2d").drawImage(canvas, 0, 0);
    grounds.set(canvas, ground);
  }

  function paint(canvas, bytes, palette, width, height, ratio, ground = 0, stays = false) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const context = canvas.getContext("2d");
    const w = Math.round(width * ratio), h = Math.round(height * ratio);
    // Setting a canvas's size discards its memory even if the size is the same.
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;

    let at = 0;
    const u8 = () => view.getUint8(at++);
    const u16 = () => { at += 2; return view.getUint16(at - 2, true); };
    const f32 = () => { at += 4; return view.getFloat32(at - 4, true); };

    function corners() {
      for (let n = u16(), i = 0; i < n; i++) {
        const x = f32(), y = f32();
        if (i) context.lineTo(x, y); else context.moveTo(x, y);
      }
    }

    // Areas without an outline stay open, since they are filled alike: Blink's closePath takes time in proportion to
    // the path so far, and a path has up to thousands of marks.
    function mark(shape, outlined) {
      const x = f32(), y = f32(), r = f32();
      if (shape === null) {
        context.moveTo(x + r, y);
        context.arc(x, y, r, 0, 2 * Math.PI);
        return;
      }
      shape.forEach(([dx, dy], i) => {
        if (i) context.lineTo(x + r * dx, y + r * dy); else context.moveTo(x + r * dx, y + r * dy);
      });
      if (outlined) context.closePath();
    }

    function ellipse() {
      const x = f32(), y = f32(), rx = f32(), ry = f32(), angle = f32();
      context.moveTo(x + rx * Math.cos(angle), y + rx * Math.sin(angle));
      context.ellipse(x, y, rx, ry, angle, 0, 2 * Math.PI);
    }

    function text() {
      const x = f32(), y = f32(), size = f32(), n = u16();
      const font = `${weight} ${size}px ${family}`;
      if (font !== lastFont) context.font = lastFont = font;
      context.fillText(utf8.decode(bytes.subarray(at, at + n)), x, y);
      at += n;
    }

    function image(colours, bright, dark) {
      const x = f32(), y = f32(), w = f32(), h = f32(), columns = u16(), rows = u16();
      const picture = context.createImageData(columns, rows), out = picture.data;
      for (let i = 0; i < out.length; i += 4) {
        const v = bytes[at] / 255;
        for (let c = 0; c < 3; c++) out[i + c] = dark ? dark[c] + v * (bright[c] - dark[c]) : bytes[at + c];
        out[i + 3] = 255;
        at += colours;
      }
      easel ||= document.createElement("canvas");
      easel.width = columns;
      easel.height = rows;
      easel.getContext("2d").putImageData(picture, 0, 0);
      context.imageSmoothingEnabled = w * ratio < 2 * columns; // else pixels stay squares
      context.imageSmoothingQuality = "high";
      context.drawImage(easel, x, y, w, h);
    }

    let weight = 400, lastFont = "", clips = 0, opacity = 1;
    context.globalAlpha = 1;
    context.resetTransform();
    context.clearRect(0, 0, w, h);
    if (stays) {
      context.drawImage(grounds.get(canvas), 0, 0);
      at = ground;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.textBaseline = "alphabetic";

    try {
      while (at < bytes.length) {
        if (ground && at === ground && !stays) keep(canvas);
        const code = u8(), kind = u8(), fill = u16(), stroke = u16(), lineWidth = f32(), count = u16();
        if (code < 1 || code > 10) throw new Error(`paint.js: unknown operation ${code}`);
        if (code === 7) {
          context.save();
          context.beginPath();
          context.rect(f32(), f32(), f32(), f32());
          context.clip();
          clips++;
          continue;
        }
        if (code === 8) {
          context.restore();
          clips--;
          context.globalAlpha = opacity; // a fade outlives the clip it began in
          lastFont = "";
          continue;
        }
        if (code === 9) {
          context.globalAlpha = opacity = f32();
          continue;
        }
        if (code === 10) {
          const [bright, dark] = [fill, stroke].map((c) => c && channels(palette[c]));
          for (let i = 0; i < count; i++) image(kind, bright, dark);
          continue;
        }
        if (fill) context.fillStyle = palette[fill];
        if (code === 6) {
          weight = kind & 4 ? 600 : 400;
          context.textAlign = anchors[kind & 3];
          for (let i = 0; i < count; i++) text();
          continue;
        }
        context.beginPath();
        for (let i = 0; i < count; i++) {
          if (code === 1) mark(shapes[kind], stroke);
          else if (code === 4) context.rect(f32(), f32(), f32(), f32());
          else if (code === 5) ellipse();
          else {
            corners();
            if (code === 3 && stroke) context.closePath();
          }
        }
        if (fill) context.fill();
        if (stroke) {
          context.strokeStyle = palette[stroke];
          context.lineWidth = lineWidth;
          context.lineJoin = code === 1 ? "miter" : "round";
          context.setLineDash(code === 1 ? [] : dashes[kind]);
          context.stroke();
        }
      }
      if (at !== bytes.length) throw new Error("paint.js: the list ends early");
    } finally {
      for (; clips > 0; clips--) context.restore();
    }
  }

  globalThis.flockscopePaint = Object.assign(paint, { shapes, dashes });
})();
