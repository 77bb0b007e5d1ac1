// All text enters the document here, with DOM methods, never as markup.

import { shownLine, shownText } from "./safe-text.js";
import { t } from "./strings.js";

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element from a name such as `p.hint`. The first part can be an object with properties; "on…" are event listeners.
 * The other parts are children: elements or text. */
export const el = (name, ...parts) => create(name, (tag) => document.createElement(tag), parts);
export const svg = (name, ...parts) => create(name, (tag) => document.createElementNS(SVG, tag), parts);

/** The attributes that a person reads. Others are identifiers and values, which pass unchanged. */
const READ_ATTRIBUTES = new Set(["alt", "aria-label", "label", "placeholder", "title"]);

function create(name, make, parts) {
  const [tag, ...classes] = name.split(".");
  const element = make(tag);
  const properties = Object.getPrototypeOf(parts[0] ?? "") === Object.prototype ? parts.shift() : {};
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : READ_ATTRIBUTES.has(key) ? shownLine(value) : value);
  }
  element.classList.add(...classes);
  element.append(...shown(parts));
  return element;
}

const isThere = (value) => (value ?? false) !== false;
const shown = (children) => children.flat(Infinity).filter(isThere).map((child) => (typeof child === "string" ? shownText(child) : child));

/** Replaces the children of an element. Flattens lists, and skips null and undefined. */
export function put(element, ...children) {
  element.replaceChildren(...shown(children));
}

/** Displays text from an app on one line: bounded, with visible line breaks, and isolated in its direction. */
export function appText(text, limit = 300) {
  return el("bdi", clamp(text, limit));
}

/** Displays text from an app that may have several lines. */
export function appBlock(text, limit = 4000) {
  return el("bdi.block", cut(text, limit));
}

/** Displays data of a run, which `text` quotes, completely and apart from other text. */
export function dataText(text) {
  const count = [...text].length;
  return [el("code.data", { tabindex: count > 1000 ? "0" : null }, shownLine(text)), count > 200 ? hint(t("characters", { count })) : null];
}

export const clamp = (text, limit = 300) => shownLine(cut(text, limit));

/** Cuts a long text, and states its length. */
function cut(text, limit) {
  const whole = String(text ?? "");
  if (whole.length <= limit) return whole;
  return `${whole.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}… (${t("characters", { count: [...whole].length })})`;
}

const PICTURES = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };

/** Returns the type with which a file of an app is shown as a picture; null for another file. It is never the type of a
 * document, which the browser would display with this page's origin if the user opened the picture in a tab. */
export function pictureType(file) {
  if (Object.values(PICTURES).includes(file?.contentType)) return file.contentType;
  const ending = /\.([a-z]+)$/i.exec(file?.name ?? "")?.[1].toLowerCase() ?? "";
  return Object.hasOwn(PICTURES, ending) ? PICTURES[ending] : null;
}

/** Returns a link to a run with its identifier. */
export const idLink = (run) => el("a", { href: `#/run/${run}` }, el("code", run));
export const hint = (...children) => el("p.hint", children);
export const heading = (key) => el("h2", t(key));

/** Returns a list of names and values. A row without a value is omitted. */
export const terms = (rows) => el("dl", rows.map(([name, value]) => isThere(value) && [el("dt", name), el("dd", value)]));

export function table(titles, rows) {
  return el("div.scroll-x", el("table", el("thead", el("tr", titles.map((key) => el("th", { scope: "col" }, t(key))))),
    el("tbody", rows.map((cells) => el("tr", cells.map((cell) => el("td", cell)))))));
}

let lastID = 0;
export const newID = (prefix) => `${prefix}-${++lastID}`;

/** Replaces the children only if the key has changed, so that focus and selection survive an update. */
export function show(element, key, make) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  put(element, make());
}

/** Performs the action of a control, never twice at the same time, and shows a failure in `problem`. */
export async function act(control, problem, action) {
  control.disabled = true;
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    put(problem, errorNodes(error));
  }
  control.disabled = false;
}

/** Creates a button. Failures of its action are shown beside it. */
export function actionButton(label, action, properties = {}) {
  const problem = el("span.problem", { role: "alert" });
  const button = el("button", { type: "button", ...properties, onclick: () => act(button, problem, action) }, label);
  return el("span.action", button, problem);
}

