// The views, except the view of a run.

import { gantt, percentile, perMinute } from "./charts.js";
import { actionButton, alertLine, appBlock, appText, clamp, el, errorNodes, heading, hint, idLink, LongTable, put, show, table, terms } from "./dom.js";
import { intentForm } from "./form.js";
import { stringify } from "./json.js";
import { questionPanel } from "./question.js";
import { argumentList, badge, denialText, startedBy } from "./run-view.js";
import { moment, now, setTitle, span, stateName, t } from "./strings.js";
import { quotedValue } from "./values.js";

const OUTCOMES = ["done", "failed", "unanswered", "cancelled", "crashed", "exceeded", "violated", "notStarted", "busy", "lost", "hostLost"];
const LIVE_STATES = ["queued", "starting", "running", "asking", "stopping"];
const userOf = (run) => String(run.userName ?? run.user ?? "");
const userColumn = () => ({ title: t("user"), class: "narrow spare", text: userOf, cell: (run) => appText(userOf(run), 60) });
const nameOf = ({ app, intent }) => `${app}/${intent}`;
/** Returns a link to a run. `titles`: the titles of the intents. */
const runLink = (run, titles) => el("a", { href: `#/run/${run.run}` }, appText(run.title || titles?.get(nameOf(run)) || nameOf(run), 200));
const destructiveMark = (intent) => (intent.details?.effect === "destroys" && el("p.problem", t("destructive")));

const slots = ({ runningCount: running, waitingCount: waiting = 0, queuedCount: queued, endedCount: done }) => t("slots", { running, waiting, queued, done });

const runsAndStatus = async (client) => Object.assign(...await Promise.all(["runs", "status"].map((name) => client.request(name))));

