import { parse, stringify } from "./json.js";
import { setClock } from "./strings.js";
import { OUTPUT_LIMIT } from "./terminal.js";

/** The size of one part of a file that is sent. */
const PART = 4 << 20;
/** The milliseconds after which a request without an answer shows that intentd does not answer. */
const SLOW = 5000;
/** The milliseconds between two checks of an open page. */
const CHECK = 20_000;

/** The routes of requests (APIRoute). Fields that are not in the path are in the query or in the body. */
const ROUTES = {
  status: ["GET", "status"],
  list: ["GET", "apps"],
  describe: ["GET", "apps/{app}"],
  perform: ["POST", "apps/{app}/intents/{intent}/runs"],
  runs: ["GET", "runs"],
  story: ["GET", "runs/{run}"],
  logs: ["GET", "runs/{run}/logs"],
  cancel: ["POST", "runs/{run}/cancel"],
  undo: ["POST", "runs/{run}/undo"],
  question: ["GET", "runs/{run}/question"],
  answer: ["POST", "runs/{run}/answer"],
  revoke: ["POST", "runs/{run}/revoke"],
  history: ["GET", "history"],
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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

/** Reads Server-Sent Events. Calls `use` with the fields of each. */
async function readEvents(response, use) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    let start = 0;
    for (let end; (end = text.indexOf("\n\n", start)) >= 0; start = end + 2) {
      const fields = Object.fromEntries(text.slice(start, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (fields.data) use(fields);
    }
    text = text.slice(start);
  }
}

/**
 * A client of the HTTP API. When the connection is lost, it waits, and repeats all requests that have no answer: each
 * has one effect, however often it arrives.
 */
export class Client extends EventTarget {
  #transport;
  #recovery = null;
  #hurry = () => {};
  #titles;
  /** The runs that this page knows, by identifier. */
  runs = new Map();
  state = "connecting";
  reason = "";

  constructor(transport) {
    super();
    this.#transport = transport;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  start() {
    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      await this.request("status").then(({ status }) => setClock(status.timeMilliseconds), () => {});
      isChecking = false;
    };
    check();
    setInterval(check, CHECK);
  }

  #setState(state, reason = "") {
    if (state === this.state && reason === this.reason) return;
    this.state = state;
    this.reason = reason;
    if (state === "open") this.#titles = undefined;
    this.dispatchEvent(new Event("state"));
  }

  // Requests

  /** Sends a request until it has an answer. Returns the response, or throws a RequestError. */
  async #call(method, path, { isQuick, ...options } = {}) {
    for (;;) {
      const slow = isQuick && setTimeout(() => this.state === "open" && this.#setState("waiting"), SLOW);
      try {
        const response = await this.#transport.send(method, path, options);
        const error = response.ok ? null : await this.#problem(response);
        if (error?.code === "tooManyRequests") {
          await pause(1000);
          continue;
        }
        if (error?.code !== "noDaemon") {
          if (error?.code !== "refused") this.#setState("open");
          if (error) throw error;
          return response;
        }
        this.#setState("waiting", error.message);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof RequestError) throw error;
        if (error.isFinal) throw this.#refuse(error.message);
        this.#setState("lost", error instanceof TypeError ? "" : error.message);
      } finally {
        clearTimeout(slow);
      }
      await (this.#recovery ??= this.#recover());
    }
  }

  /** Returns the error of a response. A refusal without a code concerns the page, not the request. */
  async #problem(response) {
    if (!response.headers.get("Content-Type")?.startsWith("application/problem+json")) {
      const message = (await response.text()).trim();
      return response.status === 403 ? this.#refuse(message) : new RequestError({ message });
    }
    const { code, detail, hint } = parse((await response.text()) || "{}");
    return new RequestError({ code, message: detail, hint });
  }

  #refuse(message) {
    this.#setState("refused", message);
    return new RequestError({ code: "refused", message });
  }

  /** Waits until the API answers again. All requests share the attempts. */
  async #recover() {
    for (let delay = 200; ; delay = Math.min(delay * 2, 3000)) {
      await new Promise((resolve) => {
        this.#hurry = resolve;
        setTimeout(resolve, delay);
      });
      try {
        if ((await this.#transport.send("GET", "/v1/status")).status !== 503) break;
        this.#setState("waiting", this.reason);
      } catch {
        // The next attempt follows.
      }
    }
    this.#recovery = null;
  }

  /** Sends a request of a type. Resolves with the answer, or rejects with a RequestError. */
  request(type, fields = {}, { files = [], onSent } = {}) {
    return this.#withFiles(files, onSent, async (names) => parse(await (await this.#send(type, { ...fields, ...names })).text()));
  }

  #send(type, fields, options = {}) {
    const [method, template] = ROUTES[type];
    const rest = { ...fields };
    const path = "/v1/" + template.replace(/\{(\w+)\}/g, (unused, name) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(value);
    });
    if (method === "GET") {
      const query = String(new URLSearchParams(Object.entries(rest).filter(([, value]) => value !== undefined)));
      return this.#call(method, query ? `${path}?${query}` : path, { isQuick: true });
    }
    return this.#call(method, path, { ...options, headers: { "Content-Type": "application/json", ...options.headers }, body: stringify(rest) });
  }

  /** Stores files while `use` sends a request that names them. */
  async #withFiles(files, onSent, use) {
    const names = [];
    try {
      for (const file of files) names.push(await this.#store(file, onSent));
      return await use(names.length ? { files: names } : {});
    } finally {
      // intentd has the files now. If this fails, the server removes them later.
      for (const name of names) this.#transport.send("DELETE", `/v1/files/${name}`).catch(() => {});
    }
  }

  /** Stores a file for a request, in parts, and returns its name. An upload that was cut continues. */
  async #store(blob, onSent = () => {}) {
    let name;
    let size = 0;
    const advance = (to) => {
      onSent(to - size);
      size = to;
    };
    do {
      const body = await blob.slice(size, size + PART).arrayBuffer().catch(() => {
        throw new RequestError({ code: "unreadable", message: "the browser cannot read the file" });
      });
      try {
        if (name) await this.#call("PATCH", `/v1/files/${name}`, { headers: { "Upload-Offset": String(size) }, body });
        else name = parse(await (await this.#call("POST", "/v1/files", { body })).text()).file;
        advance(size + body.byteLength);
      } catch (error) {
        if (error.code === "unknownFile") name = undefined;
        else if (error.code !== "wrongOffset") throw error;
        // The first attempt may have stored a part, or may still do so.
        await pause(200);
        const stored = name && await this.#call("HEAD", `/v1/files/${name}`).catch(() => (name = undefined));
        advance(Number(stored?.headers.get("Content-Length") ?? 0));
      }
    } while (size < blob.size);
    return name;
  }

  /** Fetches a file of a run's result. A download that was cut continues. */
  async file(run, index) {
    let parts = [];
    let size = 0;
    let total;
    while (total === undefined || size < total) {
      const response = await this.#call("GET", `/v1/runs/${run.id}/files/${index}`, { headers: size ? { Range: `bytes=${size}-` } : {} });
      total ??= Number(response.headers.get("Content-Length") ?? NaN);
      const reader = response.body.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          size += value.length;
          parts.push(value);
          // Combine the parts in a Blob, which the browser may store on disk.
          if (parts.length > 64) parts = [new Blob(parts)];
        }
        // A transport may not report the size.
        if (Number.isNaN(total)) break;
      } catch {
        // The next request fetches the rest.
      }
    }
    return new Blob(parts);
  }

  /** Fetches the output of an intentctl command: "doctor" or "schedules". */
  async report(name) {
    return (await this.#call("GET", `/report/${name}`)).json();
  }

  // Runs

  /** Starts a run that continues after the page is closed. `undoOf`: the run to undo, instead of an intent. */
  async perform({ undoOf, ...fields }, { files = [], onSent } = {}) {
    const message = { request: randomID(), onDisconnect: "continue", isInteractive: true, locale: localeName(), ...fields };
    const type = undoOf ? "undo" : "perform";
    if (undoOf) message.run = undoOf;
    const run = await this.#withFiles(files, onSent, async (names) => {
      const release = await this.#transport.claim();
      if (release) return this.#begin(type, { ...message, ...names }, release);
      const answer = parse(await (await this.#send(type, { ...message, ...names })).text());
      const run = this.#run(answer.run);
      this.#receive(run).catch(() => {});
      return run;
    });
    run.app = fields.app || run.app;
    run.intent = fields.intent || run.intent;
    return run;
  }

  /** Starts a run, and receives all its events on the same connection. Resolves when the run is accepted. */
  #begin(type, message, release) {
    return new Promise((resolve, reject) => {
      const leaving = new AbortController();
      const { signal } = leaving;
      let run;
      const accepted = (answer) => {
        run = this.#run(answer.run);
        run.leaving = leaving;
        resolve(run);
      };
      this.#send(type, message, { headers: { Accept: "text/event-stream" }, signal })
        .then((response) => this.#read(response, signal, accepted))
        .catch(reject)
        .finally(() => {
          release();
          if (!run) reject(new RequestError({ message: "the answer is incomplete" }));
          else if (!run.end && !signal.aborted) this.#receive(run).catch(() => {});
        });
    });
  }

  /** Receives a run's events until its end, or until its view is closed. `onAnswer` is called when intentd has accepted. */
  async #receive(run, onAnswer = () => {}) {
    run.leaving?.abort();
    const { signal } = run.leaving = new AbortController();
    const listen = async (signal) => {
      // The output from the meantime is not repeated.
      run.gaps += 1;
      run.isPartial ??= !run.serial;
      const headers = run.serial ? { "Last-Event-ID": run.serial } : {};
      const response = await this.#call("GET", `/v1/runs/${run.id}/events`, { headers, signal, isQuick: true });
      await this.#read(response, signal, (answer) => {
        run.app ??= answer.app;
        run.intent ??= answer.intent;
        if (answer.live) {
          run.title = answer.live.title;
          run.state ??= answer.live.state;
          run.live = answer.live;
        }
        this.#changed(run);
        onAnswer();
      });
    };
    while (!run.end && !signal.aborted) {
      const release = await this.#transport.claim();
      try {
        if (release) await listen(signal);
        else await this.#transport.takeTurn((turn) => signal.aborted || listen(AbortSignal.any([signal, turn])));
      } catch (error) {
        if (error instanceof RequestError) throw error;
      } finally {
        release?.();
      }
      // A stream may be cut again at once.
      await pause(100);
    }
  }

  /** Reads a stream of events until it ends, is cut, or the signal is aborted. */
  async #read(response, signal, onAnswer) {
    try {
      await readEvents(response, ({ event, id, data }) => {
        if (signal.aborted) return;
        const message = parse(data);
        if (event === "answer") onAnswer(message);
        else this.#event(message, id);
      });
    } catch {
      // The caller continues after the last event.
    }
  }

  #event(message, id) {
    const run = this.#run(message.run);
    run.serial = id;
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
      // `printed`: the length of all output. Its end is `output`. `gaps`: how often output may be missing.
      // `isPartial`: true if output from before the first event is missing.
      run = { id, output: "", printed: 0, gaps: 0 };
      this.runs.set(id, run);
    }
    return run;
  }

  /** Reports all events that have arrived together as one change. */
  #changed(run) {
    if (run.isChanging) return;
    run.isChanging = true;
    queueMicrotask(() => {
      run.isChanging = false;
      this.dispatchEvent(new CustomEvent("run", { detail: run }));
    });
  }

  /** Follows a run until the signal is aborted. */
  async follow(id, signal) {
    const isKnown = this.runs.has(id);
    const run = this.#run(id);
    signal.addEventListener("abort", () => run.leaving?.abort());
    if (run.end || (run.leaving && !run.leaving.signal.aborted)) return run;
    await new Promise((resolve, reject) => {
      this.#receive(run, resolve).then(resolve, reject);
      if (isKnown) resolve();
    }).catch((error) => {
      this.runs.delete(id);
      throw error;
    });
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
    const run = await this.perform({ app, intent, query, values });
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
}

function localeName() {
  const name = document.documentElement.lang === "de" && !navigator.language.startsWith("de") ? "de_DE" : navigator.language.replace(/[@.].*/, "").replace("-", "_");
  return `${name}.UTF-8`.slice(0, 64);
}
