// Shows the open question of a run, with a control for its type.

import { actionButton, appBlock, appText, clamp, el, errorNodes, hint, put } from "./dom.js";
import { rangeHint } from "./form.js";
import { snippetPanel } from "./snippet.js";
import { span, t } from "./strings.js";
import { makeControl, typeOf } from "./values.js";

/**
 * `run`: an object that has at least `id`. `bound`: nodes that show what an answer approves. `presses`: true if the run
 * is the user's own, so that the controls of its snippet can be used.
 */
export function questionPanel(client, run, question, { bound = null, presses = false, onAnswered = () => {} } = {}) {
    const note = el("p", { class: "problem", role: "alert" });
    const send = async (value, files = []) => {
        note.textContent = "";
        try {
            await client.request("answer", { run: run.id, question: question.number, value }, { files });
            onAnswered();
        } catch (error) {
            put(note, ...errorNodes(error.code === "noQuestion" ? Object.assign(error, { hint: t("gone") }) : error));
        }
    };
    return el("section", { class: "panel ask", "aria-label": `${t("question")}: ${clamp(question.text, 100)} (${run.id})` },
        question.snippet ? snippetPanel(presses ? client : null, run, question.snippet) : null,
        el("h2", {}, appBlock(question.text, 20_000)),
        question.title ? hint(appText(question.title, 300)) : null,
        question.isDestructive ? el("p", { class: "problem" }, t("destructive")) : null,
        question.problem ? el("p", { class: "problem" }, appText(question.problem, 1000)) : null,
        bound,
        question.digest ? hint(`${t("digest")}: `, el("code", {}, clamp(question.digest, 80))) : null,
        question.needsOther ? hint(t("needsOther")) : controls(question, send),
        note,
        question.remainingMilliseconds !== undefined ? hint(t("expiresIn", { time: span(question.remainingMilliseconds) })) : null);
}

function controls(question, send) {
    const [type, detail] = typeOf(question.type);
    if (question.kind === "confirmation" || (type === "bool" && question.acceptLabel)) {
        return el("div", { class: "pair" },
            actionButton(clamp(question.acceptLabel ?? t("yes"), 100), () => send(true), { class: question.isDestructive ? "danger" : "primary" }),
            actionButton(clamp(question.denyLabel ?? t("no"), 100), () => send(false)));
    }
    if (question.kind === "choice" && type === "enum" && detail.length <= 12) {
        return el("div", { class: "pair" }, detail.map((item) => actionButton(clamp(item.title ?? item.value, 200), () => send(item.value), {
            class: item.style === "destructive" ? "danger" : "", title: item.subtitle ? clamp(item.subtitle, 300) : undefined,
        })));
    }
    const problem = el("p", { class: "problem", role: "alert" });
    const control = makeControl({ ...question, isOptional: question.isOptional ?? false, title: question.text }, {});
    const label = clamp(question.title ?? question.text, 200);
    (control.element.matches("input, select, textarea") ? control.element : control.element.querySelector("input, select, textarea, button"))?.setAttribute("aria-label", label);
    return el("form", { class: "form", novalidate: true, onsubmit: async (event) => {
        event.preventDefault();
        const files = [];
        problem.textContent = "";
        try {
            const value = control.read(files);
            if (value === undefined && !question.isOptional) throw new Error(t("missing"));
            await send(value ?? null, files);
        } catch (error) {
            put(problem, error.message);
        }
    } }, control.element, rangeHint(question), problem, el("p", {}, el("button", { type: "submit", class: "primary" }, t("answer"))));
}
