import IntentCommandLine
import IntentProtocol

/// The MCP Apps view in which a host shows snippets: one HTML document for all tools.
///
/// The host shows the document in a frame without network access, and passes it the result of the tool call. The
/// document builds its elements from the snippet in the result's `_meta`. A control calls the tool `intent_press`
/// through the host, then `intent_refresh`. Pictures are `data:` URLs, which the hosts' default content security policy
/// permits.
///
/// Source: the extension `io.modelcontextprotocol/ui` (SEP-1865).
enum SnippetView {
    static let uri = "ui://intentd/snippet"
    static let mimeType = "text/html;profile=mcp-app"
    /// The snippet's key in a result's `_meta`.
    static let snippetKey = "dev.intentd/snippet"
    /// The pictures' key in a result's `_meta`: `data:` URLs, keyed by the index of their file.
    static let picturesKey = "dev.intentd/pictures"
    /// The key of the snippet's run in a result's `_meta`.
    static let runKey = "dev.intentd/run"

    /// The `_meta` of a tool with results that the view can show.
    static var toolMeta: [String: JSONValue] {
        ["ui": ["resourceUri": .string(uri)], "ui/resourceUri": .string(uri)]
    }

    /// Returns the `_meta` of a result with a snippet.
    static func meta(_ snippet: Snippet, of run: RunID, _ pictures: [ResultFile]) -> JSONValue {
        let addresses = SnippetPicture.addresses(of: pictures)
        return .members([
            snippetKey: JSONValue(snippet), runKey: .string(run.text),
            picturesKey: addresses.isEmpty ? nil : .object(addresses),
        ])
    }

    /// The entry in `resources/list`.
    static var listing: JSONValue {
        ["uri": .string(uri), "name": "snippet", "title": "Snippet of an intent", "mimeType": .string(mimeType)]
    }

    /// The contents in the response to `resources/read`.
    static var contents: JSONValue {
        [
            "uri": .string(uri), "mimeType": .string(mimeType), "text": .string(document),
            "_meta": ["ui": ["prefersBorder": true]],
        ]
    }

