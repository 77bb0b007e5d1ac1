// The two ways to the HTTP API: the server of this page, and a server that Cockpit starts. A transport has
// `send(method, path, options)`, which resolves with a Response, and `claim()` and `takeTurn(use)` for streams.

const KEY = "intentd.key";
/** Locks for streams, because a browser opens at most six connections to a server, and tabs share them. */
const STREAMS = [1, 2, 3].map((number) => `intentd.stream.${number}`);
const TURN = 1000;

/** Reads the key from the address after the redirect, and stores it for this origin. */
function takeKey() {
  const match = /^#key=([0-9a-f]{32})$/.exec(location.hash);
  if (match) {
    localStorage.setItem(KEY, match[1]);
    history.replaceState(null, "", location.pathname + "#/");
  }
}

/** Claims a connection for a stream. Resolves with a function that releases it, or with null. */
async function claim() {
  const { held } = await navigator.locks.query();
  for (const name of STREAMS.filter((each) => !held.some((lock) => lock.name === each))) {
    const release = await new Promise((resolve) => {
      navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? new Promise(resolve) : resolve(null)));
    });
    if (release) return release;
  }
  return null;
}

/** Waits for the connection on which tabs without one take turns. `use` receives a signal that ends the turn. */
const takeTurn = (use) => navigator.locks.request("intentd.turn", () => use(AbortSignal.timeout(TURN)));

function webTransport() {
  takeKey();
  const key = localStorage.getItem(KEY) ?? "";
  const send = (method, path, { headers, ...options } = {}) =>
    fetch(path, { method, cache: "no-store", headers: { "X-Intentd-Key": key, ...headers }, ...options });
  return { send, claim, takeTurn };
}

/** Sends requests through Cockpit to the socket of an `intentctl web --private`, which runs as the user who logged in. */
class CockpitTransport {
  #options;
  #server = null;

  constructor(isOperator) {
    this.#options = isOperator ? { superuser: "require" } : {};
  }

  claim = async () => () => {};

  #start() {
    return new Promise((resolve, reject) => {
      const process = cockpit.spawn(["intentctl", "web", "--private"], { err: "message", ...this.#options });
      let line = "";
      process.stream((text) => {
        line += text;
        if (line.endsWith("\n")) resolve(JSON.parse(line));
      });
      const ended = (error) => {
        this.#server = null;
        reject(Object.assign(new Error(error?.message ?? ""), { isFinal: ["not-found", "access-denied"].includes(error?.problem) }));
      };
      process.then(() => ended(), ended);
    });
  }

  send = async (method, path, { headers, body = "", signal } = {}) => {
    const { socket, authorization } = await (this.#server ??= this.#start());
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const request = cockpit.http(socket, { binary: true, ...this.#options }).request({
        method, path, headers: { Host: "localhost", Authorization: authorization, ...headers },
        body: body === "" ? body : typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body),
      });
      let controller;
      const stream = new ReadableStream({ start: (given) => void (controller = given), cancel: () => request.close() });
      const receive = (bytes) => bytes?.length && controller.enqueue(Uint8Array.from(bytes));
      const fail = (error) => {
        reject(error);
        controller.error(error);
      };
      signal?.addEventListener("abort", () => {
        request.close();
        fail(signal.reason);
      });
      request.response((status, fields) => resolve(new Response(status === 204 ? null : stream, { status, headers: fields })));
      request.stream(receive);
      request.then(() => signal?.aborted || controller.close(), (error, content) => {
        if (signal?.aborted) return;
        if (!error.status) return fail(new Error(error.message ?? ""));
        receive(content);
        controller.close();
      });
    });
  };
}

/** Detects Cockpit. Returns the transport. */
export async function findTransport() {
  if (!location.pathname.startsWith("/cockpit")) return webTransport();
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
  return new CockpitTransport(permission.allowed === true);
}
