// Shows one run: its state, its question, its outcome, and the explanation.

import { timeline, usageCharts } from "./charts.js";
import { actionButton, appBlock, appText, clamp, dataText, el, errorNodes, heading, hint, pictureType, put, show, terms } from "./dom.js";
import { questionPanel } from "./question.js";
import { snippetPanel } from "./snippet.js";
import { shownLine } from "./safe-text.js";
import { bytes, kindOf, moment, setTitle, span, stateName, t } from "./strings.js";
import { Terminal, visibleLine } from "./terminal.js";
import { commandLine, filesIn, quotedValue, valueNodes } from "./values.js";

const PREVIEW_LIMIT = 2_000_000;

export const badge = (run) => el("span", { class: `badge ${kindOf(run)}` }, stateName(kindOf(run)));

export function runView(client, content, id, signal) {
  const parts = Object.fromEntries(["head", "progress", "question", "result", "files", "steps", "timeline", "facts"].map((name) => [name, el("div")]));
  const output = el("pre", { role: "log", "aria-label": t("output"), tabindex: "0" });
  let terminal = new Terminal(output);
  const omitted = hint();
  const outputBox = el("section", heading("output"), omitted, output);
  const announcement = el("p.hint", { role: "status" });
  put(content, parts.head, announcement, parts.question, parts.progress, parts.steps, parts.result, parts.files, outputBox, parts.timeline, parts.facts);
  const urls = [];
  signal.addEventListener("abort", () => urls.forEach((url) => URL.revokeObjectURL(url)));
  let run = null;
  // The part of `run.printed` that is shown.
  let printed = 0;
  let frame = null;
  let title = "";
  let story = null;
  let isAsking = false;
  // True after the complete output was loaded, false after a part.
  let loaded;
  let samples = [];
  const stepValues = new Map();

  const cancel = actionButton(t("cancel"), async () => {
    announcement.textContent = t("cancelWaits");
    await client.request("cancel", { run: id });
  }, { class: "danger" });

  function draw() {
    const state = run.end ? run.end.outcome.kind : run.state ?? "queued";
    const name = `${run.app ?? ""}/${run.intent ?? ""}`;
    const kind = kindOf({ state, ...run.end?.outcome });
    const heading = run.title || title || name;
    setTitle(`${stateName(kind)} · ${clamp(heading, 100)}`);
    show(parts.head, `${state}${name}${heading}${run.stopReason}`, () => [
      el("h1", appText(heading, 300)),
      el("div.pair", el("span", { class: `badge ${kind}`, role: "status", "data-state": state }, stateName(kind)),
        el("span.hint", appText(name, 200), " · ", el("code", id)),
        run.end ? null : cancel),
      run.state === "stopping" && hint(run.stopReason ? `${t(run.stopReason)}. ` : "", t("cancelWaits")),
      run.live?.waitsFor && state === "queued" && hint(t("waitsFor", { text: clamp(run.live.waitsFor, 300) })),
    ]);
    const question = run.question;
    show(parts.question, question ? `${question.number}${question.problem ?? ""}` : "", () => (question ? [questionPanel(client, run, question, { presses: true })] : []));
    drawProgress();
    // Each change of the text takes a layout.
    frame ??= requestAnimationFrame(drawOutput);
    if (run.end) {
      announcement.textContent = "";
      show(parts.result, "end", () => result(run.end));
      show(parts.files, "end", () => files());
    }
  }

  function drawOutput() {
    frame = null;
    const unseen = run.printed - printed;
    if (unseen > run.output.length) terminal.isCut = true;
    if (unseen) terminal.append(run.output.slice(-unseen));
    printed = run.printed;
    outputBox.hidden = !(output.firstChild.length + output.lastChild.length);
    put(omitted, terminal.isCut && [t("omitted"), " ", el("code", `intentctl logs ${id}`)]);
  }

  function drawProgress() {
    const progress = run.progress;
    parts.progress.hidden = Boolean(run.end);
    if (run.end) return;
    if (progress) {
      const fraction = progress.fraction ?? 0;
      const counts = progress.totalUnitCount > 0 ? `${progress.completedUnitCount} / ${progress.totalUnitCount}` : `${Math.round(fraction * 100)} %`;
      show(parts.progress, JSON.stringify(progress), () => {
        const text = [progress.title, progress.detail].filter(Boolean).map((line) => clamp(line, 200)).join(" · ");
        return [el("progress", { max: "1", value: String(fraction), "aria-label": t("progress") }), hint(appText(text, 400), text ? " · " : "", counts, " ", clock)];
      });
    } else show(parts.progress, "clock", () => hint(clock));
  }

  const clock = el("span");

  /** Shows the deadline, which progress extends. */
  async function tick() {
    if (!run || run.end || document.hidden || client.state !== "open") return;
    try {
      const live = (await client.request("runs")).runs.find((item) => item.run === id);
      if (!live || signal.aborted) return;
      run.live = live;
      if (live.title) run.title = live.title;
      if (live.remainingMilliseconds !== undefined) {
        samples.push({ at: Number(live.ageMilliseconds), left: Number(live.remainingMilliseconds) });
        // Keep every second sample of a long run.
        if (samples.length > 600) samples = samples.filter((unused, index) => index % 2 === 0);
      }
      clock.textContent = live.remainingMilliseconds !== undefined ? t("deadline", { time: span(live.remainingMilliseconds) }) : run.state === "asking" || live.isHeld ? t("clockPaused") : "";
      draw();
    } catch {
      // Ignore the error: the next tick asks again.
    }
  }

  function result(end) {
    const { outcome, account } = end;
    const { supportingDialog, snippet, denial, crash, undo } = account?.details ?? {};
    const reason = outcome.message ?? (outcome.reason ? t(outcome.reason) : outcome.end ? Object.entries(outcome.end)[0].join(" ") : "");
    return [
      reason && el("p", { class: outcome.kind === "done" ? "" : "problem" }, appBlock(reason)),
      outcome.dialog && el("p", appBlock(outcome.dialog)),
      supportingDialog && el("p", appBlock(supportingDialog)),
      snippet && snippetPanel(client, run, snippet, urls),
      (outcome.value ?? null) !== null && el("section", { "aria-label": t("value") }, heading("value"), valueNodes(outcome.value)),
      denial && el("p.problem", `${t("sandbox")}: `, el("code", clamp(denialText(denial), 600))),
      crash && crashOf(crash, run.app, id),
      account ? hint([span(account.runtimeMilliseconds), account.signals?.join(", "),
        account.leftoverProcessCount ? t("leftover", { count: account.leftoverProcessCount }) : t("nothingLeft")].filter(Boolean).join(" · ")) : null,
      el("div.pair",
        undo ? actionButton([t("undo"), undo.name && clamp(undo.name, 80)].filter(Boolean).join(": "), async () => {
          const undoing = await client.perform({ undoOf: id, key: `undo:${id}` });
          location.hash = `#/run/${undoing.id}`;
        }) : null,
        run.app && el("a", { href: `#/intent/${encodeURIComponent(run.app)}/${encodeURIComponent(run.intent)}/${id}` }, t("retry"))),
    ];
  }

  function files() {
    const references = filesIn(run.end.outcome.value).filter(Boolean).slice(0, 256);
    if (!references.length) return [];
    return [heading("files"), el("ul", references.map((file) => el("li", fileItem(file))))];
  }

  function fileItem(file) {
    const preview = el("div");
    const load = () => client.file(run, file.index);
    const address = (blob) => {
      urls.push(URL.createObjectURL(blob));
      return urls.at(-1);
    };
    const picture = pictureType(file);
    const quiet = (key, action) => actionButton(t(key), action, { class: "quiet", "aria-label": `${t(key)} ${clamp(file.name, 100)}` });
    // A file from an app is saved, or shown as an image or as text, but never opened as a page.
    return [appText(file.name, 200), " ",
      quiet("save", async () => {
        const blob = await load();
        const name = shownLine(file.name).replace(/[/\\]/g, "_").replace(/^\.+/, "_").slice(0, 200) || "file";
        el("a", { href: address(new Blob([blob], { type: "application/octet-stream" })), download: name }).click();
      }), " ",
      quiet("preview", async () => {
        const blob = await load();
        if (picture) put(preview, el("img.preview", { alt: clamp(file.name, 200), src: address(new Blob([blob], { type: picture })) }));
        else put(preview, el("pre", { tabindex: "0" }, (await blob.slice(0, PREVIEW_LIMIT).text()).slice(0, 100_000).split("\n").map(visibleLine).join("\n")));
      }), preview];
  }

  async function loadStory() {
    if (isAsking || document.hidden || client.state !== "open") return;
    isAsking = true;
    try {
      story = (await client.request("story", { run: id })).story;
      if (!signal.aborted) {
        const key = `${story.changes.length}${story.end ? "e" : Date.now()}${story.exit ? "x" : ""}`;
        show(parts.timeline, key, () => [heading("timeline"), timeline(story, samples, run.live?.ageMilliseconds), usageCharts(story, run.live?.ageMilliseconds)]);
        show(parts.facts, key, () => facts(story));
        // A shortcut has no worker.
        if (!story.summary.isolation) await loadSteps();
        // While the run lives, its further output arrives as events.
        // The end shows output that was lost later. Until then, the text stays where a reader reads it.
        const isWhole = Boolean(story.end);
        if (run.gaps && loaded !== isWhole && (isWhole || run.isPartial)) {
          loaded = isWhole;
          await loadOutput();
        }
      }
    } catch (error) {
      if (error.code !== "historyUnavailable" && !parts.facts.dataset.key) put(parts.facts, hint(appText(error.message, 300)));
    }
    isAsking = false;
  }

  /** Shows a shortcut's steps, oldest first. */
  async function loadSteps() {
    const { runs } = (await client.request("history", { shortcut: id, count: 1000 })).history;
    for (const { run, outcome } of runs) {
      if (outcome && !stepValues.has(run) && stepValues.size < 200) stepValues.set(run, argumentList((await client.request("story", { run })).story));
    }
    show(parts.steps, runs.map((run) => run.run + run.state + run.outcome).join(), () => runs.length ? [heading("steps"), el("ol", runs.reverse().map((run) => el("li",
      el("a", { href: `#/run/${run.run}` }, appText(run.step ? `${run.step.name} ${run.step.index || ""}` : t("undo"), 200)),
      ` ${run.app}/${run.intent} `, badge(run), " ", run.runtimeMilliseconds !== undefined && span(run.runtimeMilliseconds), stepValues.get(run.run))))] : []);
  }

  /** Loads the recorded output of a run that the page did not follow from its start. */
  async function loadOutput() {
    const pieces = [];
    let after;
    printed = run.printed;
    do {
      const { logs } = await client.request("logs", { run: id, after });
      pieces.push(...logs.pieces);
      after = logs.next;
    } while (after !== undefined && !signal.aborted);
    terminal = new Terminal(output);
    terminal.append(pieces.map(({ text, followsGap, leftOutByteCount: size }) => `${followsGap ? `[${t("gap", { size: size === undefined ? "" : bytes(size) })}]\n` : ""}${text}`).join(""));
    draw();
  }

  const timers = [setInterval(tick, 1000), setInterval(() => run && !story?.exit && loadStory(), 1500)];
  const onRun = (event) => event.detail === run && draw();
  client.addEventListener("run", onRun);
  signal.addEventListener("abort", () => {
    timers.forEach(clearInterval);
    client.removeEventListener("run", onRun);
  });

  client.follow(id, signal).then(async (found) => {
    title = (await client.titles()).get(`${found.app}/${found.intent}`);
    run = found;
    if (signal.aborted) return;
    draw();
    tick();
    loadStory();
  }, async (error) => {
    // An operator can also read the story of another user's ended run.
    if (signal.aborted) return;
    put(content, el("h1", el("code", clamp(id, 40))), el("p.empty", error.code === "unknownRun" ? t("unknownRun") : errorNodes(error)));
  });
}

