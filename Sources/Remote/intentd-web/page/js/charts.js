// Charts as SVG: the timeline of a run, the runs of the last hour, and runs per minute.

import { clamp, el, hint, svg } from "./dom.js";
import { bytes, moment, region, span, stateName, t } from "./strings.js";

/** Returns the width in which the chart is displayed, so that its text is not scaled. */
const chartWidth = () => Math.max(300, Math.min(1150, document.getElementById("content").clientWidth - 32));

const time = (at) => new Intl.DateTimeFormat(region(), { timeStyle: "short" }).format(at);

function legend(kinds) {
    return el("ul", { class: "legend" }, [...kinds].map((kind) => el("li", {},
        svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("rect", { width: 12, height: 12, rx: 3, class: `f-${kind}` })), " ", stateName(kind))));
}

function axis(start, end, width, height, label) {
    const count = 4;
    return Array.from({ length: count + 1 }, (unused, index) => {
        const x = 8 + (index / count) * (width - 16);
        const anchor = index === 0 ? "start" : index === count ? "end" : "middle";
        return [svg("line", { class: "axis", x1: x, x2: x, y1: 4, y2: height - 18 }),
            svg("text", { class: "dim", x, y: height - 5, "text-anchor": anchor }, label(start + (index / count) * (end - start)))];
    });
}

/** Returns the age of a run in milliseconds, at its end or now. */
function endOf(story) {
    return Math.max(1, Number(story.exit?.afterMilliseconds ?? story.end?.afterMilliseconds ?? Date.now() - Number(story.summary.acceptedMilliseconds)));
}

/**
 * Shows a run's history: states as bars; signals, questions and answers as marks. `samples`: the remaining time on the
 * run's clock, as observed by this page.
 */
export function timeline(story, samples = []) {
    const width = chartWidth();
    const events = story.changes.map((change) => ({ at: Number(change.afterMilliseconds), ...change.event }));
    const end = endOf(story);
    const x = (at) => 8 + (Math.min(at, end) / end) * (width - 16);
    const states = events.filter((event) => event.type === "state");
    const bars = [];
    let state = { at: 0, state: "queued" };
    for (const next of [...states, { at: Number(story.end?.afterMilliseconds ?? end), state: null }]) {
        if (next.at > state.at && state.state) bars.push({ kind: state.state, from: state.at, to: next.at });
        state = next;
    }
    const marks = events.filter((event) => !["state", "observation", "usage"].includes(event.type)).slice(0, 100);
    const name = (event) => ({ question: t("question"), answer: t("answer"), cancel: t("cancel"), signal: event.signal }[event.type] ?? event.type);
    const rows = [];
    const lane = (event) => {
        // Stack the labels of marks that are close to each other.
        let row = 0;
        while (rows[row] !== undefined && rows[row] > x(event.at) - 4) row += 1;
        rows[row] = x(event.at) + 12 + String(name(event)).length * 7;
        return Math.min(row, 5);
    };
    const drawn = marks.map((event) => ({ event, row: lane(event) }));
    const height = 66 + 16 * Math.max(1, Math.min(6, rows.length));
    const summary = bars.map((bar) => `${stateName(bar.kind)} ${span(bar.to - bar.from)}`).concat(drawn.map(({ event }) => `${name(event)} ${span(event.at)}`)).join(", ");
    return el("figure", { class: "timeline" }, svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("timelineOf", { text: clamp(summary, 2000) }) },
        axis(0, end, width, height, span),
        bars.map((bar) => svg("rect", { class: `f-${bar.kind}`, x: x(bar.from), y: 10, rx: 3, height: 24, width: Math.max(1.5, x(bar.to) - x(bar.from)) },
            svg("title", {}, `${stateName(bar.kind)}: ${span(bar.to - bar.from)}`))),
        clockLine(samples, x),
        drawn.map(({ event, row }) => {
            const isRight = x(event.at) > width - 110;
            return [svg("line", { class: "mark", x1: x(event.at), x2: x(event.at), y1: 6, y2: 46 + 16 * row }),
                svg("text", { x: x(event.at) + (isRight ? -4 : 4), y: 50 + 16 * row, "text-anchor": isRight ? "end" : "start" }, clamp(name(event), 24))];
        })), legend(new Set(bars.map((bar) => bar.kind))), samples.length > 1 ? hint("╌ ", t("clock")) : null);
}

