// Shows a snippet: what an intent shows with its result or with a question. A snippet is data and has no code. Each of
// its controls performs an intent of the same app as an ordinary run of the page's user.

import { actionButton, appBlock, appText, clamp, el, errorNodes, pictureType, put } from "./dom.js";
import { t } from "./strings.js";

const SYMBOLS = Object.fromEntries("checkmark ✓ xmark ✗ star ★ heart ♥ circle ● flag ⚑ bolt ↯ sun ☀ cloud ☁ flame 🔥 leaf 🍃 arrow.up ↑ arrow.down ↓ arrow.left ← arrow.right → play ▶ pause ‖ envelope ✉ bell 🔔 lock 🔒 person 👤 house ⌂ cart 🛒 fork 🍴 cup ☕ takeoutbag 🥡 car 🚗 airplane ✈ location 📍 clock 🕒 timer ⏱ calendar 📅 pencil ✎ trash 🗑 folder 📁 doc 📄 book 📖 photo 🖼 gear ⚙ magnifyingglass 🔍 chart 📈"
    .split(/ (?=[a-z])/).map((pair) => pair.split(" ")));

// The classes have enough contrast on light and dark backgrounds.
const COLOURS = Object.assign(Object.create(null), { secondary: "c-gray", gray: "c-gray", red: "c-red", green: "c-green", yellow: "c-orange", orange: "c-orange",
    brown: "c-orange", blue: "c-accent", accent: "c-accent", purple: "c-purple", pink: "c-purple" });

/** Returns the tree of a snippet's flat list of elements; null if the list forms no tree. */
export function treeOf(snippet) {
    const open = [];
    let root = null;
    for (const item of snippet?.elements ?? []) {
        if (root || open.length >= 24) return null;
        open.push({ ...item, missing: item.children ?? 0, children: [] });
        while (open.length && open.at(-1).missing === 0) {
            const done = open.pop();
            const parent = open.at(-1);
            if (!parent) root = done;
            else {
                parent.children.push(done);
                parent.missing -= 1;
            }
        }
    }
    return root;
}

