import { Relay } from "./relay.js";
import { setClock } from "./strings.js";
import { OUTPUT_LIMIT } from "./terminal.js";

const EVENTS = new Set(["state", "progress", "question", "answered", "output", "finished"]);

/** Returns an identifier with 128 random bits. */
function randomID() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An error from intentd or from the page. */
class RequestError extends Error {
  constructor(report) {
    super(report.message);
    this.code = report.code;
    this.hint = report.hint;
  }
}

/**
 * A client of intentd. When the connection is lost, it reconnects, repeats all unanswered requests, and follows its
 * runs from the last received event.
 */
export class Client extends EventTarget {
  #relay;
  #nextID = 2;
  #open = new Map();
  #isReady = false;
  #refusals = 0;
  #titles;
  /** The runs that this page follows, by identifier. */
  runs = new Map();
  state = "connecting";
  reason = "";

  constructor(openLink) {
    super();
    this.#relay = new Relay(openLink, {
      onOpen: () => this.#relay.sendFrame({ id: 1, type: "hello", protocolVersion: 1, software: "intentd page 1" }),
      onFrame: (message, blobs) => this.#receive(message, blobs),
      onClosed: () => this.#reconnect(),
      onRefused: (error) => this.#reconnect(error.message),
      isIdle: () => this.#open.size === 0,
      onReset: () => {
        this.#isReady = false;
        clearTimeout(this.retry);
      },
      onState: (state, reason) => {
        // A kept connection continues over the next link. A new one needs a hello first.
        if (state === "open" ? this.#isReady : state !== "connecting") this.#setState(state, reason);
      },
    });
    addEventListener("online", () => this.#relay.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#relay.hurry());
  }

  start() {
    this.#relay.start();
  }

