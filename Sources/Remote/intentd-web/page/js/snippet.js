// Shows a snippet. Its controls perform intents of its app as runs of the page's user.

import { act, actionButton, appBlock, clamp, el, idLink, pictureType, put } from "./dom.js";
import { snippetNode, treeOf } from "./snippet-nodes.js";
import { t } from "./strings.js";

function control(element, classes, content, label, press) {
  if (typeof element.isOn !== "boolean") {
    return actionButton(content, () => press(element.action), { class: classes(element.isDestructive ? "danger" : ""), disabled: !press, "aria-label": label });
  }
  const problem = el("span.problem", { role: "alert" });
  const input = el("input", { type: "checkbox", role: "switch", checked: element.isOn, disabled: !press, "aria-label": label, onchange: async () => {
    await act(input, problem, () => press(element.action));
    if (problem.textContent) input.checked = element.isOn;
  } });
  return el("span.action", el("label", { class: classes("check s-toggle") }, input, " ", content), problem);
}

/** Returns a panel, which shows the refreshed snippet after a control was used. `client`: null disables the controls. */
export function snippetPanel(client, run, snippet, urls = []) {
  const note = el("p.hint", { role: "status" });
  const body = el("div.s-body");
  const panel = el("section.panel.snippet", { "aria-label": t("shown") }, body, note);

  async function perform(reference) {
    const next = await client.perform({ app: run.app, intent: reference.intent, values: reference.values ?? {} });
    put(note, `${t("running")} `, idLink(next.id));
    const { outcome, account } = await client.ended(next);
    if (outcome.kind !== "done") throw new Error(clamp(outcome.message ?? t(outcome.reason ?? outcome.kind), 1000));
    put(note, outcome.dialog && appBlock(outcome.dialog));
    return { run: next, snippet: account?.details?.snippet };
  }

  function draw(owner, current) {
    const tree = treeOf(current);
    const press = client && run.app ? async (action) => {
      let shown = await perform(action);
      const dialog = [...note.childNodes];
      if (!shown.snippet && current.source) {
        shown = await perform(current.source);
        if (!note.childNodes.length) put(note, dialog);
      }
      if (shown.snippet) draw(shown.run, shown.snippet);
    } : null;
    const host = {
      el, line: clamp, block: appBlock, progressLabel: t("progress"),
      async picture(file) {
        const type = pictureType(file);
        const blob = type && client && (await client.file(owner, file.index).catch(() => null));
        if (blob) return urls[urls.push(URL.createObjectURL(new Blob([blob], { type }))) - 1];
      },
      link: ({ address }, content, label) => el("a", { href: address, target: "_blank", rel: "noopener noreferrer", "aria-label": label }, content),
      control: (...parts) => control(...parts, press),
    };
    put(body, tree && snippetNode(tree, host));
  }

  draw(run, snippet);
  return panel;
}
