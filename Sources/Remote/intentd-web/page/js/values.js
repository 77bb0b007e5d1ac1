// Converts values to controls, text and command-line arguments.

import { appBlock, appText, clamp, el, newID, put, terms } from "./dom.js";
import { quotedText, shownLine } from "./safe-text.js";
import { bytes, moment, now, t } from "./strings.js";
import { parse, stringify } from "./json.js";

/** Returns the name of a type and its detail. `"int"` has no detail; the detail of `{"array":"int"}` is the element
 * type. */
export function typeOf(type) {
  if (typeof type === "string") return [type, null];
  const [name, detail] = Object.entries(type)[0] ?? ["string", null];
  return [name, detail];
}

const pad = (number, size = 2) => String(number).padStart(size, "0");

const localText = (date) => `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;

/** Returns the second time with this local time, at the end of daylight saving. */
const secondOf = (date) => [30, 60, 120].map((minutes) => new Date(+date + minutes * 60_000)).find((other) => +other && localText(other) === localText(date));

const zoneOf = (date) => {
  const offset = -date.getTimezoneOffset();
  return `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
};

const local = (value) => localText(new Date(value));

/** Converts a local time to RFC 3339 with the browser's offset. `known` must survive: a browser moves a time that daylight saving skips. */
function withZone(text, known = text.slice(0, 19), date = new Date(text)) {
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9999) throw new Error(t("incomplete"));
  if (!localText(date).startsWith(known)) throw new Error(t("skippedTime"));
  const zoned = `${text}${text.length === 16 ? ":00" : ""}${zoneOf(date)}`;
  // Before zones had whole minutes, the browser's offset is rounded.
  return Date.parse(zoned) === date.getTime() ? zoned : date.toISOString();
}

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/**
 * Creates a control for one value. `read(files)` returns the value or undefined, and appends files. It throws
 * an error for text that is not a valid value. `write(value)` shows a value, which `read` returns unchanged until the user edits it. The label of
 * `element` refers to `id`.
 */
export function makeControl(parameter, options) {
  const control = controlOf(parameter, options);
  const start = parameter.defaultValue ?? undefined;
  if (start !== undefined) control.write(start);
  return control;
}

function controlOf(parameter, { offerOptions, onInput }) {
  const [type, detail] = typeOf(parameter.type);
  if (type === "array") return listControl(parameter, detail, { offerOptions, onInput });
  const id = newID("field");
  const hasDefault = (parameter.defaultValue ?? null) !== null;
  const isRequired = !parameter.isOptional && !hasDefault;
  const common = { id, oninput: onInput, onchange: onInput, "aria-describedby": `${id}-problem`, required: isRequired };
  const text = (properties = {}) => el("input", {
    type: parameter.isSecret ? "password" : "text", autocomplete: "off", spellcheck: "false",
    placeholder: hasDefault ? valueText(parameter.defaultValue) : undefined, ...common, ...properties,
  });
  const plain = (element, convert, format) => plainControl(id, element, convert, format);
  // An empty choice is the default.
  const empty = hasDefault ? [] : [["", t(isRequired ? "choose" : "none")]];

  switch (type) {
    case "bool": {
      const names = parameter.boolNames ?? { true: t("yes"), false: t("no") };
      return choiceControl(id, common, [...empty, ["true", names.true], ["false", names.false]], (word) => word === "true");
    }
    case "enum":
      if (detail.length > 200) break;
      return choiceControl(id, common, [...empty, ...detail.map((item) => [item.value, item.title ?? item.value])]);
    // A control for numbers reports what it cannot read as empty, and changes its value when the wheel turns.
    case "int":
      return plain(text({ inputmode: "numeric" }), (word) => {
        if (!/^[-+]?\d+$/.test(word.trim())) throw new Error(t("badInteger"));
        const number = Number(word);
        return Number.isSafeInteger(number) ? number : BigInt(word);
      });
    case "double":
    case "duration":
      return plain(text({ inputmode: "decimal" }), (word) => {
        if (!NUMBER.test(word.trim()) || !Number.isFinite(Number(word))) throw new Error(t("badNumber"));
        return Number(word);
      });
    case "decimal": return plain(text({ inputmode: "decimal" }));
    case "date": {
      // A day that was written with an offset is that day in every zone.
      if (parameter.dateKind === "date") return plain(text({ type: "date", max: "9999-12-31" }), (day) => withZone(`${day}T00:00`, day), (value) => (/[-+]..:..$/.test(value) ? value : local(value)).slice(0, 10));
      if (parameter.dateKind === "time") return plain(text({ type: "time", step: "1" }), (word) => withZone(`${local(now()).slice(0, 10)}T${word}`), (value) => local(value).slice(11));
      return momentControl(text({ type: "datetime-local", step: "1", max: "9999-12-31T23:59:59" }), common);
    }
    case "dateComponents": {
      if (parameter.dateKind === "date") return plain(text({ type: "date", max: "9999-12-31" }));
      if (parameter.dateKind === "time") return plain(text({ type: "time", step: "1" }));
      return plain(text({ placeholder: "2026-11-21 09:30" }));
    }
    case "url": return plain(text({ type: "url", placeholder: "https://" }));
    case "measurement":
    case "currencyAmount": return amountControl(id, common, type, detail);
    case "file": return fileControl(id, common, false);
    case "object":
      return plain(el("textarea", { rows: "3", spellcheck: "false", ...common }), (word) => {
        try {
          return { object: parse(word) };
        } catch {
          throw new Error(t("badJSON"));
        }
      }, (value) => stringify(value.object ?? value));
  }
  const control = type === "string" ? lineControl(text(), common, parameter) : plain(text(), undefined, (value) => (typeof value === "string" ? value : stringify(value)));
  if ((parameter.hasOptions || (type === "entity" && detail?.isSearchable)) && offerOptions) attachOptions(control, parameter, offerOptions);
  return control;
}