/** Returns the nodes of a tree. `press(action)` performs a control; null disables it. `picture(file)` returns an address. */
export function snippetNodes(element, { press, picture }, isLabel = false) {
    const style = element.style ?? {};
    const label = style.accessibilityLabel ? clamp(style.accessibilityLabel, 300) : null;
    const inside = (nested = isLabel) => element.children.map((child) => snippetNodes(child, { press, picture }, nested));
    const classes = (name) => [name, style.font ? `s-${style.font}` : "", style.isBold ? "s-bold" : "", style.isItalic ? "s-italic" : "", style.isMonospaced ? "s-mono" : "",
        style.isStruckThrough ? "s-struck" : "", COLOURS[style.foreground] ?? "", style.background ? "b-plain" : "",
        style.isPadded ? "s-padded" : "", style.isRounded ? "s-rounded" : "", ["center", "trailing"].includes(style.alignment) ? `s-${style.alignment}` : "",
        style.lineLimit === 1 ? "s-line" : ""].filter(Boolean).join(" ");
    const group = (name, tag = "div") => el(tag, { class: classes(name), role: label ? "group" : null, "aria-label": label }, inside());
    switch (element.kind) {
        case "text":
            return el("span", { class: classes("s-text") }, label ? [el("span", { "aria-hidden": "true" }, appBlock(element.text, 8000)), el("span", { class: "sr" }, label)] : appBlock(element.text, 8000));
        case "symbol": {
            const parts = String(element.name).slice(0, 100).split(".");
            while (parts.length && !Object.hasOwn(SYMBOLS, parts.join("."))) parts.pop();
            return el("span", { class: classes("s-symbol"), role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true" }, SYMBOLS[parts.join(".")] ?? "•");
        }
        case "image": {
            const image = el("img", { alt: label ?? clamp(element.file?.name, 200) });
            const figure = el("figure", { class: classes("s-image") }, image);
            Promise.resolve(pictureType(element.file) ? picture(element.file) : null).catch(() => null).then((address) => {
                if (address) image.src = address;
                else put(figure, el("figcaption", {}, appText(label ?? element.file?.name, 200)));
            });
            return figure;
        }
        case "stack": return group({ horizontal: "s-row", depth: "s-depth" }[element.axis] ?? "s-column");
        case "row": return group("s-row");
        case "grid":
            return el("table", { class: classes("s-grid"), role: "presentation" }, element.children.map((row) => el("tr", {}, (row.kind === "row" ? row.children : [row]).map((cell) =>
                el("td", { class: cell.style?.alignment === "trailing" ? "s-trailing" : cell.style?.alignment === "center" ? "s-center" : null }, snippetNodes(cell, { press, picture }, isLabel))))));
        case "section": return group("s-section", "section");
        case "header": return group("s-header");
        case "footer": return group("s-footer hint");
        case "divider": return el("hr");
        case "spacer": return el("span", { class: "s-spacer" });
        case "shape": return el("span", { class: classes(`s-shape s-${element.shape === "circle" ? "circle" : "rectangle"}`), "aria-hidden": "true" });
        case "progress": {
            const value = Number.isFinite(element.fraction) ? String(Math.min(1, Math.max(0, element.fraction))) : null;
            return el("label", { class: classes("s-progress") }, inside(), el("progress", { max: "1", value, "aria-label": element.children.length ? null : label ?? t("progress") }));
        }
        case "link": {
            const address = URL.canParse(element.address) ? new URL(element.address) : null;
            const content = element.children.length ? inside() : [appText(element.address, 300)];
            if (!address || !["http:", "https:"].includes(address.protocol)) return el("span", { class: classes("s-link") }, content, " ", el("span", { class: "hint" }, appText(element.address, 300)));
            // The name of the site is always shown, because the label can name another site.
            return el("span", { class: classes("s-link") }, el("a", { href: address.href, target: "_blank", rel: "noopener noreferrer", "aria-label": label }, content), " ", el("span", { class: "hint" }, clamp(address.host, 100)));
        }
        case "control": return isLabel ? group("s-row") : control(element, classes, inside(true), label, press);
        default: return group("s-column");
    }
}

function control(element, classes, content, label, press) {
    const shown = content.length ? content : [appText(element.action?.intent, 100)];
    if (typeof element.isOn !== "boolean") {
        return actionButton(shown, () => press(element.action), { class: classes(element.isDestructive ? "danger" : ""), disabled: !press, "aria-label": label });
    }
    const problem = el("span", { class: "problem", role: "alert" });
    const input = el("input", { type: "checkbox", role: "switch", checked: element.isOn, disabled: !press, "aria-label": label, onchange: async () => {
        input.disabled = true;
        problem.textContent = "";
        try {
            await press(element.action);
        } catch (error) {
            input.checked = element.isOn;
            put(problem, errorNodes(error));
        }
        input.disabled = false;
    } });
    return el("span", { class: "action" }, el("label", { class: classes("check s-toggle") }, input, " ", shown), problem);
}

/** Returns a panel, which shows the refreshed snippet after a control was used. `client`: null disables the controls. */
export function snippetPanel(client, run, snippet, urls = []) {
    const note = el("p", { class: "hint", role: "status" });
    const body = el("div", { class: "s-body" });
    const panel = el("section", { class: "panel snippet", "aria-label": t("shown") }, body, note);

    async function perform(reference) {
        const next = await client.perform({ app: run.app, intent: reference.intent, values: reference.values ?? {} });
        put(note, `${t("running")} `, el("a", { href: `#/run/${next.id}` }, el("code", {}, next.id)));
        const { outcome, account } = await client.ended(next);
        if (outcome.kind !== "done") throw new Error(clamp(outcome.message ?? t(outcome.reason ?? outcome.kind), 1000));
        put(note, outcome.dialog ? appBlock(outcome.dialog) : null);
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
        const picture = async (file) => {
            const blob = client && (await client.fetchFiles(owner))[file.index];
            if (!blob) return null;
            urls.push(URL.createObjectURL(new Blob([blob], { type: pictureType(file) })));
            return urls.at(-1);
        };
        put(body, tree ? snippetNodes(tree, { press, picture }) : null);
    }

    draw(run, snippet);
    return panel;
}
