// The packets of the relay protocol (Sources/Remote/RELAY.md): one byte for the kind, four for the length, the payload.

export const Kind = {
  open: 1, opened: 2, refused: 3, frame: 4, close: 5, credit: 6, file: 7, data: 8, zeros: 9, end: 10, finish: 11,
  abandon: 12, hello: 0x80, welcome: 0x81, refusal: 0x82, received: 0x83,
};

const PACKET_LIMIT = 1200 << 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const PREAMBLE = encoder.encode("intentd-relay\n");

/** Encodes one packet. A part is a number (four bytes), `{wide: number}` (eight), `{byte: number}` (one), or bytes. */
export function packet(kind, ...parts) {
  const size = (part) => (typeof part === "number" ? 4 : part.wide !== undefined ? 8 : part.byte !== undefined ? 1 : part.length);
  const length = parts.reduce((sum, part) => sum + size(part), 0);
  const bytes = new Uint8Array(5 + length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, length);
  let offset = 5;
  for (const part of parts) {
    if (typeof part === "number") view.setUint32(offset, part);
    else if (part.wide !== undefined) view.setBigUint64(offset, BigInt(part.wide));
    else if (part.byte !== undefined) view.setUint8(offset, part.byte);
    else bytes.set(part, offset);
    offset += size(part);
  }
  return bytes;
}

export const jsonBytes = (value) => encoder.encode(stringify(value));

/** Reads JSON. A whole number that a JavaScript number cannot represent becomes a BigInt. */
export function parse(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context.source)
      : value);
}

export function stringify(value, indent) {
  return JSON.stringify(value, (key, item) => (typeof item === "bigint" ? (JSON.rawJSON?.(String(item)) ?? Number(item)) : item), indent);
}

/** Splits the bytes of a link into packets, regardless of how the transport split them. */
export class PacketReader {
  #bytes = new Uint8Array(0);
  #hasPreamble = false;

  append(bytes) {
    const joined = new Uint8Array(this.#bytes.length + bytes.length);
    joined.set(this.#bytes);
    joined.set(bytes, this.#bytes.length);
    this.#bytes = joined;
  }

  /** Returns the next complete packet, or null. Throws if the bytes do not come from a relay. */
  next() {
    if (!this.#hasPreamble) {
      if (PREAMBLE.some((byte, i) => byte !== (this.#bytes[i] ?? byte))) throw new Error("the first bytes are not the relay's preamble");
      if (this.#bytes.length < PREAMBLE.length) return null;
      this.#bytes = this.#bytes.subarray(PREAMBLE.length);
      this.#hasPreamble = true;
    }
    if (this.#bytes.length < 5) return null;
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
    const length = view.getUint32(1);
    if (length > PACKET_LIMIT) throw new Error(`a packet of ${length} bytes`);
    if (this.#bytes.length < 5 + length) return null;
    const payload = this.#bytes.slice(5, 5 + length);
    this.#bytes = this.#bytes.subarray(5 + length);
    return { kind: view.getUint8(0), payload, view: new DataView(payload.buffer) };
  }
}

export const jsonOf = (bytes) => parse(decoder.decode(bytes));