/** Returns the field that has the focus in a control's element. */
export const fieldOf = (element, further = "") => element.querySelector(`input, select, textarea${further}`) ?? element;

/** Lets a control return the value that was written to it while it shows that value: `text()`. */
function keeping(control) {
  const { read, write } = control;
  let kept = null;
  control.write = (value) => {
    write(value ?? undefined);
    kept = (value ?? null) === null ? null : { value, text: control.text() };
  };
  control.read = (files) => (kept?.text === control.text() ? kept.value : read(files));
  return control;
}

/** A control that is one field. `convert` and `format` convert its text to a value, and a value to its text. */
function plainControl(id, field, convert = (word) => word, format = String) {
  const control = keeping({
    id, element: field, field,
    // The browser reports half a date as empty.
    text: () => `${control.field.validity.badInput ? "?" : ""}${control.field.value}`,
    read: () => {
      if (control.field.validity.badInput) throw new Error(t("incomplete"));
      return control.field.value === "" ? undefined : convert(control.field.value);
    },
    write: (value) => void (control.field.value = value === undefined ? "" : format(value)),
  });
  return control;
}

/** A local time. A choice appears for a time that the end of daylight saving repeats. */
function momentControl(input, common) {
  const choice = el("select", { "aria-label": "UTC", hidden: true, onchange: common.onchange });
  const second = () => secondOf(new Date(input.value));
  const offer = () => {
    const other = second();
    choice.hidden = !other;
    put(choice, ...(other ? [new Date(input.value), other] : []).map((date, index) => option([index || "", zoneOf(date)])));
  };
  for (const type of ["input", "change"]) input.addEventListener(type, offer, { capture: true });
  const control = plainControl(common.id, input, (word) => withZone(word, undefined, choice.value ? second() : undefined), (value) => {
    input.value = local(value);
    offer();
    if (new Date(value) >= second()) choice.value = 1;
    return input.value;
  });
  const { text } = control;
  control.element = el("span.pair", input, choice);
  control.text = () => text() + choice.value;
  return control;
}

/** A line of text. A value of several lines gets a text area, because a line joins them. */
function lineControl(input, common, parameter) {
  // An empty line differs from a default.
  const control = plainControl(common.id, input);
  const { read, write } = control;
  control.read = (files) => read(files) ?? (parameter.defaultValue ? "" : undefined);
  control.write = (value) => {
    if (/[\r\n]/.test(value ?? "")) grow();
    write(value);
  };
  const grow = (added = "") => {
    const { field } = control;
    if (field !== input) return;
    const [start, end] = [field.selectionStart, field.selectionEnd];
    const area = el("textarea", { rows: "3", spellcheck: "false", class: parameter.isSecret ? "secret" : undefined, ...common });
    area.value = field.value;
    control.field = area;
    field.replaceWith(area);
    more.remove();
    area.setRangeText(added, start, end, "end");
  };
  const extend = (added) => {
    grow(added);
    control.field.focus();
    common.oninput?.();
  };
  const split = (event) => {
    const added = (event.clipboardData ?? event.dataTransfer).getData("text");
    if (!/[\r\n]/.test(added)) return;
    event.preventDefault();
    extend(added);
  };
  const more = el("button", { type: "button", class: "quiet", title: t("lines"), "aria-label": t("lines"), onclick: () => extend("\n") }, "↵");
  input.addEventListener("paste", split);
  input.addEventListener("drop", split);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    more.click();
  });
  control.element = el("span.pair", input, more);
  return control;
}

