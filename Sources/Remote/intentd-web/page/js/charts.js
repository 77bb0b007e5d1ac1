// Charts as SVG: the timeline of a run, the runs of the last hour, and runs per minute.

import { clamp, el, hint, put, svg } from "./dom.js";
import { bytes, kindOf, moment, region, span, stateName, t } from "./strings.js";

const time = (at) => new Intl.DateTimeFormat(region(), { timeStyle: "short" }).format(at);

let lastWidth = 1150;

/** A chart that is drawn for its displayed width. `draw(x, width)` returns the height and the nodes; `x` converts a value from `start`
 * to `end`, which `axis` formats. */
function chart({ name = "figure", start, end, axis, label, role = "img", title = null, draw }, ...after) {
  const box = el("div");
  const redraw = () => {
    const width = lastWidth;
    const x = (at) => 8 + ((Math.max(start, Math.min(end, at)) - start) / (end - start)) * (width - 16);
    const { height, nodes } = draw(x, width);
    put(box, svg("svg.chart", { viewBox: `0 0 ${width} ${height}`, role, "aria-label": label }, [0, 1, 2, 3, 4].map((index) => {
      const at = start + (index / 4) * (end - start);
      return [svg("line.axis", { x1: x(at), x2: x(at), y1: 4, y2: height - 18 }),
        svg("text.dim", { x: x(at), y: height - 5, "text-anchor": ["start", "middle", "middle", "middle", "end"][index] }, axis(at))];
    }), nodes));
  };
  redraw();
  new ResizeObserver(() => {
    const width = Math.max(300, box.clientWidth);
    if (box.firstChild.viewBox.baseVal.width === width) return;
    lastWidth = width;
    redraw();
  }).observe(box);
  return el(name, title && el("figcaption", title), box, after);
}

/** A rectangle with a text that appears under the pointer. */
const bar = (kind, text, place) => svg("rect", { class: kind, rx: 2, ...place }, svg("title", text));

function legend(kinds) {
  return el("ul.legend", [...kinds].map((kind) => el("li",
    svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("rect", { width: 12, height: 12, rx: 3, class: kind })), " ", stateName(kind))));
}

/** Returns the age of a run in milliseconds: at its end, or as intentd last reported it. */
function endOf(story, age = 0) {
  return Math.max(1, Number(story.exit?.afterMilliseconds ?? story.end?.afterMilliseconds ?? Math.max(Number(age), ...story.changes.map((change) => Number(change.afterMilliseconds)))));
}

/**
 * Shows a run's history: states as bars; signals, questions and answers as marks. `samples`: the remaining time on the
 * run's clock, as observed by this page.
 */
export function timeline(story, samples, age) {
  const events = story.changes.map((change) => ({ at: Number(change.afterMilliseconds), ...change.event }));
  const end = endOf(story, age);
  const bars = [];
  let state = { at: 0, state: "queued" };
  for (const next of [...events.filter((event) => event.type === "state"), { at: Number(story.end?.afterMilliseconds ?? end), state: null }]) {
    if (next.at > state.at && state.state) bars.push({ kind: state.state, from: state.at, to: next.at });
    state = next;
  }
  const marks = events.filter((event) => !["state", "observation", "usage"].includes(event.type)).slice(0, 100);
  const name = (event) => ({ question: t("question"), answer: t("answer"), cancel: t("cancel"), signal: event.signal }[event.type] ?? event.type);
  const text = ({ kind, from, to }) => `${stateName(kind)}: ${span(to - from)}`;
  const summary = bars.map(text).concat(marks.map((event) => `${name(event)} ${span(event.at)}`)).join(", ");
  return chart({ name: "figure.timeline", start: 0, end, axis: span, label: t("timelineOf", { text: clamp(summary, 2000) }), draw: (x, width) => {
    const rows = [];
    const drawn = marks.map((event) => {
      // Stack the labels of marks that are close to each other.
      let row = 0;
      while (rows[row] !== undefined && rows[row] > x(event.at) - 4) row += 1;
      rows[row] = x(event.at) + 12 + String(name(event)).length * 7;
      row = Math.min(row, 5);
      const side = x(event.at) > width - 110 ? { x: x(event.at) - 4, "text-anchor": "end" } : { x: x(event.at) + 4 };
      return [svg("line.mark", { x1: x(event.at), x2: x(event.at), y1: 6, y2: 46 + 16 * row }),
        svg("text", { y: 50 + 16 * row, ...side }, clamp(name(event), 24))];
    });
    const most = Math.max(1, ...samples.map((sample) => sample.left));
    return { height: 66 + 16 * Math.max(1, Math.min(6, rows.length)), nodes: [
      bars.map((item) => bar(item.kind, text(item), { x: x(item.from), y: 10, height: 24, width: Math.max(1.5, x(item.to) - x(item.from)) })),
      samples.length > 1 && svg("polyline.clock", { points: samples.map(({ at, left }) => `${x(at).toFixed(1)},${(33 - (left / most) * 22).toFixed(1)}`).join(" ") }),
      drawn] };
  } }, legend(new Set(bars.map((item) => item.kind))), samples.length > 1 && hint("╌ ", t("clock")));
}

