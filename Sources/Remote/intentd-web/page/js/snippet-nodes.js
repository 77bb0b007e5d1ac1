// The elements of a snippet. `SnippetView` embeds this file, and describes `host`.

const pairs = (text) => new Map(text.match(/\S+ \S+/g).map((pair) => pair.split(" ")));

const SYMBOLS = pairs("checkmark ✓ xmark ✗ star ★ heart ♥ circle ● flag ⚑ bolt ↯ sun ☀ cloud ☁ flame 🔥 leaf 🍃 arrow.up ↑ arrow.down ↓ arrow.left ← arrow.right → play ▶ pause ‖ envelope ✉ bell 🔔 lock 🔒 person 👤 house ⌂ cart 🛒 fork 🍴 cup ☕ takeoutbag 🥡 car 🚗 airplane ✈ location 📍 clock 🕒 timer ⏱ calendar 📅 pencil ✎ trash 🗑 folder 📁 doc 📄 book 📖 photo 🖼 gear ⚙ magnifyingglass 🔍 chart 📈");

// The classes have enough contrast on light and dark backgrounds.
const COLOURS = pairs("secondary gray gray gray red red green green yellow orange orange orange brown orange blue accent accent accent purple purple pink purple");

/** Returns the tree of a snippet's flat list of elements; null if the list forms no tree. */
export function treeOf(snippet) {
  const open = [];
  let root = null;
  for (const item of snippet?.elements ?? []) {
    if (root || open.length >= 24) return null;
    open.push({ ...item, missing: item.children ?? 0, children: [] });
    while (open.length && open.at(-1).missing === 0) {
      const done = open.pop();
      const parent = open.at(-1) ?? { children: [] };
      if (!open.length) root = done;
      parent.children.push(done);
      parent.missing -= 1;
    }
  }
  return root;
}

const aligned = (style) => (["center", "trailing"].includes(style?.alignment) ? `s-${style.alignment}` : null);

/** Returns the node of a tree. Controls inside a label are not active. */
export function snippetNode(element, host, isLabel = false) {
  const { el, line, block } = host;
  const name = (text, limit) => el("bdi", {}, line(text, limit));
  const style = element.style ?? {};
  const label = style.accessibilityLabel ? line(style.accessibilityLabel, 300) : null;
  const inside = (nested = isLabel) => element.children.map((child) => snippetNode(child, host, nested));
  const classes = (name) => [name, style.font && `s-${style.font}`, style.isBold && "s-bold", style.isItalic && "s-italic", style.isMonospaced && "s-mono",
    style.isStruckThrough && "s-struck", COLOURS.has(style.foreground) && `c-${COLOURS.get(style.foreground)}`, style.background && "b-plain",
    style.isPadded && "s-padded", style.isRounded && "s-rounded", aligned(style), style.lineLimit === 1 && "s-line"].filter(Boolean).join(" ");
  const group = (name, tag = "div") => el(tag, { class: classes(name), role: label && "group", "aria-label": label }, inside());
  switch (element.kind) {
    case "text": {
      const text = block(element.text, 8000);
      return el("span", { class: classes("s-text") }, label ? [el("span", { "aria-hidden": "true" }, text), el("span", { class: "sr" }, label)] : text);
    }
    case "symbol": {
      const parts = String(element.name).slice(0, 100).split(".");
      while (parts.length && !SYMBOLS.has(parts.join("."))) parts.pop();
      return el("span", { class: classes("s-symbol"), role: label && "img", "aria-label": label, "aria-hidden": !label && "true" }, SYMBOLS.get(parts.join(".")) ?? "•");
    }
    case "image": {
      const alt = label ?? line(element.file?.name, 200);
      const replace = () => figure.replaceChildren(el("figcaption", {}, name(alt, 300)));
      const image = el("img", { alt, onload: host.resized, onerror: replace });
      const figure = el("figure", { class: classes("s-image") }, image);
      Promise.resolve(host.picture(element.file)).then((address) => (address ? (image.src = address) : replace()), replace);
      return figure;
    }
    case "stack": return group({ horizontal: "s-row", depth: "s-depth" }[element.axis] ?? "s-column");
    case "row": return group("s-row");
    case "grid":
      return el("table", { class: classes("s-grid"), role: "presentation" }, element.children.map((row) => el("tr", {}, (row.kind === "row" ? row.children : [row]).map((cell) =>
        el("td", { class: aligned(cell.style) }, snippetNode(cell, host, isLabel))))));
    case "section": return group("s-section", "section");
    case "header": return group("s-header");
    case "footer": return group("s-footer hint");
    case "divider": return el("hr");
    case "spacer": return el("span", { class: "s-spacer" });
    case "shape": return el("span", { class: classes(`s-shape s-${element.shape === "circle" ? "circle" : "rectangle"}`), "aria-hidden": "true" });
    case "progress": {
      const value = Number.isFinite(element.fraction) ? Math.min(1, Math.max(0, element.fraction)) : null;
      return el("label", { class: classes("s-progress") }, inside(), el("progress", { max: "1", value, "aria-label": element.children.length ? null : label ?? host.progressLabel }));
    }
    case "link": {
      const isSite = /^https?:/i.test(element.address) && URL.canParse(element.address);
      const content = element.children.length ? inside(true) : name(element.address, 300);
      // The name of the site is always shown, because the label can name another site.
      const address = isSite ? line(new URL(element.address).host, 100) : name(element.address, 300);
      return el("span", { class: classes("s-link") }, isSite ? host.link(element, content, label) : content, " ", el("span", { class: "hint" }, address));
    }
    case "control":
      if (isLabel) return group("s-row");
      return host.control(element, classes, element.children.length ? inside(true) : name(element.action?.intent, 100), label);
    default: return group("s-column");
  }
}
