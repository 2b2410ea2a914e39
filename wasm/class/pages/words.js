// words.js says things in the language of the browser, English or Chinese, as the main page does.

const query = new URLSearchParams(location.search);
const lang = [query.get("lang"), navigator.language].map((tag) => tag?.match(/^(en|zh)(?:[-_]|$)/i)?.[1]).find(Boolean);

export const chinese = lang?.toLowerCase() === "zh";
export const say = (english, own) => (chinese ? own : english);
document.documentElement.lang = chinese ? "zh-Hans" : "en";

// Texts of the HTML are English; data-zh has the Chinese.
if (chinese) for (const e of document.querySelectorAll("[data-zh]")) e.textContent = e.dataset.zh;

// noClass is the code with which the server closes a WebSocket when there is no such class any more.
export const noClass = 4001;

// why says why the server has closed a WebSocket for good; undefined if the page should connect again. See ../link.go.
export function why(code) {
  return {
    [noClass]: say("The class is over, or its code is wrong.", "课堂已经结束，或者代码不对。"),
    4003: say("The class is full.", "课堂已满。"),
    4004: say("This is not the teacher’s link. Open the whole link, with all that follows the #.",
      "这不是教师链接。请打开完整的链接，包括 # 后面的部分。"),
    4005: say("The class is open in another tab of this phone.", "本机的另一个标签页已打开该课堂。"),
    4006: say("The server has closed the connection after too many unusable messages. Reload to join again.",
      "服务器收到过多无法使用的消息，已断开连接。重新加载即可再次加入。"),
    4007: say("The class has forgotten this phone.", "课堂已删除本机的记录。"),
  }[code];
}

// idea says what a method does, in a few words; "" for methods that only the line of settings has.
export const idea = (title) => ({
  "CFL-GP": say("groups phones by their updates, a model per group", "按更新给手机分组，每组一个模型"),
  FedAvg: say("one model for everybody", "所有人共用一个模型"),
  IFCA: say("each phone takes the model that suits it best", "每部手机选最适合自己的模型"),
  CLoVE: say("groups phones by their losses, a model per group", "按损失给手机分组，每组一个模型"),
  CFL: say("splits the class where updates disagree", "在更新相互矛盾处拆分全班"),
  StoCFL: say("merges phones whose updates are alike", "合并更新相似的手机"),
}[title] ?? "");

// connect keeps a WebSocket open: hello() is its first message, hear(data) gets what arrives, lost(text) is told when it is
// closed, with a reason and the code if that is for good, and "" otherwise; then it connects again, at once when the page comes to the
// foreground.
export function connect(path, hello, hear, lost) {
  let socket, timer, tries = 0, done = false;
  const open = () => {
    clearTimeout(timer);
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify(hello()));
    socket.onmessage = ({ data }) => {
      tries = 0;
      hear(typeof data === "string" ? JSON.parse(data) : data);
    };
    socket.onclose = ({ code }) => {
      const reason = why(code);
      done ||= Boolean(reason);
      lost(reason ?? "", code);
      if (!done) timer = setTimeout(open, Math.min(8000, 300 * 2 ** tries++) * (0.5 + Math.random()));
    };
  };
  const back = () => {
    if (document.visibilityState !== "visible" || done) return;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "here" }));
    else if (socket.readyState === WebSocket.CLOSED) open();
  };
  document.addEventListener("visibilitychange", back);
  addEventListener("online", back);
  open();
  return {
    send(data) { if (socket.readyState === WebSocket.OPEN) socket.send(data instanceof Uint8Array ? data : JSON.stringify(data)); },
    close() {
      done = true;
      socket.close();
    },
  };
}

// refill fills an element anew if what it shows has changed: a button that is replaced while it is pressed does nothing.
export function refill(e, shows, make) {
  const now = JSON.stringify(shows);
  if (e.shows === now) return;
  e.shows = now;
  e.replaceChildren(...make());
}

// pixels paints side × side numbers from 0 (paper) to 1 (ink) on a canvas; negative ones, of which only updates have some,
// in the colour of the second model.
export function pixels(canvas, values, side) {
  canvas.width = canvas.height = side;
  const image = new ImageData(side, side);
  values.forEach((v, i) => image.data.set(v < 0 ? [198, 130, 6, -255 * v] : [27, 31, 36, 255 * v], 4 * i));
  canvas.getContext("2d").putImageData(image, 0, 0);
}
