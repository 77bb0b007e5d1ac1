import { SHA256 } from "./sha256.js";
import { Kind, packet, jsonBytes, PacketReader, PREAMBLE, jsonOf } from "./packets.js";

const CHUNK = 128 << 10;
/** The number of unacknowledged bytes above which no file contents are sent. */
const WINDOW = 2 << 20;
const CREDIT_STEP = 256 << 10;
const KEEP_ALIVE = 15000;
const SILENCE = 45000;

/**
 * The user's end of a relay session. It numbers messages and repeats them over the next link, so that each arrives
 * once. It has one channel at a time, which is a connection to intentd.
 */
export class Relay {
  #openLink;
  #link = null;
  #reader = null;
  #isGreeted = false;
  #session = null;
  #kept = [];
  #keptBytes = 0;
  #written = 0;
  #acknowledged = 0;
  #received = 0;
  #told = 0;
  #channel = 0;
  #held = 0;
  #lastFile = 0;
  #incoming = new Map();
  #whenRoom = [];
  #delay = 250;
  #heardAt = 0;
  #saidAt = 0;
  #ackTimer = null;

  /**
   * `handlers`: onOpen(), onFrame(message, blobs), onClosed(), onRefused(error), onReset() when the session and its
   * channel have ended, onState(state, reason), isIdle().
   */
  constructor(openLink, handlers) {
    this.#openLink = openLink;
    this.handlers = handlers;
    setInterval(() => this.#check(), 5000);
  }

  start() {
    this.handlers.onState("connecting");
    this.#reader = new PacketReader();
    this.#isGreeted = false;
    this.#heardAt = Date.now();
    const link = this.#openLink({
      onBytes: (bytes) => this.#link === link && this.#receive(bytes),
      onClose: (reason) => this.#link === link && this.#linkClosed(reason),
      isIdle: () => this.#kept.length === 0 && this.handlers.isIdle(),
    });
    this.#link = link;
    this.#say(PREAMBLE);
    const session = this.#session ?? undefined;
    this.#say(packet(Kind.hello, jsonBytes({ version: 1, software: "intentd page 1", received: this.#received, session })));
  }

  /** Tries to connect now, without waiting for the rest of the pause. */
  hurry() {
    if (this.#link === null && this.retry) {
      clearTimeout(this.retry);
      this.start();
    }
  }

  openChannel() {
    this.#channel += 1;
    this.#held = 0;
    this.#incoming.clear();
    this.#enqueue(packet(Kind.open, this.#channel));
  }

  /** Sends a frame of the client protocol after the contents of its files. */
  async sendFrame(message, files = [], onSent = () => {}) {
    const channel = this.#channel;
    const numbers = [];
    for (const file of files) {
      numbers.push(await this.#sendFile(channel, file, onSent));
      if (channel !== this.#channel) return;
    }
    this.#enqueue(packet(Kind.frame, channel, { byte: numbers.length }, ...numbers, jsonBytes(message)));
  }

  async #sendFile(channel, blob, onSent) {
    const file = ++this.#lastFile;
    const hash = new SHA256();
    this.#enqueue(packet(Kind.file, file, channel, { byte: 0 }, 0, { wide: blob.size }));
    for (let offset = 0; offset < blob.size; offset += CHUNK) {
      while (this.#keptBytes > WINDOW) await new Promise((resolve) => this.#whenRoom.push(resolve));
      if (channel !== this.#channel) return file;
      let bytes;
      try {
        bytes = new Uint8Array(await blob.slice(offset, offset + CHUNK).arrayBuffer());
      } catch {
        this.#enqueue(packet(Kind.abandon, file));
        throw Object.assign(new Error("the browser cannot read the file"), { code: "unreadable" });
      }
      if (channel !== this.#channel) return file;
      hash.add(bytes);
      this.#enqueue(packet(Kind.data, file, bytes));
      onSent(bytes.length);
    }
    this.#enqueue(packet(Kind.end, file, hash.finish()));
    return file;
  }

  // The link

  #say(bytes) {
    this.#saidAt = Date.now();
    this.#link?.send(bytes);
  }

  #enqueue(bytes) {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    this.#fill();
  }

  #fill() {
    if (!this.#isGreeted) return;
    while (this.#written < this.#kept.length) this.#say(this.#kept[this.#written++]);
  }

  #acknowledgedUpTo(count) {
    const gone = count - this.#acknowledged;
    if (gone < 0 || gone > this.#kept.length) throw new Error("the relay acknowledged messages that were not sent");
    for (const bytes of this.#kept.splice(0, gone)) this.#keptBytes -= bytes.length;
    this.#acknowledged = count;
    this.#written = Math.max(0, this.#written - gone);
    if (this.#keptBytes <= WINDOW) for (const resolve of this.#whenRoom.splice(0)) resolve();
  }

  #linkClosed(reason) {
    this.#link = null;
    this.#isGreeted = false;
    this.handlers.onState(reason.isFinal ? "refused" : "lost", reason.message);
    if (reason.isFinal) return;
    // A resting tab connects when it is visible: see hurry().
    this.retry = reason.isResting ? -1 : setTimeout(() => this.start(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, 5000);
  }

  #check() {
    if (!this.#link) return;
    const now = Date.now();
    // Browsers delay timers, so a late one does not prove that the peer was silent.
    if (now - this.#heardAt > SILENCE && now - (this.lastCheck ?? 0) < 10000) this.#link.close();
    else if (this.#isGreeted && now - this.#saidAt > KEEP_ALIVE) this.#tellReceived();
    this.lastCheck = now;
  }

  #tellReceived() {
    this.#told = this.#received;
    this.#say(packet(Kind.received, { wide: this.#received }));
  }

  #receive(bytes) {
    this.#heardAt = Date.now();
    try {
      this.#reader.append(bytes);
      let next;
      while ((next = this.#reader.next())) this.#act(next);
    } catch (error) {
      // The stream is corrupt: begin a new session.
      this.#forget();
      this.#link?.close({ message: String(error.message) });
      return;
    }
    this.#ackTimer ??= setTimeout(() => {
      this.#ackTimer = null;
      if (this.#isGreeted && this.#told !== this.#received) this.#tellReceived();
    }, 50);
  }

  #forget() {
    this.#session = null;
    this.#kept = [];
    this.#keptBytes = this.#written = this.#acknowledged = this.#received = this.#told = 0;
    this.#incoming.clear();
    this.#channel += 1;
    for (const resolve of this.#whenRoom.splice(0)) resolve();
  }

  #welcome(hello) {
    if (hello.version !== 1) throw new Error(`version ${hello.version} of the relay protocol`);
    const continues = this.#session !== null && hello.session?.name === this.#session.name;
    if (!continues) {
      this.#forget();
      this.handlers.onReset();
    }
    this.#session = hello.session;
    this.#isGreeted = true;
    this.#delay = 250;
    if (continues) {
      this.#acknowledgedUpTo(hello.received);
      this.#written = 0;
      this.#told = this.#received;
      this.#fill();
    }
    this.handlers.onState("open");
    if (!continues) this.openChannel();
  }

  #act({ kind, payload, view }) {
    switch (kind) {
      case Kind.welcome: return this.#welcome(jsonOf(payload));
      case Kind.refusal: {
        const { message } = jsonOf(payload);
        this.#forget();
        return this.#link.close({ message });
      }
      case Kind.received:
        this.#acknowledgedUpTo(Number(view.getBigUint64(0)));
        // Also after input, because browsers delay timers.
        if (Date.now() - this.#saidAt > KEEP_ALIVE / 2) this.#tellReceived();
        return;
    }
    this.#message(kind, payload, view);
    this.#received += 1;
  }

  #message(kind, payload, view) {
    const number = view.byteLength >= 4 ? view.getUint32(0) : 0;
    const isCurrent = number === this.#channel;
    switch (kind) {
      case Kind.opened: return isCurrent && this.handlers.onOpen();
      case Kind.refused: return isCurrent && this.handlers.onRefused(jsonOf(payload.subarray(4)));
      case Kind.frame: return this.#frame(number, payload, view, isCurrent);
      case Kind.close:
        if (!isCurrent) return;
        // Now both ends have closed the channel.
        this.#enqueue(packet(Kind.close, number));
        return this.handlers.onClosed();
      case Kind.file:
        this.#incoming.set(number, { size: Number(view.getBigUint64(13)), received: 0, parts: [], hash: new SHA256() });
        return;
      case Kind.data: return this.#data(number, payload.subarray(4));
      case Kind.zeros: return this.#data(number, new Uint8Array(Math.min(view.getUint32(4), CHUNK)));
      case Kind.end: {
        const file = this.#incoming.get(number);
        if (!file) return;
        const digest = file.hash.finish();
        file.isWhole = file.received === file.size && payload.subarray(4).every((byte, i) => byte === digest[i]);
        file.blob = new Blob(file.parts);
        file.parts = [];
        return;
      }
      case Kind.abandon: return void this.#incoming.delete(number);
    }
  }

  #data(number, bytes) {
    const file = this.#incoming.get(number);
    if (!file) return;
    file.received += bytes.length;
    if (file.received > file.size) throw new Error("a file is larger than its announced size");
    file.hash.add(bytes);
    file.parts.push(bytes);
    // Combine the parts in a Blob, which the browser may store on disk.
    if (file.parts.length > 64) file.parts = [new Blob(file.parts)];
  }

  #frame(channel, payload, view, isCurrent) {
    const count = view.getUint8(4);
    const start = 5 + 4 * count;
    const blobs = [];
    for (let i = 0; i < count; i++) {
      const file = view.getUint32(5 + 4 * i);
      const contents = this.#incoming.get(file);
      blobs.push(contents?.isWhole ? contents.blob : null);
      this.#incoming.delete(file);
    }
    if (!isCurrent || payload.length === start) return;
    this.#held += payload.length - start;
    if (this.#held >= CREDIT_STEP) {
      this.#enqueue(packet(Kind.credit, channel, this.#held));
      this.#held = 0;
    }
    this.handlers.onFrame(jsonOf(payload.subarray(start)), blobs);
  }
}
