// The two transports to a relay: HTTP and Cockpit. A link has `send(bytes)` and `close()`, and calls `onBytes(bytes)`
// and `onClose(reason)`.

import { t } from "./strings.js";

const KEY = "intentd.key";
/** Locks of tabs, because a browser opens at most six connections to a server, and a link keeps one. */
const LOCKS = [1, 2, 3, 4].map((number) => `intentd.link.${number}`);
/** Asks the tabs in the background for their links. */
const crowd = new BroadcastChannel("intentd.links");

/** Reads the key from the address after the redirect, and stores it for this origin. */
function takeKey() {
  const match = /^#key=([0-9a-f]{32})$/.exec(location.hash);
  if (match) {
    localStorage.setItem(KEY, match[1]);
    history.replaceState(null, "", location.pathname + "#/");
  }
}

/** A link over HTTP. Receives Server-Sent Events, and sends numbered POST requests. */
class WebLink {
  #name = null;
  #serial = 0;
  #waiting = [];
  #isSending = false;
  #isClosed = false;
  #abort = new AbortController();
  #key = localStorage.getItem(KEY) ?? "";

  constructor(handlers) {
    this.handlers = handlers;
    crowd.addEventListener("message", () => document.hidden && handlers.isIdle() && this.close({ isResting: true }), { signal: this.#abort.signal });
    addEventListener("pagehide", () => this.close(), { signal: this.#abort.signal });
    this.#begin();
  }

  send(bytes) {
    this.#waiting.push(bytes);
    this.#flush();
  }

  close(reason = {}) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    // An empty part tells the server, which does not notice a closed connection until it writes.
    if (this.#name) fetch(`/link/${this.#name}/0`, { method: "POST", headers: { "X-Intentd-Key": this.#key }, keepalive: true }).catch(() => {});
    this.handlers.onClose(reason);
  }

  async #begin() {
    const { held } = await navigator.locks.query();
    const free = LOCKS.find((name) => !held.some((lock) => lock.name === name));
    if (free && await navigator.locks.request(free, { ifAvailable: true }, (lock) => lock && this.#receive().then(() => true))) return;
    crowd.postMessage("");
    this.close({ message: t("manyTabs") });
  }

  async #receive() {
    try {
      const answer = await fetch("/link", {
        headers: { "X-Intentd-Key": this.#key }, cache: "no-store", signal: this.#abort.signal,
      });
      if (!answer.ok) return this.close({ message: (await answer.text()).trim(), isFinal: answer.status === 403 });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        let end;
        while ((end = text.indexOf("\n\n")) >= 0) {
          this.#event(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch {
      // Scripts cannot determine the reason for a network failure.
    }
    this.close();
  }

  #event(text) {
    if (this.#isClosed) return;
    const { event, data = "" } = Object.fromEntries(text.split("\n").map((line) => line.split(": ")));
    if (event === "link") {
      this.#name = data;
      this.#flush();
    } else {
      const binary = atob(data);
      const bytes = new Uint8Array(binary.length);
      for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
      this.handlers.onBytes(bytes);
    }
  }

  async #flush() {
    if (this.#isSending || !this.#name || this.#isClosed || this.#waiting.length === 0) return;
    this.#isSending = true;
    const parts = [];
    let size = 0;
    while (this.#waiting.length && (size === 0 || size + this.#waiting[0].length <= 1 << 20)) {
      size += this.#waiting[0].length;
      parts.push(this.#waiting.shift());
    }
    try {
      const answer = await fetch(`/link/${this.#name}/${++this.#serial}`, {
        method: "POST", body: new Blob(parts), signal: this.#abort.signal,
        headers: { "X-Intentd-Key": this.#key, "Content-Type": "application/octet-stream" },
      });
      if (!answer.ok) return this.close({ message: (await answer.text()).trim() });
    } catch {
      return this.close();
    }
    this.#isSending = false;
    this.#flush();
  }
}

/** A link in Cockpit: the streams of `intentctl relay`, which runs as the user who logged in. */
class CockpitLink {
  #process;
  #isClosed = false;

  constructor(handlers, isOperator) {
    this.handlers = handlers;
    const options = { binary: true, err: "message" };
    if (isOperator) options.superuser = "require";
    this.#process = cockpit.spawn(["intentctl", "relay"], options);
    this.#process.stream((bytes) => handlers.onBytes(Uint8Array.from(bytes)));
    this.#process.then(() => this.close(), (error) => this.close({
      message: error.message, isFinal: ["not-found", "access-denied"].includes(error.problem),
    }));
  }

  send(bytes) {
    // Cockpit accepts blocks of at most 1 MiB.
    for (let start = 0; start < bytes.length; start += 512 << 10) {
      this.#process.input(bytes.subarray(start, start + (512 << 10)), true);
    }
  }

  close(reason = {}) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#process.close();
    this.handlers.onClose(reason);
  }
}

/** Detects Cockpit. Returns a function that opens a link, and one that fetches a host report. */
export async function findTransport() {
  if (!location.pathname.startsWith("/cockpit")) {
    takeKey();
    return { openLink: (handlers) => new WebLink(handlers), report: webReport };
  }
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "../base1/cockpit.js";
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  const permission = cockpit.permission({ admin: true });
  await new Promise((resolve) => {
    if (permission.allowed !== null) resolve();
    else permission.addEventListener("changed", resolve, { once: true });
  });
  return {
    openLink: (handlers) => new CockpitLink(handlers, permission.allowed === true),
    report: (name) => cockpitReport(name, permission.allowed === true),
  };
}

/** Fetches the output of an intentctl command: "doctor" or "schedules". */
async function webReport(name) {
  const answer = await fetch(`/report/${name}`, { headers: { "X-Intentd-Key": localStorage.getItem(KEY) ?? "" }, cache: "no-store" });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

async function cockpitReport(name, isOperator) {
  const words = { doctor: ["doctor"], schedules: ["schedule", "list"] }[name];
  const process = cockpit.spawn(["intentctl", ...words, "--output", "json"], { err: "ignore", superuser: isOperator ? "require" : null });
  let text = "";
  process.stream((part) => void (text += part));
  // Ignore the exit code, because the output also reports missing protections.
  await process.then(() => {}, () => {});
  return JSON.parse(text);
}