    private static let document = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Snippet</title>
        <style>
        body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1c2128, #e6edf3); }
        .column { display: flex; flex-direction: column; gap: .4em; align-items: flex-start; }
        .row { display: flex; flex-wrap: wrap; gap: .3em .7em; align-items: center; }
        main > *, .column > .row, .column > .section, .column > hr { align-self: stretch; }
        figure, hr { margin: 0; }
        img { max-width: 100%; max-height: 24em; }
        .section { border: 1px solid light-dark(#d0d7de, #30363d); border-radius: 8px; padding: .6em .8em; }
        .spacer { flex: 1; }
        .text { white-space: pre-wrap; overflow-wrap: anywhere; }
        .title { font-size: 1.4em; font-weight: 600; }
        .headline, .bold, .header { font-weight: 600; }
        .caption, .footer { font-size: .88em; }
        .red, .danger, .problem { color: light-dark(#b3202a, #ff8a82); }
        .green { color: light-dark(#116329, #56d364); }
        .yellow, .orange, .brown { color: light-dark(#7d4e00, #e3b341); }
        .blue, .accent { color: light-dark(#0a58ca, #6cb0ff); }
        .purple, .pink { color: light-dark(#6639ba, #c8a6ff); }
        .gray, .secondary, .footer { color: light-dark(#57606a, #9da7b3); }
        td { padding: .15em .9em .15em 0; vertical-align: top; }
        button { font: inherit; min-height: 2.2em; padding: .3em .9em; }
        </style></head><body><main id="view" class="column"></main><p id="note" role="status"></p>
        <script>
        "use strict";
        const view = document.getElementById("view");
        const note = document.getElementById("note");
        const waiting = new Map();
        let lastID = 0;
        let pictures = {};
        const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
        const request = (method, params) => new Promise((resolve, reject) => {
            waiting.set(++lastID, { resolve, reject });
            send({ id: lastID, method, params });
        });
        \(SafeTextScript.functions)
        const clean = (text) => shownText([...String(text ?? "").slice(0, 16000)].slice(0, 8000).join(""));
        function el(name, properties, ...children) {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(properties)) {
                if (value === null || value === false) continue;
                if (typeof value === "function") element.addEventListener(key, value);
                else element.setAttribute(key, value === true ? "" : value);
            }
            element.append(...children.flat().filter((child) => child !== null));
            return element;
        }
        function treeOf(snippet) {
            const open = [];
            let root = null;
            for (const item of snippet?.elements ?? []) {
                if (root || open.length >= 24) return null;
                open.push({ ...item, missing: item.children ?? 0, children: [] });
                while (open.length && open.at(-1).missing === 0) {
                    const done = open.pop();
                    if (!open.length) root = done;
                    else {
                        open.at(-1).children.push(done);
                        open.at(-1).missing -= 1;
                    }
                }
            }
            return root;
        }
        const FONTS = ["title", "headline", "caption"];
        const COLOURS = ["red", "green", "yellow", "orange", "brown", "blue", "accent", "purple", "pink", "gray", "secondary"];
        function nodes(element, run, count, isLabel) {
            const style = element.style ?? {};
            const label = style.accessibilityLabel ? clean(style.accessibilityLabel) : null;
            const kind = [...FONTS.filter((name) => name === style.font), ...COLOURS.filter((name) => name === style.foreground), style.isBold ? "bold" : ""].join(" ");
            const inside = (nested = isLabel) => element.children.map((child) => nodes(child, run, count, nested));
            const group = (name) => el("div", { class: `${name} ${kind}`, role: label ? "group" : null, "aria-label": label }, inside());
            switch (element.kind) {
                case "text": return el("bdi", { class: `text ${kind}`, role: label ? "img" : null, "aria-label": label }, clean(element.text));
                case "symbol": return label ? el("span", { class: kind }, label) : el("span", { class: kind, "aria-hidden": "true" }, "•");
                case "image": {
                    const caption = label ?? clean(element.file?.name);
                    const words = el("figcaption", { class: kind }, caption);
                    const address = pictures[element.file?.index];
                    if (!/^data:image\\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+\\/=]+$/.test(address)) return el("figure", {}, words);
                    const figure = el("figure", {}, el("img", { src: address, alt: caption, load: () => resize(), error: () => figure.replaceChildren(words) }));
                    return figure;
                }
                case "stack": return group(element.axis === "horizontal" ? "row" : "column");
                case "row": return group("row");
                case "grid": return el("table", { role: "presentation" }, element.children.map((row) =>
                    el("tr", {}, (row.kind === "row" ? row.children : [row]).map((cell) => el("td", {}, nodes(cell, run, count, isLabel))))));
                case "section": case "header": case "footer": return group(`${element.kind} column`);
                case "divider": return el("hr", {});
                case "spacer": return el("span", { class: "spacer" });
                case "shape": return el("span", { class: kind, "aria-hidden": "true" }, element.shape === "circle" ? "●" : "■");
                case "progress": return el("label", { class: "row" }, inside(), el("progress", { max: "1", value: Number.isFinite(element.fraction) ? element.fraction : null, "aria-label": label }));
                case "link": {
                    const address = clean(element.address);
                    const open = () => request("ui/open-link", { url: element.address }).catch(() => {});
                    const isWeb = /^https?:/.test(element.address);
                    return el("span", { class: "row" }, isWeb ? el("button", { type: "button", click: open }, inside(true)) : inside(true), el("span", { class: "secondary" }, address));
                }
                case "control": {
                    if (isLabel) return group("row");
                    const number = ++count.controls;
                    const content = element.children.length ? inside(true) : [clean(element.action?.intent)];
                    const use = (event) => press(run, number, event.target);
                    if (typeof element.isOn !== "boolean") return el("button", { type: "button", class: element.isDestructive ? "danger" : null, "aria-label": label, click: use }, content);
                    return el("label", { class: "row" }, el("input", { type: "checkbox", role: "switch", checked: element.isOn, "aria-label": label, change: use }), content);
                }
                default: return group("column");
            }
        }
        function draw(result) {
            const meta = result?._meta ?? {};
            const tree = treeOf(meta["\(snippetKey)"]);
            if (!tree) return false;
            pictures = meta["\(picturesKey)"] ?? {};
            view.replaceChildren(nodes(tree, meta["\(runKey)"], { controls: 0 }, false));
            resize();
            return true;
        }
        const resize = () => send({ method: "ui/notifications/size-changed", params: { height: document.documentElement.getBoundingClientRect().height } });
        async function press(run, number, control) {
            control.disabled = true;
            note.textContent = "";
            try {
                const pressed = await request("tools/call", { name: "intent_press", arguments: { run, control: number } });
                const text = clean(pressed.content?.find((block) => block.type === "text")?.text);
                if (pressed.isError || pressed.structuredContent?.state !== "done") throw new Error(text);
                if (!draw(pressed)) {
                    const refreshed = await request("tools/call", { name: "intent_refresh", arguments: { run } });
                    if (!refreshed.isError) draw(refreshed);
                }
                note.className = "";
                note.textContent = pressed.structuredContent?.dialog ? clean(pressed.structuredContent.dialog) : "";
            } catch (error) {
                note.className = "problem";
                note.textContent = clean(error.message);
                if (typeof control.checked === "boolean") control.checked = !control.checked;
            }
            control.disabled = false;
            resize();
        }
        addEventListener("message", ({ source, data }) => {
            if (source !== parent || data?.jsonrpc !== "2.0") return;
            if (data.method === "ui/notifications/tool-result") return void draw(data.params);
            if (data.method !== undefined) return void (data.id !== undefined && send({ id: data.id, result: {} }));
            const entry = waiting.get(data.id);
            waiting.delete(data.id);
            if (data.error) entry?.reject(new Error(data.error.message));
            else entry?.resolve(data.result);
        });
        request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "intentd", version: "1" }, appCapabilities: {} })
            .then(() => send({ method: "ui/notifications/initialized" }), () => {});
        </script></body></html>
        """
}