/** Shows the memory and processor time of a run's samples on the time axis of its timeline. */
export function usageCharts(story) {
    const samples = story.changes.filter((change) => change.event.type === "usage").map(({ afterMilliseconds, event }) => ({
        at: Number(afterMilliseconds), memory: Number(event.memoryByteCount), used: Number(event.processorMilliseconds) }));
    if (!samples.length) return [];
    const started = story.changes.find((change) => change.event.type === "state" && change.event.state === "starting");
    let previous = { at: Number(started?.afterMilliseconds ?? 0), used: 0 };
    // The percentage of one processor that the run used since the previous sample.
    for (const sample of samples) {
        sample.from = previous.at;
        sample.percent = Math.max(0, Math.round((100 * (sample.used - previous.used)) / Math.max(1, sample.at - previous.at)));
        previous = sample;
    }
    const percent = (value) => `${value} %`;
    return [usageChart(story, t("memoryInUse"), samples, (sample) => sample.memory, bytes, "f-memory"),
        usageChart(story, t("processorInUse"), samples, (sample) => sample.percent, percent, "f-processor")];
}

/** Shows each sample as a bar that reaches back to the previous sample. */
function usageChart(story, title, samples, value, text, fill) {
    const width = chartWidth();
    const height = 74;
    const end = endOf(story);
    const x = (at) => 8 + (Math.min(at, end) / end) * (width - 16);
    const most = Math.max(1, ...samples.map(value));
    const label = `${title}: ${t("atMost", { high: text(most) })}`;
    return el("figure", {}, el("figcaption", {}, label), svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
        axis(0, end, width, height, span),
        samples.map((sample) => {
            const size = Math.max(1, (value(sample) / most) * (height - 28));
            return svg("rect", { class: fill, x: x(sample.from), y: height - 19 - size, width: Math.max(1, x(sample.at) - x(sample.from)), height: size },
                svg("title", {}, `${text(value(sample))} · ${span(sample.at)}`));
        })));
}

function clockLine(samples, x) {
    if (samples.length < 2) return null;
    const most = Math.max(...samples.map((sample) => sample.left));
    return svg("polyline", { class: "clock", points: samples.map(({ at, left }) => `${x(at).toFixed(1)},${(33 - (left / most) * 22).toFixed(1)}`).join(" ") });
}

/** Shows at most 60 runs in a time span, one per line. */
export function gantt(runs, start, end) {
    const shown = runs.slice(0, 60);
    const width = chartWidth();
    const height = 28 + shown.length * 11;
    const x = (at) => 8 + ((Math.max(start, Math.min(end, at)) - start) / (end - start)) * (width - 16);
    return el("figure", {}, svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${t("lastHour")}: ${runs.length} ${t("runs")}` },
        axis(start, end, width, height, time),
        shown.map((run, index) => {
            const from = x(Number(run.acceptedMilliseconds));
            const to = x(Number(run.endedMilliseconds ?? end));
            return svg("a", { href: `#/run/${run.run}`, tabindex: "-1" }, svg("rect", { class: `f-${run.outcome ?? run.state ?? "running"}`, x: from, y: 6 + index * 11, height: 8, rx: 2, width: Math.max(3, to - from) },
                svg("title", {}, `${clamp(run.app, 60)}/${clamp(run.intent, 60)} · ${stateName(run.outcome ?? run.state)} · ${moment(run.acceptedMilliseconds)}`)));
        })), legend(new Set(shown.map((run) => run.outcome ?? run.state ?? "running"))));
}

/** Shows the number of ended runs per minute, stacked by outcome. */
export function perMinute(runs, start, end) {
    const width = chartWidth();
    const height = 130;
    const count = Math.max(1, Math.round((end - start) / 60_000));
    const minutes = Array.from({ length: count }, () => new Map());
    for (const run of runs) {
        if (!run.outcome) continue;
        const minute = minutes[Math.floor((Number(run.endedMilliseconds) - start) / 60_000)];
        minute?.set(run.outcome, (minute.get(run.outcome) ?? 0) + 1);
    }
    const most = Math.max(1, ...minutes.map((minute) => [...minute.values()].reduce((a, b) => a + b, 0)));
    const kinds = new Set();
    const bar = (width - 16) / count;
    return el("figure", {}, svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${t("perMinute")}: ${t("atMost", { high: most })}` },
        axis(start, end, width, height, time), svg("text", { class: "dim", x: 10, y: 14 }, String(most)),
        minutes.map((minute, index) => {
            let y = height - 20;
            return [...minute].map(([kind, number]) => {
                kinds.add(kind);
                const size = (number / most) * (height - 30);
                y -= size;
                return svg("rect", { class: `f-${kind}`, x: 8 + index * bar, y, width: Math.max(1, bar - 1), height: size }, svg("title", {}, `${stateName(kind)}: ${number}`));
            });
        })), legend(kinds));
}

/** Returns the percentile of the numbers for a fraction from 0 to 1. */
export function percentile(numbers, part) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
}
