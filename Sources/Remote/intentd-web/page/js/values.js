// Converts values to controls, text and command-line arguments.

import { appBlock, appText, clamp, el, newID, put, terms } from "./dom.js";
import { quotedText, shownLine } from "./safe-text.js";
import { bytes, moment, t } from "./strings.js";
import { stringify } from "./packets.js";

/** Returns the name of a type and its detail. `"int"` has no detail; the detail of `{"array":"int"}` is the element
 * type. */
export function typeOf(type) {
    if (typeof type === "string") return [type, null];
    const [name, detail] = Object.entries(type)[0] ?? ["string", null];
    return [name, detail];
}

const pad = (number) => String(number).padStart(2, "0");

/** Converts a local date and time to RFC 3339, with the offset of the browser's time zone. */
function withZone(text) {
    const date = new Date(text);
    const offset = -date.getTimezoneOffset();
    const sign = offset < 0 ? "-" : "+";
    const seconds = text.length === 16 ? ":00" : "";
    return `${text}${seconds}${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
}

const localText = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** The error that a control throws for text that is not a valid value. */
class InvalidValue extends Error {}

/**
 * Creates a control for one value. `read(files)` returns the value or undefined, and appends files. It throws
 * InvalidValue. The label of `element` refers to `id`.
 */
export function makeControl(parameter, { offerOptions, onInput }) {
    const [type, detail] = typeOf(parameter.type);
    if (type === "array") return listControl(parameter, detail, { offerOptions, onInput });
    const id = newID("field");
    const start = parameter.defaultValue;
    const isRequired = !parameter.isOptional && (start === undefined || start === null);
    const common = { id, oninput: onInput, onchange: onInput, "aria-describedby": `${id}-problem`, required: isRequired };
    const text = (properties = {}) => el("input", {
        type: parameter.isSecret ? "password" : "text", autocomplete: "off", spellcheck: "false",
        value: typeof start === "string" || typeof start === "number" ? start : undefined, ...common, ...properties,
    });
    const plain = (element, convert, format) => plainControl(id, element, convert, format);

    switch (type) {
        case "bool": {
            const names = parameter.boolNames ?? { true: t("yes"), false: t("no") };
            return choiceControl(id, common, isRequired && parameter.isOptional !== true ? [["", t("choose")]] : [["", t("none")]],
                [["true", names.true], ["false", names.false]], start, (word) => word === "true");
        }
        case "enum": {
            if (detail.length <= 200) {
                return choiceControl(id, common, [["", isRequired ? t("choose") : t("none")]],
                    detail.map((item) => [item.value, item.title ?? item.value]), start);
            }
            break;
        }
        case "int": {
            const { lowerBound, upperBound } = parameter.range ?? {};
            return plain(text({ type: "number", step: "1", min: lowerBound, max: upperBound }), (word) => {
                if (!/^[-+]?\d+$/.test(word)) throw new InvalidValue(t("badInteger"));
                const number = Number(word);
                return Number.isSafeInteger(number) ? number : BigInt(word);
            });
        }
        case "double":
        case "duration":
            return plain(text({ type: "number", step: "any", min: parameter.range?.lowerBound, max: parameter.range?.upperBound }), (word) => {
                const number = Number(word);
                if (!Number.isFinite(number)) throw new InvalidValue(t("badNumber"));
                return number;
            });
        case "decimal": return plain(text({ inputmode: "decimal" }));
        case "date": {
            if (parameter.dateKind === "date") return plain(text({ type: "date", value: start?.slice(0, 10) }), (word) => withZone(`${word}T00:00`), (value) => localText(new Date(value)).slice(0, 10));
            if (parameter.dateKind === "time") return plain(text({ type: "time" }), (word) => withZone(`${localText(new Date()).slice(0, 10)}T${word}`), (value) => localText(new Date(value)).slice(11));
            const value = start ? localText(new Date(start)) : undefined;
            return plain(text({ type: "datetime-local", value }), withZone, (moment) => localText(new Date(moment)));
        }
        case "dateComponents": {
            const kind = { date: "date", time: "time" }[parameter.dateKind] ?? "text";
            return plain(text({ type: kind, placeholder: kind === "text" ? "2026-11-21 09:30" : undefined }));
        }
        case "url": return plain(text({ type: "url", placeholder: "https://" }));
        case "measurement":
        case "currencyAmount": return amountControl(id, common, type, detail, start);
        case "file": return fileControl(id, common, false);
        case "object": {
            const area = el("textarea", { rows: "3", spellcheck: "false", ...common }, start ? stringify(start) : "");
            return plain(area, (word) => {
                try {
                    const value = JSON.parse(word);
                    return value?.object ? value : { object: value };
                } catch {
                    throw new InvalidValue(t("badJSON"));
                }
            }, stringify);
        }
    }
    const control = plain(text());
    if ((parameter.hasOptions || (type === "entity" && detail?.isSearchable)) && offerOptions) attachOptions(control, parameter, offerOptions);
    return control;
}

function choiceControl(id, common, empty, choices, start, convert) {
    const chosen = start === undefined || start === null ? "" : String(start);
    const element = el("select", common, [...empty, ...choices].map(([value, title]) =>
        el("option", { value, selected: value === chosen }, clamp(title, 200))));
    return plainControl(id, element, convert);
}

/** A control that is one element. `convert` and `format` convert its text to a value, and a value to its text. */
function plainControl(id, element, convert = (word) => word, format = String) {
    return {
        id, element,
        read: () => (element.value === "" ? undefined : convert(element.value)),
        write: (value) => void (element.value = format(value)),
    };
}

function amountControl(id, common, type, units, start) {
    const [number, unit] = typeof start === "string" ? start.split(" ") : ["", ""];
    const amount = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", value: number, ...common });
    const label = type === "measurement" ? "unit" : "currency";
    const choice = units.length
        ? el("select", { "aria-label": label, onchange: common.onchange }, units.map((name) => el("option", { value: name, selected: name === unit }, clamp(name, 40))))
        : el("input", { type: "text", "aria-label": label, maxlength: "3", size: "4", value: unit, oninput: common.oninput });
    return {
        id, element: el("span", { class: "pair" }, amount, choice),
        read: () => (amount.value === "" ? undefined : `${amount.value} ${choice.value}`),
        write: (value) => void ([amount.value, choice.value] = String(value).split(" ")),
    };
}

/** Creates a control for a list of values or files. */
function listControl(parameter, elementType, options) {
    if (typeOf(elementType)[0] === "file") return fileControl(newID("field"), { onchange: options.onInput }, true);
    const id = newID("field");
    const rows = el("div", { class: "rows" });
    const controls = [];
    const add = (value) => {
        const control = makeControl({ ...parameter, type: elementType, isOptional: true, defaultValue: value }, options);
        control.element.setAttribute("aria-label", `${clamp(parameter.title, 100)} ${controls.length + 1}`);
        const row = el("div", { class: "pair" }, control.element, el("button", { type: "button", class: "quiet", onclick: () => {
            controls.splice(controls.indexOf(control), 1);
            row.remove();
            options.onInput?.();
        } }, t("remove")));
        controls.push(control);
        rows.append(row);
        return control;
    };
    for (const value of Array.isArray(parameter.defaultValue) ? parameter.defaultValue.slice(0, 100) : []) add(value);
    const button = el("button", { type: "button", class: "quiet", id, onclick: () => add().element.focus() }, t("addValue"));
    return {
        id, element: el("div", { role: "group" }, rows, button),
        read: (files) => {
            const values = controls.map((control) => control.read(files)).filter((value) => value !== undefined);
            return values.length || controls.length ? values : undefined;
        },
        write: (values) => {
            put(rows);
            controls.length = 0;
            for (const value of values) add().write(value);
        },
    };
}

function fileControl(id, common, isList) {
    const input = el("input", { type: "file", multiple: isList, ...common, onchange: (event) => {
        chosen = [...input.files];
        list();
        common.onchange?.(event);
    } });
    const names = el("span", { class: "hint" });
    const element = el("div", { class: "drop",
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => {
            event.preventDefault();
            chosen = isList ? [...event.dataTransfer.files] : [...event.dataTransfer.files].slice(0, 1);
            list();
            common.onchange?.(event);
        } }, el("span", { class: "hint" }, t("dropFile")), input, names);
    let chosen = [];
    const list = () => put(names, ...chosen.slice(0, 20).map((file) => el("span", { class: "file" }, clamp(file.name, 100), " · ", bytes(file.size))));
    const reference = (file, files) => {
        files.push(file);
        const value = { index: files.length - 1, name: file.name };
        if (file.type) value.contentType = file.type;
        return { file: value };
    };
    return {
        id, element, isFile: true,
        read: (files) => {
            if (!chosen.length) return undefined;
            const values = chosen.map((file) => reference(file, files));
            return isList ? values : values[0];
        },
        write: () => {},
    };
}

/** Asks the app for options while the user types, with at most one request at a time. */
function attachOptions(control, parameter, offerOptions) {
    const list = el("datalist", { id: newID("options") });
    const input = control.element;
    input.setAttribute("list", list.id);
    control.element = el("span", { class: "with-options" }, input, list);
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
        return el("ul", {}, value.slice(0, 200).map((item) => el("li", {}, appBlock(valueText(item), 500))));
    }
    if (value?.object && !value.object.title) {
        return terms(Object.entries(value.object).slice(0, 100).map(([name, item]) => [appText(name, 100), appBlock(valueText(item), 2000)]));
    }
    return el("p", { class: "value" }, appBlock(valueText(value), 20_000));
}

/** Returns the files in a value, by index. */
export function filesIn(value, found = []) {
    if (Array.isArray(value)) value.forEach((item) => filesIn(item, found));
    else if (value?.file) found[value.file.index] = value.file;
    else if (value && typeof value === "object") Object.values(value.object ?? {}).forEach((item) => filesIn(item, found));
    return found;
}

const kebab = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
/** Quotes a word for bash(1) and zsh(1): `$'…'` if it contains a character that is not visible. */
export function quoted(word) {
    if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
    if (shownLine(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
    const escaped = shownLine(word.replace(/['\\]/g, "\\$&"));
    return `$'${escaped.replace(/\\\\|\\u\{([0-9A-F]+)\}/g, (found, digits) => (digits ? `\\U${digits.padStart(8, "0")}` : found))}'`;
}

/** Returns the equivalent intentctl command line. */
export function commandLine(app, intent, values, secrets = new Set()) {
    const words = ["intentctl", "run", `${app}/${intent}`];
    for (const [name, value] of Object.entries(values)) {
        const option = `--${kebab(name)}`;
        if (secrets.has(name)) {
            words.push(option, "…");
            continue;
        }
        for (const item of Array.isArray(value) ? value : [value]) {
            if (item === true) words.push(option);
            else if (item === false) words.push(`--no-${kebab(name)}`);
            else words.push(option, item?.file ? item.file.name : item?.object ? stringify(item.object) : String(item));
        }
    }
    return words.map((word) => (word === "…" ? word : quoted(word))).join(" ");
}
