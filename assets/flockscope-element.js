// <flock-scope query="dphi=8&t=14" controls="play,dphi" height="auto"></flock-scope>
// wraps a frame with Flockscope; ui/EMBEDDING.md says what it takes, tells and does.
(() => {
  "use strict";
  const home = new URL("..", document.currentScript.src);
  const keys = ["controls", "hide", "lanes", "autoplay", "loop", "theme", "keys", "id"];

  customElements.define("flock-scope", class extends HTMLElement {
    static observedAttributes = ["query", "title", "height", ...keys];
    #frame = null;

    connectedCallback() {
      const frame = this.#frame = document.createElement("iframe");
      frame.loading = "lazy";
      frame.allow = "fullscreen; clipboard-write";
      frame.allowFullscreen = true;
      frame.sandbox = "allow-scripts allow-same-origin allow-downloads allow-popups";
      Object.assign(frame.style, { display: "block", width: "100%", height: "100%", border: "0" });
      this.style.display ||= "block";
      (this.shadowRoot ?? this.attachShadow({ mode: "open" })).replaceChildren(frame);
      addEventListener("message", this);
      this.#size(450);
      this.#load();
    }

    disconnectedCallback() {
      removeEventListener("message", this);
      this.#frame = null;
    }

    attributeChangedCallback(name, before, after) {
      if (!this.#frame || before === after) return;
      if (name === "height") this.#size(450);
      else this.#load();
    }

    #size(px) {
      const height = this.getAttribute("height") ?? "450";
      this.style.height = (height === "auto" ? px : parseInt(height, 10)) + "px";
    }

    #load() {
      const query = new URLSearchParams(this.getAttribute("query") ?? "");
      query.set("embed", "1");
      if (location.origin !== "null") query.set("origin", location.origin);
      for (const key of keys) if (this.hasAttribute(key)) query.set(key, this.getAttribute(key) || "1");
      this.#frame.title = this.title || "Flockscope";
      const src = new URL(home);
      src.search = query;
      if (this.#frame.src !== src.href) this.#frame.src = src.href;
    }

    handleEvent({ source, origin, data }) {
      if (source !== this.#frame.contentWindow || origin !== home.origin || typeof data?.type !== "string" || !data.type.startsWith("flockscope/")) return;
      if (data.type === "flockscope/height" && this.getAttribute("height") === "auto") this.#size(data.px);
      this.dispatchEvent(new CustomEvent(data.type.replace("/", "-"), { detail: data }));
    }

    say(type, more) { this.#frame.contentWindow.postMessage({ ...more, type: "flockscope/" + type }, home.origin); }
    set(params) { this.say("set", { params }); }
    play() { this.say("play"); }
    pause() { this.say("pause"); }
    seek(t) { this.say("seek", { t }); }
    step(by = 1) { this.say("step", { by }); }
  });
})();
