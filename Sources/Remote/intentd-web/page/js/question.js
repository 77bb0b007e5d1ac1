// Shows the open question of a run, with a control for its type.

import { act, actionButton, alertLine, appBlock, appText, clamp, el, hint } from "./dom.js";
import { rangeHint } from "./form.js";
import { snippetPanel } from "./snippet.js";
import { span, t } from "./strings.js";
import { fieldOf, makeControl, typeOf } from "./values.js";

/**
 * `run`: an object that has at least `id`. `bound`: nodes that show what an answer approves. `presses`: true if the run
 * is the user's own, so that the controls of its snippet can be used.
 */
export function questionPanel(client, run, question, { bound = null, presses = false, onAnswered = () => {} } = {}) {
  const send = async (value, files = []) => {
    try {
      await client.request("answer", { run: run.id, question: question.number, value }, { files });
      onAnswered();
    } catch (error) {
      throw error.code === "noQuestion" ? Object.assign(error, { hint: t("gone") }) : error;
    }
  };
  return el("section.panel.ask", { "aria-label": `${t("question")}: ${clamp(question.text, 100)} (${run.id})` },
    question.snippet && snippetPanel(presses ? client : null, run, question.snippet),
    el("h2", appBlock(question.text, 20_000)),
    question.title && hint(appText(question.title, 300)),
    question.isDestructive && el("p.problem", t("destructive")),
    question.problem && el("p.problem", appText(question.problem, 1000)),
    bound,
    question.digest && hint(`${t("digest")}: `, el("code", clamp(question.digest, 80))),
    question.needsOther ? hint(t("needsOther")) : controls(question, send),
    question.remainingMilliseconds !== undefined && hint(t("expiresIn", { time: span(question.remainingMilliseconds) })));
}

function controls(question, send) {
  const [type, detail] = typeOf(question.type);
  if (question.kind === "confirmation" || (type === "bool" && question.acceptLabel)) {
    return el("div.pair",
      actionButton(clamp(question.acceptLabel ?? t("yes"), 100), () => send(true), { class: question.isDestructive ? "danger" : "primary" }),
      actionButton(clamp(question.denyLabel ?? t("no"), 100), () => send(false), { class: question.isDestructive ? "primary" : "" }));
  }
  if (question.kind === "choice" && type === "enum" && detail.length <= 12) {
    return el("div.pair", detail.map((item) => actionButton(clamp(item.title ?? item.value, 200), () => send(item.value), {
      class: item.style === "destructive" ? "danger" : "", title: item.subtitle ? clamp(item.subtitle, 300) : undefined,
    })));
  }
  const problem = alertLine();
  const control = makeControl({ ...question, isOptional: question.isOptional ?? false, title: question.text }, {});
  const label = clamp(question.title ?? question.text, 200);
  fieldOf(control.element, ", button").setAttribute("aria-label", label);
  const button = el("button.primary", { type: "submit" }, t("answer"));
  return el("form.form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    act(button, problem, async () => {
      const files = [];
      const value = control.read(files);
      if (value === undefined && !question.isOptional) throw new Error(t("missing"));
      await send(value ?? null, files);
    });
  } }, control.element, rangeHint(question), problem, el("p", button));
}
