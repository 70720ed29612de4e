// In the pages of a browser without a server, sockets lead to the house of this browser. This file stands before htmx, in the
// same file. It also sees to downloads and to links that lead elsewhere, since pages stand in a frame here.
(() => {
  const folder = new URL("../../", document.currentScript.src);
  const channel = new BroadcastChannel(`quintain ${folder.pathname}`);

  class HouseSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    readyState = 0;
    bufferedAmount = 0;
    binaryType = "blob";

    constructor(url) {
      super();
      this.url = String(new URL(url, location.href));
      this.key = crypto.randomUUID();
      this.hear = ({data}) => {
        if (data.ready && data.isNew) this.end(1006);
        if (data.socket !== this.key) return;
        if (data.open) { this.readyState = 1; this.tell(new Event("open")); }
        if (data.html !== undefined) this.tell(new MessageEvent("message", {data: data.html}));
        if (data.isOver) this.end(1000);
      };
      channel.addEventListener("message", this.hear);
      addEventListener("pagehide", () => this.close());
      const {pathname} = new URL(this.url);
      setTimeout(() => channel.postMessage({connect: this.key, path: pathname}), 0);
    }

    tell(event) {
      this[`on${event.type}`]?.(event);
      this.dispatchEvent(event);
    }

    send() { throw new DOMException("This socket takes no messages", "InvalidStateError"); }

    close(code = 1000) {
      if (this.readyState > 1) return;
      channel.postMessage({disconnect: this.key});
      this.end(code);
    }

    end(code) {
      if (this.readyState > 2) return;
      this.readyState = 3;
      channel.removeEventListener("message", this.hear);
      this.tell(new CloseEvent("close", {code}));
    }
  }
  window.WebSocket = HouseSocket;

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    if (link.origin !== location.origin) { link.target = "_blank"; link.rel = "noopener"; return; }
    if (!link.hasAttribute("download") || link.protocol === "blob:") return;
    event.preventDefault();
    const answer = await fetch(link.href);
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "quintain.json";
    const saved = Object.assign(document.createElement("a"), {href: URL.createObjectURL(await answer.blob()), download: name});
    document.body.append(saved);
    saved.click();
    saved.remove();
  });
})();