const option = ([value, title]) => el("option", { value }, clamp(title, 200));

/** Selects an option, and adds it if it is missing. */
function select(element, value = "") {
  if (value && ![...element.options].some((item) => item.value === value)) element.append(option([value, value]));
  element.value = value;
}

function choiceControl(id, common, choices, convert) {
  const element = el("select", common, choices.map(option));
  return plainControl(id, element, convert, (value) => {
    select(element, String(value));
    return value;
  });
}

function amountControl(id, common, type, units) {
  const amount = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", ...common });
  const label = type === "measurement" ? "unit" : "currency";
  const choice = units.length
    ? el("select", { "aria-label": label, onchange: common.onchange }, units.map((name) => option([name, name])))
    : el("input", { type: "text", "aria-label": label, maxlength: "3", size: "4", oninput: common.oninput });
  const text = () => `${amount.value} ${choice.value}`;
  return keeping({
    id, element: el("span.pair", amount, choice), text,
    read: () => (amount.value === "" ? undefined : text()),
    write: (value = "") => {
      const [number, ...unit] = String(value).split(" ");
      amount.value = number;
      if (!unit.length) return;
      if (units.length) select(choice, unit.join(" "));
      else choice.value = unit.join(" ");
    },
  });
}

function listControl(parameter, elementType, options) {
  if (typeOf(elementType)[0] === "file") return fileControl(newID("field"), { onchange: options.onInput }, true);
  const id = newID("field");
  const rows = el("div.rows");
  const controls = [];
  // False until a person or a value has made the list, which then may be empty.
  let isSet = false;
  const add = () => {
    isSet = true;
    const control = makeControl({ ...parameter, type: elementType, isOptional: false, defaultValue: undefined }, options);
    fieldOf(control.element).setAttribute("aria-label", `${clamp(parameter.title, 100)} ${controls.length + 1}`);
    const row = el("div.pair", control.element, el("button", { type: "button", class: "quiet", onclick: () => {
      controls.splice(controls.indexOf(control), 1);
      row.remove();
      options.onInput?.();
    } }, t("remove")));
    controls.push(control);
    rows.append(row);
    return control;
  };
  const button = el("button", { type: "button", class: "quiet", id, onclick: () => {
    fieldOf(add().element).focus();
    options.onInput?.();
  } }, t("addValue"));
  const read = (control, files) => {
    const value = control.read(files);
    if (value !== undefined) return value;
    if (elementType === "string") return "";
    throw new Error(t("missing"));
  };
  return {
    id, element: el("div", { role: "group" }, rows, button),
    read: (files) => (isSet ? controls.map((control) => read(control, files)) : undefined),
    write: (values) => {
      put(rows);
      controls.length = 0;
      for (const value of values ?? []) add().write(value);
      isSet = (values ?? null) !== null;
    },
  };
}

function fileControl(id, common, isList) {
  let chosen = [];
  // The names of the files of a repeated run, which are not recorded.
  let missing = [];
  const choose = (files) => {
    [chosen, missing] = [[...files].slice(0, isList ? undefined : 1), []];
    list();
    common.onchange?.(new Event("change"));
  };
  const input = el("input", { type: "file", multiple: isList, ...common, onchange: () => choose(input.files) });
  const names = el("span.hint");
  const element = el("div", { class: "drop",
    ondragover: (event) => event.preventDefault(),
    ondrop: (event) => {
      event.preventDefault();
      choose(event.dataTransfer.files);
    } }, el("span.hint", t("dropFile")), input, names);
  const again = () => t("fileAgain", { name: clamp(missing.join(", "), 300) });
  const list = () => put(names, chosen.slice(0, 20).map((file) => el("span.file", clamp(file.name, 100), " · ", bytes(file.size))),
    missing.length ? [again(), " ", el("button", { type: "button", class: "quiet", onclick: () => choose([]) }, t("remove"))] : null);
  const reference = (file, files) => {
    files.push(file);
    const value = { index: files.length - 1, name: file.name };
    if (file.type) value.contentType = file.type;
    return { file: value };
  };
  return {
    id, element, isFile: true,
    read: (files) => {
      if (missing.length) throw new Error(again());
      if (!chosen.length) return undefined;
      const values = chosen.map((file) => reference(file, files));
      return isList ? values : values[0];
    },
    write: (value) => {
      missing = filesIn(value).map((file) => file.name);
      list();
    },
  };
}