/** Repeats a task while the view is open and the page is visible. */
function every(milliseconds, signal, task) {
  let isBusy = false;
  const run = async () => {
    if (isBusy || document.hidden || signal.aborted) return;
    isBusy = true;
    try {
      await task();
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(run, milliseconds);
  signal.addEventListener("abort", () => clearInterval(timer));
  return run();
}

// Catalogue

export async function catalogueView(client, content, signal) {
  put(content, el("h1", t("catalogue")), hint(t("loading")));
  const apps = await client.apps();
  if (signal.aborted) return;
  const search = el("input", { type: "search", id: "search", oninput: () => draw(), autocomplete: "off" });
  const list = el("div");
  put(content, el("h1", t("catalogue")), el("div.toolbar", el("label", { for: "search" }, t("search"), search)), list);
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (app, intent) => words.every((word) => `${app.name} ${intent.name} ${intent.title} ${intent.summary ?? ""} ${(intent.details?.keywords ?? []).join(" ")}`.toLowerCase().includes(word));
    let left = 200;
    const sections = apps.map((app) => {
      const intents = (app.catalog?.intents ?? []).filter((intent) => intent.isDiscoverable !== false && matches(app, intent)).slice(0, left);
      left -= intents.length;
      if (!intents.length && !(app.problem && !words.length)) return null;
      return el("section", el("h2", appText(app.name, 100)),
        app.problem && el("p.problem", t("brokenApp", { reason: clamp(app.problem, 500) })),
        el("ul.grid", intents.map((intent) => el("li", el("div.card",
          el("a", { href: `#/intent/${encodeURIComponent(app.name)}/${encodeURIComponent(intent.name)}` }, appText(intent.title || intent.name, 120)),
          destructiveMark(intent),
          hint(appText(intent.summary || `${app.name}/${intent.name}`, 300)))))));
    }).filter(Boolean);
    put(list, ...(sections.length ? sections : [el("p.empty", words.length ? t("noMatch") : t("noApps"))]));
  };
  draw();
}

export async function intentView(client, content, signal, appName, intentName, retried) {
  put(content, hint(t("loading")));
  const { app } = await client.request("describe", { app: appName });
  // The run to repeat. Secrets and files are not recorded.
  const story = retried ? await client.request("story", { run: retried }).then((answer) => answer.story, () => null) : null;
  if (signal.aborted) return;
  const intent = app.catalog?.intents.find(({ name }) => name === intentName);
  if (!intent) return void put(content, el("p.empty", app.problem ? t("brokenApp", { reason: clamp(app.problem, 500) }) : t("noMatch")));
  setTitle(clamp(intent.title || intent.name, 100));
  put(content, el("h1", appText(intent.title || intent.name, 300)),
    destructiveMark(intent),
    hint(appText(`${app.name}/${intent.name}`, 200)),
    intent.summary && el("p", appBlock(intent.summary)),
    intent.details?.deprecation && el("p.problem", appText(intent.details.deprecation.message ?? "", 500)),
    intentForm(client, app, intent, story, signal, (run) => void (location.hash = `#/run/${run.id}`)));
}

// Now

export async function nowView(client, content, signal) {
  const titles = await client.titles();
  if (signal.aborted) return;
  const table = new LongTable(t("now"), [
    { title: t("what"), class: "wide", text: (run) => run.title || nameOf(run), cell: (run) => runLink(run, titles) },
    { title: t("state"), class: "state", text: (run) => run.state, cell: badge },
    { title: t("progress"), class: "spare", cell: (run) => (run.progress ? el("progress", { max: "1", value: String(run.progress.fraction ?? 0), "aria-label": t("progress") }) : run.waitsFor ? appText(run.waitsFor, 100) : el("span.hint", "–")) },
    userColumn(),
    { title: t("age"), class: "narrow", text: (run) => span(run.ageMilliseconds), cell: (run) => el("span", span(run.ageMilliseconds)) },
  ], (run) => run.run);
  const counts = el("p.hint", { role: "status" });
  const empty = el("p.empty", { hidden: true }, t("noRuns"));
  const hour = el("div");
  put(content, el("h1", t("now")), counts, table.element, empty, hour);
  let lastHour = 0;
  await every(2000, signal, async () => {
    if (client.state !== "open") return;
    const { runs, status } = await runsAndStatus(client);
    if (signal.aborted) return;
    runs.sort((a, b) => Number(a.ageMilliseconds) - Number(b.ageMilliseconds));
    const key = slots(status);
    if (counts.textContent !== key) counts.textContent = key;
    table.items = runs;
    table.element.hidden = runs.length === 0;
    empty.hidden = runs.length > 0;
    if (Date.now() - lastHour > 15_000) {
      lastHour = Date.now();
      await drawHour(client, hour, signal, titles);
    }
  });
}

/** Draws the last hour: at most 2,000 runs, of all users for an operator. */
async function drawHour(client, element, signal, titles) {
  const end = now();
  const start = end - 3_600_000;
  const runs = [];
  let before;
  do {
    const query = { sinceMilliseconds: start, count: 500, before };
    const { history } = await client.request("history", { ...query, everybody: true }).catch(() => client.request("history", query));
    runs.push(...history.runs);
    // An empty page means that the remaining runs are older than an hour.
    before = history.runs.length ? history.next : undefined;
  } while (before !== undefined && runs.length < 2000 && !signal.aborted);
  if (signal.aborted) return;
  if (!runs.length) return put(element);
  const intents = Map.groupBy(runs.filter((run) => run.runtimeMilliseconds !== undefined), nameOf);
  const rows = [...intents].sort(([, a], [, b]) => b.length - a.length).slice(0, 20).map(([name, own]) => [name, own.map((run) => Number(run.runtimeMilliseconds))]);
  put(element, heading("lastHour"), gantt(runs, start, end), heading("perMinute"), perMinute(runs, start, end),
    heading("percentiles"), table(["intent", "count", "p50", "p95"], rows.map(([name, times]) => [
    appText(titles.get(name) || name, 200), times.length, span(percentile(times, 0.5)), span(percentile(times, 0.95))])));
}

// History

const PAGE = 100;
const KEPT = 20_000;

export async function historyView(client, content, signal) {
  const titles = await client.titles();
  if (signal.aborted) return;
  // The errors and values of the runs on the screen.
  const summaries = new Map();
  const summarize = async (shown) => {
    for (const run of shown) {
      if (signal.aborted) return;
      if (summaries.has(run.run)) continue;
      const { values = {} } = await client.request("story", { run: run.run }).then(({ story }) => story, () => ({}));
      const text = Object.entries(values).map(([name, value]) => `${name}=${quotedValue(value).slice(0, 200)}`);
      summaries.set(run.run, clamp([run.message, run.denial && denialText(run.denial), ...text].filter(Boolean).join(" · "), 200));
      table.redraw(run);
    }
  };
  const table = new LongTable(t("history"), [
    { title: t("what"), class: "wide", cell: (run) => [runLink(run, titles), " ", el("span.hint", summaries.get(run.run) ?? "")] },
    { title: t("state"), class: "state", cell: badge },
    userColumn(),
    { title: t("duration"), class: "narrow spare", cell: (run) => el("span", run.runtimeMilliseconds !== undefined ? span(run.runtimeMilliseconds) : "–") },
    { title: t("accepted"), class: "time", cell: (run) => el("span", { title: moment(run.acceptedMilliseconds) }, moment(run.acceptedMilliseconds, "short")) },
  ], (run) => run.run);
  const input = (type) => el("input", { type, autocomplete: "off", spellcheck: "false" });
  const [app, intent, since, until, everybody] = ["text", "text", "datetime-local", "datetime-local", "checkbox"].map(input);
  const state = el("select", ["", "live", "ended", ...OUTCOMES, ...LIVE_STATES].map((value) => el("option", { value }, value ? stateName(value) : t("all"))));
  const empty = el("p.empty", { hidden: true });
  const problem = el("div");
  const count = el("span.hint", { role: "status" });
  const newest = actionButton(t("newest"), () => begin(undefined));
  const older = actionButton(t("older"), () => begin(next));
  const windows = el("div.pair");
  put(content, el("h1", t("history")), el("div.toolbar", Object.entries({ app, intent, state, since, until, everybody }).map(([key, element]) => {
      element.id = key;
      element.addEventListener("change", () => begin(undefined));
      return el("label", { for: key }, t(key), element);
    }),
    actionButton(t("export"), () => exportRuns()), count), problem, table.element, empty, windows);
  let runs = [];
  let next;
  let isBusy = false;
  let turn = 0;
  // The number before which the list begins; undefined if it begins with the newest run.
  let start;

  function begin(before) {
    start = before;
    return load(true);
  }

  const instant = (input) => (input.value ? new Date(input.value).getTime() : undefined);
  // Requests omit fields that are undefined.
  const filter = () => ({
    app: app.value.trim() || undefined, intent: intent.value.trim() || undefined, state: state.value || undefined,
    untilMilliseconds: instant(until), sinceMilliseconds: instant(since), everybody: everybody.checked || undefined,
  });

  async function load(isNew) {
    if (!isNew && (isBusy || next === undefined || runs.length >= KEPT)) return;
    const own = ++turn;
    isBusy = true;
    try {
      if (isNew) {
        runs = [];
        next = start;
      }
      // A page inspects a part of the history, and may contain no runs.
      const wanted = runs.length + PAGE;
      do {
        const { history } = await client.request("history", { ...filter(), count: wanted - runs.length, before: next });
        if (signal.aborted || own !== turn) return;
        runs = runs.concat(history.runs);
        next = history.next;
        put(problem);
        table.items = runs;
        table.element.hidden = runs.length === 0;
        empty.hidden = runs.length > 0;
        empty.textContent = next !== undefined ? t("loading") : Object.values(filter()).some((value) => value !== undefined) ? t("noMatch") : t("noHistory");
        count.textContent = `${runs.length}${next !== undefined ? "+" : ""}`;
      } while (next !== undefined && runs.length < wanted);
      put(windows, start !== undefined ? newest : null, next !== undefined && runs.length >= KEPT ? older : null);
    } catch (error) {
      put(problem, alertLine(errorNodes(error)));
    } finally {
      // A newer call that is in progress resets the variable itself.
      if (own === turn) isBusy = false;
    }
  }

  table.onEnd = () => load(false);
  table.onRest = summarize;

  /** Saves the selected runs, one JSON object per line. */
  async function exportRuns() {
    const lines = [];
    let before;
    do {
      const { history } = await client.request("history", { ...filter(), count: 1000, before });
      lines.push(...history.runs.map((run) => stringify(run) + "\n"));
      before = history.next;
      count.textContent = t("exported", { count: lines.length });
    } while (before !== undefined && lines.length < 1_000_000 && !signal.aborted);
    const url = URL.createObjectURL(new Blob(lines, { type: "application/octet-stream" }));
    el("a", { href: url, download: "intentd-history.jsonl" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  await load(true);
}

// Inbox

export async function inboxView(client, content, signal) {
  const list = el("div");
  const [answered, standing] = [el("section"), el("section")];
  put(content, el("h1", t("inbox")), el("p.hint", { role: "status" }), list, standing, answered);
  const shown = new Map();

  async function card(live) {
    const { run: id } = live;
    const asking = await client.request("question", { run: id });
    // Only the owner and operators may read the values. Others see the title and the digest.
    const story = await client.request("story", { run: id }).then((answer) => answer.story, () => null);
    const values = story && argumentList(story);
    const bound = el("div", el("h3", t("bound")), terms([
      [t("intent"), appText(nameOf(asking), 200)],
      [t("what"), asking.title && appText(asking.title, 1000)],
      [t("owner"), asking.user !== undefined && appText(story?.summary.userName ?? asking.user, 100)],
      [t("startedBy"), story && appText(startedBy(story), 200)],
      [t("files"), story?.fileCount || null]]),
      values ? [el("h3", t("arguments")), values] : null,
      el("p", idLink(id)));
    return questionPanel(client, { id }, asking.question, { bound, onAnswered: () => refresh() });
  }

  const refresh = async () => {
    if (client.state !== "open") return;
    const { runs, status: { standingApprovals: open = [] } } = await runsAndStatus(client);
    if (signal.aborted) return;
    show(standing, open.map(({ run, text }) => run + text).join(), () => open.length && [heading("standing"), el("ul", open.slice(0, 200).map(({ run, text, remainingMilliseconds: rest }) => el("li",
      idLink(run), " ", appText(text, 1000), " ", el("span.hint", `${t("until")} ${moment(now() + Number(rest))}`), " ",
      actionButton(t("revoke"), () => client.request("revoke", { run }).then(refresh)))))]);
    const asking = runs.filter((run) => run.state === "asking" || run.asks).slice(0, 50);
    const keys = new Set(asking.map((run) => `${run.run} ${run.asks}`));
    for (const [key, element] of shown) {
      if (!keys.has(key)) {
        element.remove();
        shown.delete(key);
      }
    }
    for (const run of asking) {
      const key = `${run.run} ${run.asks}`;
      if (shown.has(key)) continue;
      try {
        const element = await card(run);
        if (signal.aborted) return;
        shown.set(key, element);
        list.append(element);
      } catch (error) {
        if (error.code !== "noQuestion" && error.code !== "unknownRun") throw error;
      }
    }
    show(list.previousElementSibling, shown.size ? "some" : "none", () => (shown.size ? [] : [t("noQuestions")]));
  };
  await every(2000, signal, refresh);
  if (signal.aborted) return;
  const { history } = await client.request("history", { isAnswered: true, count: 20 });
  const titles = await client.titles();
  if (signal.aborted || !history.runs.length) return;
  put(answered, heading("answeredList"), el("ul", history.runs.map((run) => el("li", runLink(run, titles), " ", badge(run), " ", el("span.hint", moment(run.acceptedMilliseconds))))));
}

// Host

export async function hostView(client, content, signal) {
  const [{ status }, apps] = await Promise.all([client.request("status"), client.apps()]);
  if (signal.aborted) return;
  const [checks, schedules, fleet] = [1, 2, 3].map(() => el("section", { "aria-live": "polite" }));
  const texts = (list) => el("ul", (list ?? []).slice(0, 100).map((text) => el("li", appText(text, 500))));
  const mark = (isGood, text) => el("span", { class: isGood ? "done" : "problem" }, text);
  const time = (value) => (value === undefined ? "–" : span(value));
  const warnings = apps.flatMap(({ name, problem, catalog }) => [problem ?? [], catalog?.warnings ?? []].flat().map((text) => `${name}: ${text}`));
  put(content, el("h1", t("host")), terms([
    [t("version"), appText(status.software, 100)],
    [t("uptime"), span(status.uptimeMilliseconds)],
    [t("runs"), slots(status)],
    [t("isolation"), appText(status.isolationGrade ?? "–", 40)]]),
  heading("problems"), status.problems?.length ? el("ul", status.problems.slice(0, 100).map((problem) => el("li.problem", errorNodes(problem)))) : el("p", t("noProblems")),
  status.isolationMissing?.length ? [heading("missingProtections"), texts(status.isolationMissing)] : null,
  el("details", el("summary", t("protections")), texts(status.isolation)),
  heading("limits"), table(["app", "isolation", "limit", "ceiling", "grace"], apps.slice(0, 150).flatMap(({ name, isolation, limits, intentLimits }) =>
    [[name, limits], ...Object.entries(intentLimits ?? {}).slice(0, 50).map(([intent, own]) => [`${name}/${intent}`, own])].map(([label, each]) => [appText(label, 160),
      appText(isolation?.grade ?? "–", 40), time(each?.runtimeMilliseconds), time(each?.ceilingMilliseconds), time(each?.graceMilliseconds)]))),
  texts(apps.flatMap(({ name, settings }) => (settings ?? []).map(({ section, key, value, source }) => `${name}: [${section}] ${key}=${value} (${source})`))),
  warnings.length ? [heading("warnings"), texts(warnings)] : null,
  checks, schedules, fleet);
  client.report("doctor").then(({ findings, hosts }) => {
    put(checks, heading("doctor"), el("ul", findings.slice(0, 100).map((finding) => el("li",
      finding.state === "fine" ? mark(1, "✓ ") : mark(0, "✗ "), el("strong", appText(finding.subject, 100)), ": ", appText(finding.message, 1000),
      finding.cures?.length ? el("pre", { tabindex: "0" }, clamp(finding.cures.join("\n"), 4000)) : null))));
    if (hosts) put(fleet, heading("fleet"), table(["host", "state", "seen", "running", "freeSlots", "intents"], hosts.slice(0, 200).map((host) => [appText(host.name, 100),
      mark(host.state === "alive", appText(host.state, 40)), host.sinceSeenMilliseconds === undefined ? "–" : t("ago", { time: span(host.sinceSeenMilliseconds) }),
      String(host.runningCount), String(host.freeCount), String(host.intentCount)])));
  },
  (error) => put(checks, heading("doctor"), alertLine(errorNodes(error))));
  client.report("schedules").then((answer) => put(schedules, heading("schedules"), answer.error ? hint(appText(answer.error.message, 500))
    : answer.schedules.length ? el("ul", answer.schedules.slice(0, 200).map((item) => el("li", el("strong", appText(item.name, 100)), " · ", appText(nameOf(item), 200), " · ", el("code", clamp(item.calendar, 200)))))
      : hint(t("noSchedules"))), () => {});
}
