// Shows a run's output as a terminal does, without the sequences that control one.

import { shownText } from "./safe-text.js";

/** The number of characters that the page keeps of a run's output. */
export const OUTPUT_LIMIT = 200_000;
/** Control sequences, strings such as window titles, and short sequences. The last may be incomplete. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*(?:[0-~]|$))/g;
const ERASES_LINE = /\u001b\[[0-2]?K/;

/** Returns what remains visible of a line, in which a carriage return writes over the beginning. */
export function visibleLine(text) {
  let shown = "";
  for (const part of text.split("\r").reverse()) {
    const plain = part.replace(SEQUENCES, "");
    const written = [];
    for (const character of plain.includes("\b") ? plain : [plain]) character === "\b" ? written.pop() : written.push(character);
    shown += written.join("").slice(shown.length);
    if (ERASES_LINE.test(part)) break;
  }
  return shownText(shown);
}

/** Appends text, so that a selection and the reader's position stay. */
export class Terminal {
  #lines = document.createTextNode("");
  #last = document.createTextNode("");
  #open = "";
  /** True if the beginning was removed. */
  isCut = false;

  constructor(element) {
    this.element = element;
    element.replaceChildren(this.#lines, this.#last);
  }

  append(text) {
    const { element } = this;
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 20;
    const whole = (this.#open + text).slice(-2 * OUTPUT_LIMIT);
    // A line that does not end is shown in parts.
    const end = whole.length - whole.lastIndexOf("\n") > OUTPUT_LIMIT ? whole.length : whole.lastIndexOf("\n") + 1;
    this.#lines.appendData(whole.slice(0, end).split("\n").map(visibleLine).join("\n"));
    this.#open = whole.slice(end);
    this.#last.data = visibleLine(this.#open);
    const excess = this.#lines.length - OUTPUT_LIMIT;
    if (excess > OUTPUT_LIMIT / 4) {
      const height = element.scrollHeight;
      this.#lines.deleteData(0, this.#lines.data.indexOf("\n", excess) + 1 || excess);
      this.isCut = true;
      element.scrollTop -= height - element.scrollHeight;
    }
    if (isAtEnd) element.scrollTop = element.scrollHeight;
  }
}