/** Asks the app for options while the user types, with at most one request at a time. */
function attachOptions(control, parameter, offerOptions) {
  const list = el("datalist", { id: newID("options") });
  const input = control.field;
  input.setAttribute("list", list.id);
  control.element = el("span.with-options", control.element, list);
  let timer = null;
  let asked = null;
  let isAsking = false;
  const ask = async () => {
    const text = input.value;
    if (isAsking || asked === text) return;
    [isAsking, asked] = [true, text];
    try {
      const options = await offerOptions(parameter.name, text);
      // The browser shows the value of an option, which must reach the app unchanged.
      const visible = options.filter(({ value }) => typeof value !== "string" || shownLine(value) === value);
      put(list, ...visible.slice(0, 200).map((option) =>
        el("option", { value: typeof option.value === "string" ? option.value : stringify(option.value), label: clamp([option.title, option.subtitle].filter(Boolean).join(" · "), 200) })));
    } catch (error) {
      input.title = clamp(error.message, 300);
    }
    isAsking = false;
    if (input.value !== asked) ask();
  };
  input.addEventListener("focus", ask, { once: true });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  });
}

/** Formats a value as readable text. */
export function valueText(value) {
  if (value === null || value === undefined) return "–";
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (typeof value === "object") {
    if (value.file) return value.file.name;
    const object = value.object ?? value;
    return object.title ?? Object.entries(object).map(([name, item]) => `${name}: ${valueText(item)}`).join(", ");
  }
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))) return moment(Date.parse(value));
  return String(value);
}

/** Formats a value as data: strings are quoted, as the question for an approval quotes them. */
export function quotedValue(value) {
  if (typeof value === "string") return quotedText(value);
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map(quotedValue).join(", ")}]`;
  if (value.file) return `${quotedText(value.file.name)} (file ${value.file.index + 1})`;
  if (typeof value !== "object") return String(value);
  return `{${Object.entries(value.object ?? value).map(([name, item]) => `${quotedText(name)}: ${quotedValue(item)}`).join(", ")}}`;
}

/** Formats a value as nodes: a table for a list of objects, a definition list for one object. */
export function valueNodes(value) {
  if (Array.isArray(value) && value.length && value.every((item) => item?.object)) {
    return el("ul", value.slice(0, 200).map((item) => el("li", appBlock(valueText(item), 500))));
  }
  if (value?.object && !value.object.title) {
    return terms(Object.entries(value.object).slice(0, 100).map(([name, item]) => [appText(name, 100), appBlock(valueText(item), 2000)]));
  }
  return el("p.value", appBlock(valueText(value), 20_000));
}

/** Returns the files in a value, by index. */
export function filesIn(value, found = []) {
  if (Array.isArray(value)) value.forEach((item) => filesIn(item, found));
  else if (value?.file) found[value.file.index] = value.file;
  else if (value && typeof value === "object") Object.values(value.object ?? {}).forEach((item) => filesIn(item, found));
  return found;
}

/** Returns the option of a parameter, as `ParameterName.kebab` does. */
const kebab = (name) => name.replace(/(?<=[^_])(?=\p{Uppercase})(?:(?<=\P{Uppercase})|(?=.\p{Lowercase}))/gu, "-")
  .replaceAll("_", "-").replace(/\p{Uppercase}/gu, (letter) => letter.toLowerCase());

/** Quotes a word for bash(1) and zsh(1): `$'…'` if it contains a character that is not visible. */
function quoted(word) {
  if (/^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/.test(word)) return word;
  if (shownLine(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = shownLine(word.replace(/['\\]/g, "\\$&"));
  return `$'${escaped.replace(/\\\\|\\u\{([0-9A-F]+)\}/g, (found, digits) => (digits ? `\\U${digits.padStart(8, "0")}` : found))}'`;
}

/** Returns the command line of intentctl, which asks for secrets. */
export function commandLine(app, intent, values, secrets = new Set()) {
  const typed = (value) => (Array.isArray(value) ? value.map(typed) : value?.file?.name ?? value?.object ?? value);
  const given = Object.entries(values).filter(([name, value]) => !secrets.has(name) && (value ?? null) !== null).map(([name, value]) => [name, typed(value)]);
  const begin = ["intentctl", "run"];
  // An option adds an element to a list, and cannot express an empty list.
  if (given.some(([, value]) => Array.isArray(value) && !value.length)) {
    return [...begin, "--json", stringify(Object.fromEntries(given)), `${app}/${intent}`].map(quoted).join(" ");
  }
  const options = given.flatMap(([name, value]) => [value].flat().flatMap((item) => {
    const option = `--${kebab(name)}`;
    const word = typeof item === "object" ? stringify(item) : String(item);
    if (value === true) return [option];
    return typeof item === "boolean" || word.startsWith("-") ? [`${option}=${word}`] : [option, word];
  }));
  return [...begin, `${app}/${intent}`, ...options].map(quoted).join(" ");
}
