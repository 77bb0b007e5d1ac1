import IntentProtocol

/// The JavaScript with which the page and the view of snippets escape text, as ``SafeText`` does. Its table is
/// ``ScalarKind``, and the file page/js/safe-text.js of intentd-web contains it as a module.
package enum SafeTextScript {
    package static let module = """
        // Generated from the tables of IntentText by `SafeTextScript`: see "Where to add new features" in Sources/README.md.

        \(functions)

        export { escapeText, quotedText, shownLine, shownText };

        """

    private static let kinds = ScalarKind.allCases
        .map { kind in "  \(kind.rawValue): \"\(ranges(of: kind.bounds))\"," }
        .joined(separator: "\n")

    private static func ranges(of bounds: [UInt32]) -> String {
        stride(from: 0, to: bounds.count, by: 2)
            .map { index in
                let (first, more) = (bounds[index], bounds[index + 1] - bounds[index])
                return String(first, radix: 36) + (more == 0 ? "" : "+\(String(more, radix: 36))")
            }
            .joined(separator: " ")
    }

    static let functions = #"""
        // Numbers of characters to base 36, each with the number of characters that follow it in a range.
        const KINDS = {
        \#(kinds)
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
        """#
}