/** Shows where the worker crashed: message, signal, innermost addresses. */
function crashOf(crash, app, id) {
  const frames = (crash.frames ?? []).slice(0, 12).map(({ image, address }) => {
    const { path, buildID } = crash.images?.[image] ?? {};
    return el("li", el("code", appText(address === undefined ? "–" : `${address} ${path || app}${buildID ? ` (${buildID})` : ""}`, 700)));
  });
  return el("section", { "aria-label": t("crash") }, heading("crash"), crash.message && el("p.problem", appText(crash.message, 600)),
    el("p", t("crashSignal", { signal: Number(crash.signal), thread: clamp(crash.thread ?? "", 60), address: clamp(crash.faultAddress ?? "–", 20) })),
    el("ol", frames), hint(t("crashNames"), " ", el("code", `intentctl why ${id}`)));
}

/** Shows a story's values, caller and usage. */
function facts(story) {
  const { summary } = story;
  const rows = [
    ["arguments", argumentList(story) || null],
    ["files", story.fileCount || null],
    ["owner", summary.userName ?? summary.user],
    ["startedBy", startedBy(story)],
    ["accepted", moment(summary.acceptedMilliseconds)],
    ["duration", summary.runtimeMilliseconds !== undefined && span(summary.runtimeMilliseconds)],
    ["processor", summary.usage ? span((Number(summary.usage.userMicroseconds ?? 0) + Number(summary.usage.systemMicroseconds ?? 0)) / 1000) : null],
    ["memory", summary.usage?.peakMemoryByteCount ? bytes(summary.usage.peakMemoryByteCount) : null],
    ["isolation", summary.isolation],
    ["limit", story.limits?.runtimeMilliseconds !== undefined && span(story.limits.runtimeMilliseconds)],
    ["commandLine", dataText(commandLine(summary.app, summary.intent, story.values ?? {}))],
  ];
  const answers = story.changes.filter((change) => change.event.type === "answer").slice(0, 50);
  return [heading("what"), terms(rows.map(([name, value]) => [t(name), typeof value === "string" || typeof value === "number" ? appText(value, 500) : value])),
    answers.length ? el("ul", answers.map(({ event, wallMilliseconds }) => el("li", t("answeredBy", { user: clamp(event.userName ?? event.user ?? "–", 60) }),
      event.value !== undefined ? [" ", dataText(quotedValue(event.value))] : null, " · ", moment(wallMilliseconds)))) : null];
}

/** A setting that ended it. */
export const denialText = ({ key, value, source, path, host, reason }) => [path, host && `${host}: ${reason}`, value && `${key.split("=")[0]}=${value} (${source ?? t("standard")})`, key].filter(Boolean).join(" · ");

export const startedBy = (story) => [story.software, story.process?.name].filter(Boolean).join(" · ") || null;

/** Shows all values of a run, so that a person can decide about them; 0 without any. */
export function argumentList(story) {
  const values = Object.entries(story.values ?? {});
  const secrets = story.secretNames ?? [];
  return values.length + secrets.length && terms([...values.slice(0, 1000).map(([name, value]) => [appText(name, 100), dataText(quotedValue(value))]),
    values.length > 1000 ? [t("furtherValues", { count: values.length - 1000 }), el("code", `intentctl show ${story.summary.run}`)] : [],
    ...secrets.map((name) => [appText(name, 100), t("secret")])]);
}
