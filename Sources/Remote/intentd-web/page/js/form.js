// The form of an intent, made from its parameters.

import { act, actionButton, alertLine, appText, clamp, el, hint, put } from "./dom.js";
import { parse, stringify } from "./json.js";
import { bytes, t } from "./strings.js";
import { commandLine, fieldOf, makeControl, valueText } from "./values.js";

const REMEMBERED = "intentd.values:";

/** Creates the form. `story`: the run to repeat, or null. */
export function intentForm(client, app, intent, story, signal, onStarted) {
  const secrets = new Set(intent.parameters.filter((parameter) => parameter.isSecret).map((parameter) => parameter.name));
  const storageKey = `${REMEMBERED}${app.name}/${intent.name}`;
  const fields = [];
  const sentence = el("p.sentence", { "aria-live": "polite" });
  const line = el("code.command");
  const problem = alertLine();
  const sending = el("p.hint", { role: "status" });
  const remember = el("input", { type: "checkbox", id: "remember" });

  // A secret is not recorded. Without it, another command would run.
  const isRequired = ({ name, isOptional, defaultValue }) => (!isOptional && (defaultValue ?? null) === null) || story?.secretNames?.includes(name);

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
        else if (isRequired(parameter)) message = t("missing");
      } catch (error) {
        message = error.message;
      }
      if (message) isValid = false;
      if (!isDraft) put(note, message);
    }
    return { values, files, isValid };
  }

  /** Returns the values that may be stored, as JSON. */
  const storable = (values) => stringify(Object.fromEntries(fields
    .filter(({ parameter, control }) => parameter.name in values && !parameter.isSecret && !control.isFile)
    .map(({ parameter }) => [parameter.name, values[parameter.name]])));

  // The browser keeps the state with the entry of its history: Back, a new language and reload find it.
  let timer;
  const keep = (values, isNow) => {
    clearTimeout(timer);
    const store = () => history.replaceState({ form: storable(values) }, "");
    if (isNow) store();
    // Browsers limit how often a page may store it.
    else timer = setTimeout(store, 300);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  addEventListener("beforeunload", () => keep(collect(true).values, true), { signal });

  function refresh(event) {
    const { values } = collect(true);
    keep(values, event?.type === "change");
    const template = sentenceFor(intent, values);
    put(sentence, ...(template ? sentenceNodes(template, intent, values) : []));
    put(line, commandLine(app.name, intent.name, values, secrets));
    for (const { note } of fields) note.textContent = "";
  }

  for (const parameter of intent.parameters) {
    const control = makeControl(parameter, { offerOptions, onInput: refresh });
    const note = el("span.problem", { id: `${control.id}-problem` });
    fields.push({ parameter, control, note });
    control.row = el("div.field",
      el("label", { for: control.id }, appText(parameter.title || parameter.name, 200),
        isRequired(parameter) && el("span.hint", ` (${t("required")})`)),
      parameter.summary && el("span.hint", appText(parameter.summary, 1000)),
      control.element,
      rangeHint(parameter), note);
  }

  /** Shows values. Fields without a value keep theirs, unless `isWhole`. */
  const write = (values, isWhole) => {
    for (const { parameter, control } of fields) {
      if (Object.hasOwn(values, parameter.name) || (isWhole && !control.isFile)) control.write(values[parameter.name]);
    }
  };

  const draft = history.state?.form;
  const kept = localStorage.getItem(storageKey);
  remember.checked = kept !== null;
  try {
    if (story) write(story.values);
    else if (kept && !draft) write(parse(kept));
    if (draft) write(parse(draft), true);
  } catch {
    localStorage.removeItem(storageKey);
  }

  async function perform() {
    problem.textContent = "";
    const { values, files, isValid } = collect(false);
    keep(values, true);
    if (!isValid) {
      const { element } = fields.find(({ note }) => note.textContent).control;
      return void fieldOf(element).focus();
    }
    if (intent.details?.effect === "destroys" && !(await confirmed())) return;
    if (remember.checked) localStorage.setItem(storageKey, storable(values));
    else localStorage.removeItem(storageKey);
    let done = 0;
    const all = bytes(files.reduce((sum, file) => sum + file.size, 0));
    const onSent = (count) => {
      done += count;
      sending.textContent = t("sent", { done: bytes(done), all });
    };
    await act(button, problem, async () => onStarted(await client.perform({ app: app.name, intent: intent.name, values }, { files, onSent })));
    sending.textContent = "";
  }

  const button = el("button", { type: "submit", class: "primary" }, t("run"));
  const form = el("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    perform();
  } },
    fields.map(({ control }) => control.row), sentence,
    el("div.field", el("span.hint", t("commandLine")), el("div.pair", line,
      actionButton(t("copy"), () => navigator.clipboard.writeText(line.textContent), { class: "quiet" }))),
    el("div.pair.check", remember, el("label", { for: "remember" }, t("remember"))),
    intent.details?.authentication && intent.details.authentication !== "alwaysAllowed" && hint(t("needsAuthentication")),
    el("div.pair", button, sending), problem);
  refresh({ type: "change" });
  return form;
}

export function rangeHint({ range, size }) {
  const texts = [[range?.lowerBound, range?.upperBound], [size?.minimum, size?.maximum]].filter(([low, high]) => (low ?? high) !== undefined)
    .map(([low, high]) => t(low === undefined ? "atMost" : high === undefined ? "atLeast" : "range", { low, high }));
  return texts.length > 0 && el("span.hint", texts.join(" · "));
}

/** Asks before an action that cannot be undone. */
const confirmed = () => new Promise((resolve) => {
  const answer = (value, kind, key) => el("button", { value, class: kind, autofocus: kind === "primary" }, t(key));
  const dialog = el("dialog.panel", { "aria-label": t("confirmDestructive"), onclose: () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  } }, el("form", { method: "dialog" }, el("p", t("confirmDestructive")),
    el("div.pair", answer("no", "primary", "no"), answer("yes", "danger", "yes"))));
  document.body.append(dialog);
  dialog.showModal();
});

/** Returns the first sentence with conditions that are all true. */
function sentenceFor(intent, values) {
  const sentences = intent.details?.sentences ?? [];
  const compare = ({ parameter, comparison, values: others = [] }) => {
    const value = values[parameter] ?? intent.parameters.find(({ name }) => name === parameter)?.defaultValue ?? null;
    const [other] = others;
    const text = `${value ?? ""}`;
    const is = (one) => stringify(value) === stringify(one);
    return { __proto__: null,
      equalTo: is(other), notEqualTo: !is(other), oneOf: others.some(is),
      hasAnyValue: value !== null, hasNoValue: value === null,
      lessThan: value < other, lessThanOrEqualTo: value <= other,
      greaterThan: value > other, greaterThanOrEqualTo: value >= other,
      contains: text.includes(other), doesNotContain: !text.includes(other),
      hasPrefix: text.startsWith(other), hasSuffix: text.endsWith(other),
    }[comparison] ?? false;
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