export const alertLine = (...parts) => el("p.problem", { role: "alert" }, parts);

export function errorNodes(error) {
  return [appText(error.message, 1000), error.hint ? el("span.hint", " ", appText(error.hint, 500)) : null].filter(Boolean);
}

/**
 * A table with any number of items that creates rows only for the visible part. All rows have the same height.
 * `columns`: objects with `title` and `cell(item)`.
 */
export class LongTable {
  #items = [];
  #rows = new Map();
  #height = 0;

  constructor(label, columns, key) {
    this.columns = columns;
    this.key = key;
    this.body = el("div.long-body", { role: "rowgroup" });
    const head = el("div.long-row", { role: "row" },
      columns.map((column) => el("div", { role: "columnheader", class: column.class }, column.title)));
    this.scroll = el("div.long-scroll", { tabindex: "0", role: "presentation", onscroll: () => this.#later(), onbeforeprint: () => this.#draw(true) },
      el("div", { role: "rowgroup", class: "long-head" }, head), this.body);
    this.element = el("div.long", { role: "table", "aria-label": label }, this.scroll);
    new ResizeObserver(() => this.#later()).observe(this.scroll);
  }

  /** Called when the end of the list becomes visible. */
  onEnd = () => {};
  /** Called with the visible items after the list has rested. */
  onRest = null;

  set items(items) {
    this.#items = items;
    this.element.setAttribute("aria-rowcount", items.length + 1);
    this.#resize();
    this.#later();
  }

  /** Draws the row of an item again. */
  redraw(item) {
    const row = this.#rows.get(this.key(item));
    if (row) row.item = null;
    this.#later();
  }

  #resize() {
    // In a narrow window, a row has two lines.
    const isNarrow = this.scroll.clientWidth < 560;
    this.#height = isNarrow ? 64 : 40;
    this.element.classList.toggle("two-lines", isNarrow);
    const count = this.#items.length;
    this.body.style.height = `${count * this.#height}px`;
    this.scroll.style.height = `${Math.min(Math.max(count, 1), 16) * this.#height + 41}px`;
  }

  #later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  #draw(isPrinted = false) {
    this.#resize();
    const first = isPrinted ? 0 : Math.max(0, Math.floor(this.scroll.scrollTop / this.#height) - 10);
    const last = Math.min(this.#items.length, isPrinted ? 2000 : first + Math.ceil(this.scroll.clientHeight / this.#height) + 20);
    const old = this.#rows;
    this.#rows = new Map();
    const shown = new Set(this.#items.slice(first, last).map(this.key));
    // Rows that enter the view reuse rows that left it.
    const spare = [...old].filter(([id]) => !shown.has(id)).map(([id, row]) => {
      old.delete(id);
      return row;
    });
    let previous = null;
    for (let index = first; index < last; index++) {
      const item = this.#items[index];
      const id = this.key(item);
      const kept = old.get(id);
      let row = kept ?? spare.pop();
      old.delete(id);
      if (!row) {
        row = { element: el("div.long-row", { role: "row" }) };
        row.cells = this.columns.map((column) => row.element.appendChild(el("div", { role: "cell", class: column.class })));
      }
      // A different run can have the same text but a different link.
      if (!kept) for (const cell of row.cells) delete cell.dataset.text;
      // Keep the DOM in visual order, which the keyboard and screen readers follow.
      if (!kept && previous) previous.after(row.element);
      else if (!kept) this.body.prepend(row.element);
      previous = row.element;
      const place = `translateY(${index * this.#height}px)`;
      if (row.place !== place) {
        row.place = place;
        row.element.style.transform = place;
        row.element.setAttribute("aria-rowindex", index + 2);
      }
      if (row.item !== item) {
        row.item = item;
        this.columns.forEach((column, i) => {
          const text = column.text?.(item);
          if (text !== undefined && row.cells[i].dataset.text === text) return;
          if (text !== undefined) row.cells[i].dataset.text = text;
          put(row.cells[i], column.cell(item));
        });
      }
      this.#rows.set(id, row);
    }
    for (const row of spare) row.element.remove();
    if (last === this.#items.length && last > 0) this.onEnd();
    clearTimeout(this.rest);
    if (this.onRest) this.rest = setTimeout(() => this.onRest(this.#items.slice(first, last)), 200);
  }
}
