// Generated from the tables of IntentText by `SafeTextScript`: see "Where to add new features" in Sources/README.md.

// Numbers of characters to base 36, each with the number of characters that follow it in a range.
const KINDS = {
  hidden: "0+v 3j+w 4t nj 17g 3fj+1 4ok+1 4r2 6bv 6by+1 6co+6 6e8+f 7wg 9r8 16o0+6in 1e4w+v 1e6b+a 1edb 1ehs 1ek0+c 1eke+1 1ovk+f 20o4 2fts+3 2jx5 2jxv+7 jny8+73 jo68+2xr l2im+2t4x 2t4u+1 47pa+1 5m9q+1 70u6+1 8fem+1 9tz2+1 b8ji+1 cn3y+1 e1oe+1 fg8u+1 guta+1 i9dq+1 jny6+1",
  nonJoiner: "6bw",
  joiner: "6bx",
  emojiSelector: "1e6m+1",
  ideographSelector: "1e68+2 jo5c+v",
  mongolianSelector: "4qz+2 4r3",
  emoji: "4p 4u 6d8 6dl 6jm 6k9 6ms+5 6nd+1 6xm+1 6y0 72n 73d+a 73s+2 79e 7fu+1 7g6 7gg 7i3+3 7i8+4 7im 7ip 7is+1 7iw 7j1 7j4 7j6+1 7ja 7je 7ji+1 7js+2 7k0 7k2 7k8+b 7kv+1 7kz 7l1+1 7l4 7ln 7lq+1 7ma+5 7mh 7mj+1 7mo+1 7mv 7my+1 7n4+1 7nh+1 7no+1 7ns 7ny+1 7o1 7o3+1 7op+1 7ow+5 7p3+3 7p9 7pe 7ph 7pk+5 7pr 7pu 7pw 7py 7q5 7q9 7qg 7qr+1 7r8 7rb 7rg 7ri 7rn+2 7rr 7s3+1 7th+2 7tt 7u8 7un 850+1 8hx+2 8ij+1 8k0 8k5 9io 9j1 9zr 9zt 2pz4+267",
  keycapBase: "z 16 1c+9",
  keycap: "6hv",
  ideograph: "a9s+533 feo+g73 1d6o+e7 2t4w+1ekd 47pc+1ekd",
  mongolian: "4rk+2g 4u8+16",
  dualJoining: "17k 17q 17s 17u+4 183+c 18h+6 18p+1 19q+1 1a0+f 1ay+11 1c1+1 1cc 1ce 1cg+1 1dm+2 1dr 1ea+2 1ei+3 1en+8 1ex 1ez 1f1+1 1fy+a 1gc+e 1gt+3 1gy 1h1+2 1h6+5 1je+w 1nk 1nm+3 1ns 1om 1op+4 1pc+9 1pr+1 1pv+5 1q2+e 2olc+1v",
  rightJoining: "17m+3 17r 17t 17z+3 18o 19t+2 19x+2 1ag+h 1c0 1c3+8 1cd 1cf 1ci+1 1cl 1da+1 1e8 1ed+4 1em 1ew 1ey 1f0 1f3 1fx 1g9+2 1gr+1 1gx 1gz+1 1h4+1 1nr 1nt+1 1o0+i 1ou 1pm+2 1pq 1pt+1 1q1",
  cursiveMark: "174+a 18r+k 19s 1cm+6 1cv+5 1d3+1 1d6+3 1e9 1f4+q 1kb+8 1kt 1p4+7 1qi+n 1r7+s 2on8+6",
  virama: "1u5 1xp 219 24t 28d 2bx 2fh 2j1 2m3+1 2ml 2q2 2t6 2wq 32c 37d+1 4k4+1 4l0 4pe 57k 5dw 5gq+1 5iq+1 8zj x6u x7w xc4 xg3 xj4 xrq xyl 1glb 1hs6 1htc 1htr 1hvd 1hyr+1 1i2o 1i5x 1iay 1idp 1iki 1io2 1iv3 1iyn 1j1y 1j57 1jcp 1jjx+1 1jog 1jqs 1jrb 1jtl 1k5b 1kck+1 1kev",
};

const RANGES = Object.entries(KINDS).flatMap(([kind, ranges]) => ranges.split(" ").map((range) => {
  const [first, more = 0] = range.split("+").map((number) => parseInt(number, 36));
  return { first, last: first + more, kind };
})).sort((a, b) => a.first - b.first);

function kindOf(character) {
  const value = character?.codePointAt(0);
  if (value === undefined || (value >= 0x40 && value < 0x7f)) return null;
  let [low, high] = [0, RANGES.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (RANGES[middle].last < value) low = middle + 1;
    else high = middle;
  }
  return RANGES[low]?.first <= value ? RANGES[low].kind : null;
}

/** Escapes each character that is not shown, unless `kept` contains it. */
function escapeText(text, kept) {
  const characters = [...text];
  let result = "";
  let previous = null;
  let joins = false;
  characters.forEach((character, index) => {
    const kind = kindOf(character);
    const next = kindOf(characters[index + 1]);
    let isShown = true;
    switch (kind) {
      case "hidden": isShown = false; break;
      case "nonJoiner": isShown = previous === "virama" || (joins && ["dualJoining", "rightJoining", "mongolian"].includes(next)); break;
      case "joiner": isShown = previous === "virama" || (["emoji", "emojiSelector"].includes(previous) && next === "emoji"); break;
      case "emojiSelector": isShown = previous === "emoji" || (previous === "keycapBase" && next === "keycap"); break;
      case "ideographSelector": isShown = previous === "ideograph"; break;
      case "mongolianSelector": isShown = previous === "mongolian"; break;
    }
    if (kind !== "cursiveMark") joins = kind === "dualJoining" || kind === "mongolian";
    previous = isShown ? kind : "hidden";
    result += isShown || kept.includes(character) ? character : notation(character);
  });
  return result;
}

function notation(character) {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
  return short ?? `\\u{${character.codePointAt(0).toString(16).toUpperCase().padStart(2, "0")}}`;
}

/** Escapes text for one line. */
const shownLine = (text) => escapeText(text, "");
/** Escapes text that may have several lines. */
const shownText = (text) => escapeText(text.replace(/\r\n|[\r\u2028\u2029]/g, "\n"), "\n\t");
/** Quotes text for one line, so that its end is visible. */
const quotedText = (text) => `"${shownLine(text.replace(/["\\]/g, "\\$&"))}"`;

export { escapeText, quotedText, shownLine, shownText };
