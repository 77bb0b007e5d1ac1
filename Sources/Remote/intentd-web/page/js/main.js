import { Client } from "./client.js";
import { alertLine, clamp, errorNodes, el, put } from "./dom.js";
import { runView } from "./run-view.js";
import { currentLanguage, languages, setLanguage, setTitle, t } from "./strings.js";
import { findTransport } from "./transport.js";
import { catalogueView, historyView, hostView, inboxView, intentView, nowView } from "./views.js";

const content = document.getElementById("content");
const banner = document.getElementById("banner");
const nav = document.getElementById("nav");
const VIEWS = { catalogue: catalogueView, now: nowView, history: historyView, inbox: inboxView, host: hostView };
let client;
let shown = null;

function drawFrame() {
  document.getElementById("skip").textContent = t("skip");
  nav.setAttribute("aria-label", t("views"));
  put(nav, ...Object.keys(VIEWS).map((name) => el("a", { href: `#/${name}`, "data-view": name }, t(name))));
  put(document.getElementById("language"), el("select", { "aria-label": t("language"), onchange: (event) => {
    setLanguage(event.target.value);
    drawFrame();
    route();
  } }, Object.entries(languages).map(([code, name]) => el("option", { value: code, lang: code, selected: code === currentLanguage() }, name))));
}

async function route() {
  shown?.abort();
  shown = new AbortController();
  const { signal } = shown;
  const [name = "", ...words] = location.hash.replace(/^#\/?/, "").split("/").map((word) => {
    try {
      return decodeURIComponent(word);
    } catch {
      return "";
    }
  });
  const view = name === "run" ? "now" : Object.hasOwn(VIEWS, name) ? name : "catalogue";
  for (const link of nav.children) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  content.dataset.view = name || view;
  content.setAttribute("aria-busy", "true");
  setTitle(t(view));
  try {
    if (name === "run") runView(client, content, words[0] ?? "", signal);
    else if (name === "intent") await intentView(client, content, signal, words[0] ?? "", words[1] ?? "", words[2]);
    else await VIEWS[view](client, content, signal);
  } catch (error) {
    if (!signal.aborted) put(content, el("h1", t(view)), alertLine(errorNodes(error)));
  }
  if (!signal.aborted) content.removeAttribute("aria-busy");
}

function drawState() {
  document.body.dataset.state = client.state;
  banner.hidden = client.state === "open";
  const reason = client.reason ? ` ${clamp(client.reason, 500)}` : "";
  put(banner, client.state === "open" ? "" : t(client.state) + reason);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  content.focus();
});

client = new Client(await findTransport());
client.addEventListener("state", drawState);
drawFrame();
drawState();
addEventListener("hashchange", () => {
  route();
  content.focus({ preventScroll: true });
});
addEventListener("beforeprint", () => document.querySelectorAll(".long-scroll").forEach((list) => list.dispatchEvent(new Event("beforeprint"))));
client.start();
route();