  #setState(state, reason = "") {
    this.state = state;
    this.reason = reason;
    this.dispatchEvent(new Event("state"));
  }

  #reconnect(reason = "") {
    this.#isReady = false;
    this.#setState("waiting", reason);
    this.#refusals += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.#relay.openChannel(), Math.min(200 * this.#refusals, 3000));
  }

  /** Sends a request. Resolves with the answer, or rejects with a RequestError. */
  request(type, fields = {}, { files = [], onSent } = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#nextID++;
      const message = { ...fields, id, type, files: files.length || undefined };
      const entry = { message, files, onSent, resolve, reject };
      this.#open.set(id, entry);
      if (this.#isReady) this.#send(entry);
    });
  }

  #send({ message, files, onSent, reject }) {
    this.#relay.sendFrame(message, files, onSent).catch((error) => {
      this.#open.delete(message.id);
      reject(error);
    });
  }

  #ready() {
    this.#isReady = true;
    this.#refusals = 0;
    this.#titles = undefined;
    this.#setState("open");
    for (const entry of this.#open.values()) this.#send(entry);
    this.request("status").then(({ status }) => setClock(status.timeMilliseconds), () => {});
    for (const run of this.runs.values()) {
      if (!run.end) this.#watch(run, true);
    }
  }

  #watch(run, isReturn) {
    // Output from before is not repeated.
    run.isPartial = true;
    return this.request("watch", { run: run.id, isReturn, after: run.serial }).then((answer) => {
      run.app ??= answer.app;
      run.intent ??= answer.intent;
      if (answer.live) {
        run.title = answer.live.title;
        run.state ??= answer.live.state;
        run.live = answer.live;
      }
      this.#changed(run);
    });
  }

  #receive(message, blobs) {
    if (message.id === 1 && message.type === "hello") return this.#ready();
    if (EVENTS.has(message.type) && message.id === undefined) return this.#event(message, blobs);
    const entry = this.#open.get(message.id);
    if (!entry) return;
    this.#open.delete(message.id);
    if (message.type === "error") entry.reject(new RequestError(message.error));
    else entry.resolve({ ...message, blobs });
  }

  #event(message, blobs) {
    const run = this.#run(message.run);
    if (run.serial !== undefined && message.serial <= run.serial && !(message.type === "finished" && !run.end)) return;
    run.serial = message.serial;
    switch (message.type) {
      case "state":
        run.state = message.state;
        run.stopReason = message.reason;
        run.question = null;
        break;
      case "progress": run.progress = message.progress; break;
      case "question": run.question = message.question; break;
      case "answered": run.question = null; break;
      case "output":
        run.output += message.text;
        run.printed += message.text.length;
        if (run.output.length > 2 * OUTPUT_LIMIT) run.output = run.output.slice(-OUTPUT_LIMIT);
        break;
      case "finished":
        run.end = message;
        run.blobs = blobs;
        run.question = null;
        run.state = "ended";
        break;
    }
    this.#changed(run);
  }

  #run(id) {
    let run = this.runs.get(id);
    if (!run) {
      // Discard ended runs.
      for (const [old, { end }] of this.runs) if (this.runs.size >= 100 && end) this.runs.delete(old);
      // `printed`: the length of all output. Its end is `output`.
      run = { id, output: "", printed: 0 };
      this.runs.set(id, run);
    }
    return run;
  }

  #changed(run) {
    this.dispatchEvent(new CustomEvent("run", { detail: run }));
  }

  /** Starts a run that continues after the page is closed. */
  async perform(fields, options = {}) {
    const files = options.files ?? [];
    let first = 0;
    // A frame holds at most 16 files. intentd counts the files of preceding frames.
    while (files.length - first > 16) {
      await this.request("files", {}, { files: files.slice(first, first + 16), onSent: options.onSent });
      first += 16;
    }
    const request = { request: randomID(), onDisconnect: "continue", isInteractive: true, locale: localeName(), ...fields };
    const answer = await this.request("perform", request, { files: files.slice(first), onSent: options.onSent });
    const run = this.#run(answer.run);
    run.app = fields.app || run.app;
    run.intent = fields.intent || run.intent;
    return run;
  }

  /** Follows a run that another client started. */
  async follow(id) {
    const known = this.runs.get(id);
    if (known) return known;
    const run = this.#run(id);
    try {
      await this.#watch(run, false);
    } catch (error) {
      this.runs.delete(id);
      throw error;
    }
    return run;
  }

  /** Returns the apps. A list of more than 1 MiB omits catalogues. */
  async apps() {
    const { apps } = await this.request("list");
    return Promise.all(apps.map((app) => app.catalog || app.problem ? app
      : this.request("describe", { app: app.name }).then((answer) => answer.app, () => app)));
  }

  /** Returns the titles of the intents, by `APP/INTENT`. */
  titles() {
    this.#titles ??= this.apps().then((apps) => new Map(apps.flatMap((app) =>
      (app.catalog?.intents ?? []).map((intent) => [`${app.name}/${intent.name}`, intent.title]))), () => new Map());
    return this.#titles;
  }

  /** Asks the app for the options of a parameter. */
  async options(app, intent, query, values) {
    const run = await this.perform({ app, intent, query, values, isInteractive: true });
    const end = await this.ended(run);
    this.runs.delete(run.id);
    if (end.outcome.kind !== "done") throw new RequestError({ code: end.outcome.kind, message: end.outcome.message ?? end.outcome.kind });
    return (end.outcome.value ?? []).map((item) => item.object ?? item);
  }

  ended(run) {
    return new Promise((resolve) => {
      const check = () => {
        if (!run.end) return;
        this.removeEventListener("run", check);
        resolve(run.end);
      };
      this.addEventListener("run", check);
      check();
    });
  }

  /** Fetches the files of a run's result. */
  async fetchFiles(run) {
    if (run.blobs?.length) return run.blobs;
    const blobs = [];
    for (;;) {
      const answer = await this.request("fetch", { run: run.id, from: blobs.length });
      blobs.push(...answer.blobs);
      if (blobs.length >= answer.totalCount || answer.blobs.length === 0) return blobs;
    }
  }
}

function localeName() {
  const name = document.documentElement.lang === "de" && !navigator.language.startsWith("de") ? "de_DE" : navigator.language.replace(/[@.].*/, "").replace("-", "_");
  return `${name}.UTF-8`.slice(0, 64);
}
