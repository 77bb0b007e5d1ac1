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
    static func meta(_ snippet: Snippet, of run: RunID, _ pictures: [ToolResultFile]) -> JSONValue {
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

    /// The rules and the functions that the page of `intentctl web` also uses. In the document, they are not modules.
    ///
    /// The functions receive a `host`, which has what differs: `el` creates an element. `line(text, limit)` and
    /// `block(text, limit)` escape text of an app for one line, and as a node. `picture(file)` returns an address or a
    /// promise of it. `link` and `control` create nodes; `control` is called in the order of controls. `resized` is
    /// called when a picture has been loaded.
    private static let rules = String(foreign: PackageResources.snippet_style)
    private static let nodes = String(foreign: PackageResources.snippet_nodes)
        .replacing(utf8: "export function", with: "function")

    private static let document = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Snippet</title>
        <style>
        :root {
            --bg: light-dark(#fff, #0d1117); --line: light-dark(#d0d7de, #30363d); --dim: light-dark(#57606a, #9da7b3);
            --good: light-dark(#116329, #56d364); --bad: light-dark(#b3202a, #ff8a82); --warn: light-dark(#7d4e00, #e3b341);
            --accent: light-dark(#0a58ca, #6cb0ff); --wait: light-dark(#6639ba, #c8a6ff);
        }
        body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1c2128, #e6edf3); }
        figure, hr { margin: 0; }
        .block { white-space: pre-wrap; }
        .hint { color: var(--dim); font-size: .92em; }
        .danger, .problem { color: var(--bad); }
        button { font: inherit; min-height: 2.2em; padding: .3em .9em; }
        \(rules)
        </style></head><body><main id="view" class="s-body snippet"></main><p id="note" role="status"></p>
        <script>
        "use strict";
        const view = document.getElementById("view");
        const note = document.getElementById("note");
        const waiting = new Map();
        let lastID = 0;
        const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
        const request = (method, params) => new Promise((resolve, reject) => {
            waiting.set(++lastID, { resolve, reject });
            send({ id: lastID, method, params });
        });
        \(SafeTextScript.functions)
        \(nodes)
        const cut = (text, limit) => [...String(text ?? "").slice(0, 2 * limit)].slice(0, limit).join("");
        const clean = (text) => shownText(cut(text, 8000));
        function el(name, properties = {}, ...children) {
            const element = document.createElement(name);
            for (const [key, value] of Object.entries(properties)) {
                if (value === null || value === undefined || value === false) continue;
                if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
                else element.setAttribute(key, value === true ? "" : value);
            }
            element.append(...children.flat(Infinity));
            return element;
        }
        function hostOf(run, pictures) {
            let controls = 0;
            return {
                el, resized: () => resize(), progressLabel: "Progress",
                line: (text, limit) => shownLine(cut(text, limit)),
                block: (text, limit) => el("bdi", { class: "block" }, shownText(cut(text, limit))),
                picture: (file) => /^data:image\\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+\\/=]+$/.exec(pictures[file?.index])?.[0],
                link: ({ address }, content, label) => el("button", { type: "button", "aria-label": label, onclick: () => request("ui/open-link", { url: address }).catch(() => {}) }, content),
                control: (element, classes, content, label) => {
                    const number = ++controls;
                    const use = (event) => press(run, number, event.currentTarget);
                    if (typeof element.isOn !== "boolean") return el("button", { type: "button", class: classes(element.isDestructive ? "danger" : ""), "aria-label": label, onclick: use }, content);
                    return el("label", { class: classes("s-toggle") }, el("input", { type: "checkbox", role: "switch", checked: element.isOn, "aria-label": label, onchange: use }), " ", content);
                },
            };
        }
        function draw(result) {
            const meta = result?._meta ?? {};
            const tree = treeOf(meta["\(snippetKey)"]);
            if (!tree) return false;
            view.replaceChildren(snippetNode(tree, hostOf(meta["\(runKey)"], meta["\(picturesKey)"] ?? {})));
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
