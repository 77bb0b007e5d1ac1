// Generated from the tables of IntentText by `SafeTextScript`: see "Where to add new features" in Sources/README.md.

// Hexadecimal numbers of characters, and ranges of them.
const KINDS = {
  hidden: "0-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180e 200b 200e-200f 2028-202e 2060-206f 2800 3164 d800-f8ff fdd0-fdef fe03-fe0d feff ffa0 fff0-fffc fffe-ffff 13430-1343f 16fe4 1bca0-1bca3 1d159 1d173-1d17a e0000-e00ff e0120-e0fff efffe-10ffff 1fffe-1ffff 2fffe-2ffff 3fffe-3ffff 4fffe-4ffff 5fffe-5ffff 6fffe-6ffff 7fffe-7ffff 8fffe-8ffff 9fffe-9ffff afffe-affff bfffe-bffff cfffe-cffff dfffe-dffff",
  nonJoiner: "200c",
  joiner: "200d",
  emojiSelector: "fe0e-fe0f",
  ideographSelector: "fe00-fe02 e0100-e011f",
  mongolianSelector: "180b-180d 180f",
  emoji: "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f000-1faff",
  keycapBase: "23 2a 30-39",
  keycap: "20e3",
  ideograph: "3400-4dbf 4e00-9fff f900-faff 20000-2fffd 30000-3fffd",
  mongolian: "1820-1878 1880-18aa",
  dualJoining: "620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff 712-714 71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777 77a-77f 7ca-7ea 860 862-865 868 886 889-88d 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8 1e900-1e943",
  rightJoining: "622-625 627 629 62f-632 648 671-673 675-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d3 6d5 6ee-6ef 710 715-719 71e 728 72a 72c 72f 74d 759-75b 76b-76c 771 773-774 778-779 867 869-86a 870-882 88e 8aa-8ac 8ae 8b1-8b2 8b9",
  cursiveMark: "610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 711 730-74a 7eb-7f3 7fd 898-89f 8ca-8e1 8e3-8ff 1e944-1e94a",
  virama: "94d 9cd a4d acd b4d bcd c4d ccd d3b-d3c d4d dca e3a eba f84 1039-103a 1714-1715 1734 17d2 1a60 1b44 1baa-1bab 1bf2-1bf3 2d7f a806 a82c a8c4 a953 a9c0 aaf6 abed 10a3f 11046 11070 1107f 110b9 11133-11134 111c0 11235 112ea 1134d 11442 114c2 115bf 1163f 116b6 1172b 11839 1193d-1193e 119e0 11a34 11a47 11a99 11c3f 11d44-11d45 11d97",
};

const RANGES = Object.entries(KINDS).flatMap(([kind, ranges]) => ranges.split(" ").map((range) => {
  const [first, last = first] = range.split("-").map((number) => parseInt(number, 16));
  return { first, last, kind };
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
