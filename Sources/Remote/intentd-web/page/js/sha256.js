// SHA-256 (FIPS 180-4) of content in parts. The browser's own function needs it at once.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // The first 32 bits of the fractional parts of the square and cube roots of the first primes.
  const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
  let count = 0;
  for (let n = 2; count < 64; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (!isPrime) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(n));
    K[count++] = fraction(Math.cbrt(n));
  }
}

const turn = (x, count) => (x >>> count) | (x << (32 - count));

export class SHA256 {
  #state = START.slice();
  #block = new Uint8Array(64);
  #view = new DataView(this.#block.buffer);
  #used = 0;
  #byteCount = 0;
  #words = new Uint32Array(64);

  add(bytes) {
    this.#byteCount += bytes.length;
    let offset = 0;
    while (offset < bytes.length) {
      const count = Math.min(64 - this.#used, bytes.length - offset);
      this.#block.set(bytes.subarray(offset, offset + count), this.#used);
      this.#used += count;
      offset += count;
      if (this.#used === 64) this.#compress();
    }
  }

  /** Returns the digest. No more bytes can be added after that. */
  finish() {
    const bits = this.#byteCount * 8;
    this.#block[this.#used++] = 0x80;
    if (this.#used > 56) {
      this.#block.fill(0, this.#used);
      this.#compress();
    }
    this.#block.fill(0, this.#used);
    this.#view.setUint32(56, Math.floor(bits / 2 ** 32));
    this.#view.setUint32(60, bits >>> 0);
    this.#compress();
    const view = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, index) => view.setUint32(index * 4, word));
    return new Uint8Array(view.buffer);
  }

  #compress() {
    const w = this.#words;
    for (let i = 0; i < 16; i++) w[i] = this.#view.getUint32(i * 4);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      w[i] = (w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    const s = this.#state;
    [a, b, c, d, e, f, g, h].forEach((word, index) => (s[index] += word));
    this.#used = 0;
  }
}
