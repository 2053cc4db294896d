// Streams that this browser can afford: it opens six connections to a server at most, for all its pages together.
// A page that nobody sees gives its stream up, and of those that are seen only the newest keep theirs; the others ask now and then.
(() => {
  "use strict";
  const MOST = 4; // two connections stay free for pages and pictures
  const BEAT_MS = 4000;
  const GONE_MS = 10000; // a page that says nothing for so long was closed
  const pages = globalThis.BroadcastChannel && new BroadcastChannel("streams");
  const others = new Map(); // the open streams of other pages: since when, and when that was heard last
  const streams = new Set();

  // An EventSource that can rest: to its page that is a stream that broke and is being opened again.
  class Stream extends EventTarget {
    #id = Math.random().toString(36).slice(2);
    #source = null;
    #since = 0; // when it was opened, or its page looked at; 0 while it rests
    #types = new Set();
    #closed = false;

    constructor(url) {
      super();
      this.url = url;
      streams.add(this);
      this.choose();
    }
    get readyState() { return this.#closed ? EventSource.CLOSED : this.#source?.readyState ?? EventSource.CONNECTING; }
    addEventListener(type, ...how) {
      super.addEventListener(type, ...how);
      if (!this.#types.has(type)) this.#source?.addEventListener(type, this.#pass);
      this.#types.add(type);
    }
    // Opens the stream or lets it rest, as this page is seen and as many newer ones are open.
    choose() {
      // Of two that were opened in the same moment the one with the higher name is newer.
      const newer = [...others].filter(([id, { since }]) => since > this.#since || (since && since === this.#since && id > this.#id)).length;
      const wanted = !this.#closed && !document.hidden && newer < MOST;
      if (wanted && !this.#source) this.#open();
      else if (!wanted && this.#source) this.#rest();
    }
    tell(since = this.#since) { pages?.postMessage({ id: this.#id, since }); }
    // Makes this stream the newest of the browser, as somebody looks at its page.
    renew() {
      if (document.hidden) return;
      if (!this.#source) return this.#open();
      this.#since = Date.now();
      this.tell();
    }
    close() {
      this.#closed = true;
      streams.delete(this);
      this.choose();
    }
    #open() {
      this.#since = Date.now();
      this.tell();
      this.#source = new EventSource(this.url, { withCredentials: true });
      this.#source.onopen = (event) => this.onopen?.(event);
      this.#source.onerror = (event) => this.onerror?.(event);
      for (const type of this.#types) this.#source.addEventListener(type, this.#pass);
    }
    #rest() {
      this.#source.close();
      this.#source = null;
      this.#since = 0;
      this.tell();
      if (!this.#closed) this.onerror?.(new Event("error"));
    }
    #pass = ({ type, data, lastEventId }) => this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
  }

  const each = (act) => () => streams.forEach(act);
  const choose = each((stream) => stream.choose());
  const tell = each((stream) => stream.tell());
  pages?.addEventListener("message", ({ data: { id, since } }) => {
    if (since) others.set(id, { since, heard: Date.now() });
    else others.delete(id);
    choose();
  });
  setInterval(() => {
    for (const [id, { heard }] of others) if (Date.now() - heard > GONE_MS) others.delete(id);
    tell();
    choose();
  }, BEAT_MS);
  document.addEventListener("visibilitychange", choose);
  window.addEventListener("focus", each((stream) => stream.renew()));
  window.addEventListener("pagehide", each((stream) => stream.tell(0)));
  htmx.createEventSource = (url) => new Stream(url);
})();
