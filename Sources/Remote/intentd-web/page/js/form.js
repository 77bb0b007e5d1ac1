// The form of an intent, made from its parameters.

import { actionButton, appText, clamp, el, errorNodes, hint, put } from "./dom.js";
import { stringify } from "./packets.js";
import { bytes, t } from "./strings.js";
import { commandLine, makeControl, valueText } from "./values.js";

const REMEMBERED = "intentd.values:";

/** Creates the form. `start`: the initial values of the controls, or null. */
export function intentForm(client, app, intent, start, onStarted) {
    const secrets = new Set(intent.parameters.filter((parameter) => parameter.isSecret).map((parameter) => parameter.name));
    const storageKey = `${REMEMBERED}${app.name}/${intent.name}`;
    const fields = [];
    const sentence = el("p", { class: "sentence", "aria-live": "polite" });
    const line = el("code", { class: "command" });
    const problem = el("p", { class: "problem", role: "alert" });
    const sending = el("p", { class: "hint", role: "status" });
    const remember = el("input", { type: "checkbox", id: "remember" });

    const offerOptions = (parameter, text) => {
        const query = text ? { parameter, text } : { parameter };
        return client.options(app.name, intent.name, query, collect(true).values);
    };

    /** Reads all controls. `isDraft`: skip invalid input. */
    function collect(isDraft) {
        const files = [];
        const values = {};
        let isValid = true;
        for (const { parameter, control, note } of fields) {
            let message = "";
            try {
                const value = control.read(files);
                if (value !== undefined) values[parameter.name] = value;
                else if (!parameter.isOptional && (parameter.defaultValue ?? null) === null) message = t("missing");
            } catch (error) {
                message = error.message;
            }
            if (message) isValid = false;
            if (!isDraft) put(note, message);
        }
        return { values, files, isValid };
    }

    function refresh() {
        const { values } = collect(true);
        const template = sentenceFor(intent, values);
        put(sentence, ...(template ? sentenceNodes(template, intent, values) : []));
        put(line, commandLine(app.name, intent.name, values, secrets));
        for (const { note } of fields) note.textContent = "";
    }

    for (const parameter of intent.parameters) {
        const control = makeControl(parameter, { offerOptions, onInput: refresh });
        const note = el("span", { class: "problem", id: `${control.id}-problem` });
        fields.push({ parameter, control, note });
        control.row = el("div", { class: "field" },
            el("label", { for: control.id }, appText(parameter.title || parameter.name, 200),
                !parameter.isOptional && (parameter.defaultValue ?? null) === null ? el("span", { class: "hint" }, ` (${t("required")})`) : null),
            parameter.summary ? el("span", { class: "hint" }, appText(parameter.summary, 1000)) : null,
            control.element,
            rangeHint(parameter), note);
    }

    const kept = localStorage.getItem(storageKey);
    if (start) {
        for (const { parameter, control } of fields) if (start[parameter.name] !== undefined && start[parameter.name] !== null) control.write(start[parameter.name]);
    } else if (kept) {
        remember.checked = true;
        try {
            const values = JSON.parse(kept);
            for (const { parameter, control } of fields) if (parameter.name in values) control.write(values[parameter.name]);
        } catch {
            localStorage.removeItem(storageKey);
        }
    }

    async function perform() {
        problem.textContent = "";
        const { values, files, isValid } = collect(false);
        if (!isValid) {
            fields.find(({ note }) => note.textContent)?.control.element.querySelector?.("input, select, textarea")?.focus();
            fields.find(({ note }) => note.textContent)?.control.element.focus?.();
            return;
        }
        if (intent.details?.effect === "destroys" && !confirm(t("confirmDestructive"))) return;
        if (remember.checked) {
            const plain = Object.fromEntries(fields
                .filter(({ parameter, control }) => parameter.name in values && !parameter.isSecret && !control.isFile)
                .map(({ parameter, control }) => [parameter.name, control.element.value ?? values[parameter.name]]));
            localStorage.setItem(storageKey, JSON.stringify(plain, (key, item) => (typeof item === "bigint" ? String(item) : item)));
        } else {
            localStorage.removeItem(storageKey);
        }
        let done = 0;
        const all = files.reduce((sum, file) => sum + file.size, 0);
        button.disabled = true;
        try {
            const run = await client.perform({ app: app.name, intent: intent.name, values }, { files, onSent: (count) => {
                done += count;
                sending.textContent = t("sent", { done: bytes(done), all: bytes(all) });
            } });
            onStarted(run);
        } catch (error) {
            put(problem, ...errorNodes(error));
        }
        sending.textContent = "";
        button.disabled = false;
    }

    const button = el("button", { type: "submit", class: "primary" }, t("run"));
    const form = el("form", { class: "form", novalidate: true, onsubmit: (event) => {
        event.preventDefault();
        perform();
    } },
        fields.map(({ control }) => control.row), sentence,
        el("div", { class: "field" }, el("span", { class: "hint" }, t("commandLine")), el("div", { class: "pair" }, line,
            actionButton(t("copy"), () => navigator.clipboard.writeText(line.textContent), { class: "quiet" }))),
        el("div", { class: "pair check" }, remember, el("label", { for: "remember" }, t("remember"))),
        intent.details?.authentication && intent.details.authentication !== "alwaysAllowed" ? hint(t("needsAuthentication")) : null,
        el("div", { class: "pair" }, button, sending), problem);
    refresh();
    return form;
}

export function rangeHint({ range, size }) {
    const texts = [];
    for (const [low, high] of [[range?.lowerBound, range?.upperBound], [size?.minimum, size?.maximum]]) {
        if (low !== undefined && high !== undefined) texts.push(t("range", { low, high }));
        else if (low !== undefined) texts.push(t("atLeast", { low }));
        else if (high !== undefined) texts.push(t("atMost", { high }));
    }
    return texts.length ? el("span", { class: "hint" }, texts.join(" · ")) : null;
}

/** Returns the first sentence with conditions that are all true. */
function sentenceFor(intent, values) {
    const sentences = intent.details?.sentences ?? [];
    const compare = (condition) => {
        const value = values[condition.parameter] ?? intent.parameters.find(({ name }) => name === condition.parameter)?.defaultValue;
        const others = condition.values ?? [];
        const is = (other) => stringify(value) === stringify(other);
        switch (condition.comparison) {
            case "equalTo": return is(others[0]);
            case "notEqualTo": return !is(others[0]);
            case "lessThan": return value < others[0];
            case "lessThanOrEqualTo": return value <= others[0];
            case "greaterThan": return value > others[0];
            case "greaterThanOrEqualTo": return value >= others[0];
            case "oneOf": return others.some(is);
            case "hasAnyValue": return value !== undefined && value !== null;
            case "hasNoValue": return value === undefined || value === null;
            default: return false;
        }
    };
    return sentences.find((item) => (item.conditions ?? []).every(compare))?.text ?? intent.sentence;
}

function sentenceNodes(template, intent, values) {
    return template.slice(0, 2000).split(/(\$\{\w+\})/).map((part) => {
        const name = /^\$\{(\w+)\}$/.exec(part)?.[1];
        if (!name) return clamp(part, 1000);
        const parameter = intent.parameters.find((item) => item.name === name);
        const value = values[name] ?? parameter?.defaultValue;
        const isSet = value !== undefined && value !== null;
        return el(isSet ? "strong" : "em", {}, appText(isSet ? (parameter?.isSecret ? "•••" : valueText(value)) : parameter?.title ?? name, 200));
    });
}