/** Shows the memory and processor time of a run's samples on the time axis of its timeline. */
export function usageCharts(story, age) {
  const samples = story.changes.filter((change) => change.event.type === "usage").map(({ afterMilliseconds, event }) => ({
    at: Number(afterMilliseconds), memory: Number(event.memoryByteCount), used: Number(event.processorMilliseconds) }));
  if (!samples.length) return [];
  const started = story.changes.find((change) => change.event.type === "state" && change.event.state === "starting");
  let previous = { at: Number(started?.afterMilliseconds ?? 0), used: 0 };
  // The percentage of one processor that the run used since the previous sample.
  for (const sample of samples) {
    sample.from = previous.at;
    sample.processor = Math.max(0, Math.round((100 * (sample.used - previous.used)) / Math.max(1, sample.at - previous.at)));
    previous = sample;
  }
  // Each sample is a bar that reaches back to the previous sample.
  return [["memory", "memoryInUse", bytes], ["processor", "processorInUse", (value) => `${value} %`]].map(([kind, key, text]) => {
    const most = Math.max(1, ...samples.map((sample) => sample[kind]));
    const label = `${t(key)}: ${t("atMost", { high: text(most) })}`;
    return chart({ start: 0, end: endOf(story, age), axis: span, label, title: label, draw: (x) => ({ height: 74, nodes: samples.map((sample) => {
      const height = Math.max(1, (sample[kind] / most) * 46);
      return bar(kind, `${text(sample[kind])} · ${span(sample.at)}`, { x: x(sample.from), y: 55 - height, height, width: Math.max(1, x(sample.at) - x(sample.from)) });
    }) }) });
  });
}

/** Shows at most 60 runs in a time span, one per line. */
export function gantt(runs, start, end) {
  const shown = runs.slice(0, 60);
  return chart({ start, end, axis: time, role: "group", label: `${t("lastHour")}: ${runs.length} ${t("runs")}`, draw: (x) => ({
    height: 28 + shown.length * 11,
    nodes: shown.map((run, index) => {
      const from = x(Number(run.acceptedMilliseconds));
      const text = `${clamp(run.app, 60)}/${clamp(run.intent, 60)} · ${stateName(kindOf(run))} · ${moment(run.acceptedMilliseconds)}`;
      return svg("a", { href: `#/run/${run.run}`, tabindex: "-1" }, bar(kindOf(run), text,
        { x: from, y: 6 + index * 11, height: 8, width: Math.max(3, x(Number(run.endedMilliseconds ?? end)) - from) }));
    }) }) }, legend(new Set(shown.map(kindOf))));
}

/** Shows the number of ended runs per minute, stacked by outcome. */
export function perMinute(runs, start, end) {
  const minutes = Array.from({ length: Math.max(1, Math.round((end - start) / 60_000)) }, () => new Map());
  const kinds = new Set();
  for (const run of runs) {
    if (!run.outcome) continue;
    kinds.add(kindOf(run));
    const minute = minutes[Math.floor((Number(run.endedMilliseconds) - start) / 60_000)];
    minute?.set(kindOf(run), (minute.get(kindOf(run)) ?? 0) + 1);
  }
  const most = Math.max(1, ...minutes.map((minute) => [...minute.values()].reduce((a, b) => a + b, 0)));
  return chart({ start, end, axis: time, label: `${t("perMinute")}: ${t("atMost", { high: most })}`, draw: (x, width) => ({ height: 130, nodes: [
    svg("text.dim", { x: 10, y: 14 }, String(most)),
    minutes.map((minute, index) => {
      let y = 110;
      return [...minute].map(([kind, number]) => {
        const height = number / most * 100;
        y -= height;
        return bar(kind, `${stateName(kind)}: ${number}`, { x: x(start + index * 60_000), y, height, width: Math.max(1, (width - 16) / minutes.length - 1) });
      });
    })] }) }, legend(kinds));
}

/** Returns the percentile of the numbers for a fraction from 0 to 1. */
export function percentile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
}
