// The page's text in English and German.

export const TEXTS = {
  catalogue: ["Catalogue", "Katalog"],
  now: ["Now", "Jetzt"],
  history: ["History", "Verlauf"],
  inbox: ["Inbox", "Eingang"],
  host: ["Host", "Rechner"],
  language: ["Language", "Sprache"],
  skip: ["Skip to the content", "Zum Inhalt"],
  views: ["Views", "Ansichten"],
  loading: ["Loading…", "Lädt…"],
  connecting: ["Connecting…", "Verbindet…"],
  lost: ["The connection was lost. Trying again…", "Die Verbindung ist abgebrochen. Neuer Versuch…"],
  waiting: ["intentd does not answer. The page reconnects.", "intentd antwortet nicht. Die Seite verbindet sich neu."],
  refused: ["This page no longer has a session.", "Diese Seite hat keine Sitzung mehr."],
  search: ["Search", "Suchen"],
  noApps: ["No intents yet. Install an app in /usr/local/lib/intentd/apps, then run: intentctl reload", "Noch keine Intents. Legen Sie eine App in /usr/local/lib/intentd/apps ab, dann: intentctl reload"],
  noMatch: ["Nothing matches. Change the filter.", "Nichts passt. Ändern Sie den Filter."],
  brokenApp: ["This app cannot be used: {reason}", "Diese App ist nicht nutzbar: {reason}"],
  run: ["Run", "Starten"],
  runs: ["Runs", "Läufe"],
  running: ["running", "läuft"],
  required: ["required", "erforderlich"],
  choose: ["Choose…", "Wählen…"],
  none: ["none", "keine"],
  yes: ["Yes", "Ja"],
  no: ["No", "Nein"],
  addValue: ["Add a value", "Wert hinzufügen"],
  remove: ["Remove", "Entfernen"],
  dropFile: ["Drop files here, or choose them", "Dateien hierher ziehen oder wählen"],
  sent: ["{done} of {all} sent", "{done} von {all} gesendet"],
  remember: ["Remember these values in this browser", "Diese Werte in diesem Browser merken"],
  commandLine: ["Command line", "Befehlszeile"],
  copy: ["Copy", "Kopieren"],
  characters: ["{count} characters", "{count} Zeichen"],
  furtherValues: ["{count} more", "{count} weitere"],
  confirmDestructive: ["This cannot be undone. Run it?", "Das lässt sich nicht rückgängig machen. Starten?"],
  needsAuthentication: ["Only permitted users may run this.", "Nur berechtigte Benutzer dürfen das starten."],
  incomplete: ["expected a complete date or time", "ein vollständiges Datum oder eine Zeit erwartet"],
  skippedTime: ["this time does not exist: daylight saving time skips it", "diese Zeit gibt es nicht: Die Sommerzeit überspringt sie"],
  lines: ["Several lines (Shift+Enter)", "Mehrere Zeilen (Umschalt+Eingabe)"],
  fileAgain: ["Choose again: {name}", "Neu wählen: {name}"],
  badNumber: ["expected a number", "eine Zahl erwartet"],
  badInteger: ["expected a whole number", "eine ganze Zahl erwartet"],
  badJSON: ["expected JSON", "JSON erwartet"],
  missing: ["expected a value", "ein Wert wird erwartet"],
  range: ["{low} to {high}", "{low} bis {high}"],
  atLeast: ["at least {low}", "mindestens {low}"],
  atMost: ["at most {high}", "höchstens {high}"],
  state: ["State", "Zustand"],
  queued: ["queued", "wartet"],
  starting: ["starting", "beginnt"],
  asking: ["asking", "fragt"],
  stopping: ["stopping", "wird beendet"],
  ended: ["ended", "beendet"],
  live: ["live", "aktiv"],
  done: ["done", "fertig"],
  failed: ["failed", "fehlgeschlagen"],
  unanswered: ["unanswered", "unbeantwortet"],
  cancelled: ["cancelled", "abgebrochen"],
  crashed: ["crashed", "abgestürzt"],
  exceeded: ["limit exceeded", "Grenze überschritten"],
  timedOut: ["timed out", "Zeit abgelaufen"],
  omitted: ["The beginning is not shown. Everything:", "Der Anfang wird nicht gezeigt. Alles:"],
  gap: ["{size} of output are not recorded", "{size} der Ausgabe sind nicht aufgezeichnet"],
  violated: ["violated", "Regelverstoß"],
  notStarted: ["not started", "nicht gestartet"],
  busy: ["busy", "ausgelastet"],
  "state.lost": ["lost", "verloren"],
  hostLost: ["host lost", "Rechner verloren"],
  timeout: ["it made no progress in time", "kein Fortschritt in der Zeit"],
  userCancelled: ["a user cancelled it", "ein Benutzer hat abgebrochen"],
  serviceStopping: ["intentd stopped", "intentd wurde beendet"],
  clientDisconnected: ["its client disconnected", "der Client ist fort"],
  replaced: ["a newer run replaced it", "ein neuerer Lauf hat ihn ersetzt"],
  progress: ["Progress", "Fortschritt"],
  output: ["Output", "Ausgabe"],
  value: ["Result", "Ergebnis"],
  files: ["Files", "Dateien"],
  save: ["Save", "Speichern"],
  preview: ["Preview", "Vorschau"],
  cancel: ["Cancel", "Abbrechen"],
  cancelWaits: ["Asked to stop. Waiting until no process is left.", "Der Lauf soll enden. Gewartet wird, bis kein Prozess übrig ist."],
  nothingLeft: ["No process of the run is left.", "Kein Prozess des Laufs ist übrig."],
  leftover: ["Killed processes that outlived the run: {count}.", "Prozesse, die den Lauf überlebten und beendet wurden: {count}."],
  undo: ["Undo", "Rückgängig"],
  retry: ["Run again", "Noch einmal"],
  deadline: ["Ends in {time} unless it makes progress", "Endet in {time} ohne Fortschritt"],
  clockPaused: ["The clock is stopped.", "Die Uhr steht."],
  question: ["Question", "Frage"],
  answer: ["Answer", "Antworten"],
  answeredBy: ["{user} answered.", "{user} hat geantwortet."],
  expiresIn: ["Expires in {time}", "Verfällt in {time}"],
  destructive: ["This cannot be undone.", "Das lässt sich nicht rückgängig machen."],
  needsOther: ["Another user must answer this.", "Ein anderer Benutzer muss antworten."],
  bound: ["What you approve", "Was Sie genehmigen"],
  digest: ["Digest", "Prüfsumme"],
  arguments: ["Values", "Werte"],
  secret: ["(secret, not recorded)", "(geheim, nicht aufgezeichnet)"],
  crash: ["Crash", "Absturz"],
  crashSignal: ["Signal {signal} in thread {thread}, address {address}", "Signal {signal} im Thread {thread}, Adresse {address}"],
  crashNames: ["For functions and lines:", "Funktionen und Zeilen zeigt:"],
  owner: ["Owner", "Eigentümer"],
  startedBy: ["Started by", "Gestartet durch"],
  timeline: ["Timeline", "Zeitleiste"],
  timelineOf: ["Timeline: {text}", "Zeitleiste: {text}"],
  accepted: ["Accepted", "Angenommen"],
  duration: ["Duration", "Dauer"],
  processor: ["Processor time", "Prozessorzeit"],
  memory: ["Peak memory", "Höchster Speicher"],
  memoryInUse: ["Memory in use", "Belegter Speicher"],
  processorInUse: ["Processor in use, of one", "Genutzter Prozessor, von einem"],
  isolation: ["Isolation"],
  user: ["User", "Benutzer"],
  app: ["App"],
  intent: ["Intent"],
  age: ["Age", "Alter"],
  noRuns: ["Nothing runs now. Start an intent from the catalogue.", "Jetzt läuft nichts. Starten Sie einen Intent aus dem Katalog."],
  noHistory: ["No runs recorded.", "Kein Lauf ist aufgezeichnet."],
  lastHour: ["The last hour", "Die letzte Stunde"],
  perMinute: ["Runs per minute, by outcome", "Läufe je Minute, nach Ausgang"],
  percentiles: ["Durations in the last hour", "Dauer in der letzten Stunde"],
  count: ["Count", "Anzahl"],
  all: ["all", "alle"],
  since: ["Since", "Seit"],
  older: ["Older runs", "Ältere Läufe"],
  newest: ["Newest runs", "Neueste Läufe"],
  export: ["Export", "Exportieren"],
  exported: ["{count} runs", "{count} Läufe"],
  everybody: ["All users", "Alle Benutzer"],
  noQuestions: ["No question waits for you.", "Keine Frage wartet auf Sie."],
  standing: ["Standing approvals", "Offene Genehmigungen"],
  revoke: ["Revoke", "Widerrufen"],
  answeredList: ["Answered", "Beantwortet"],
  gone: ["The question was answered.", "Die Frage wurde beantwortet."],
  version: ["Version"],
  uptime: ["Running for", "Läuft seit"],
  problems: ["Problems", "Probleme"],
  noProblems: ["No problems.", "Kein Problem verhindert Läufe."],
  missingProtections: ["Missing protections", "Fehlender Schutz"],
  protections: ["Protections in place", "Vorhandener Schutz"],
  limits: ["Limits", "Grenzen"],
  standard: ["default", "Vorgabe"],
  limit: ["Without progress", "Ohne Fortschritt"],
  ceiling: ["In all", "Insgesamt"],
  grace: ["Grace period", "Frist"],
  warnings: ["Warnings", "Warnungen"],
  slots: ["{running} running · {waiting} with a question · {queued} queued · {done} ended", "{running} laufen · {waiting} mit Frage · {queued} warten · {done} beendet"],
  unknownRun: ["This run is not recorded, or is another user's.", "Dieser Lauf ist nicht aufgezeichnet oder gehört einem anderen."],
  schedules: ["Schedules", "Zeitpläne"],
  noSchedules: ["None. See: intentctl help schedule", "Keine. Siehe: intentctl help schedule"],
  doctor: ["Check of the host", "Prüfung des Rechners"],
  until: ["Until", "Bis"],
  clock: ["Time left", "Restzeit"],
  what: ["What", "Was"],
  waitsFor: ["Waits for: {text}", "Wartet auf: {text}"],
  fleet: ["Fleet", "Verbund"],
  seen: ["Seen", "Gesehen"],
  ago: ["{time} ago", "vor {time}"],
  freeSlots: ["Free slots", "Freie Plätze"],
  intents: ["Intents"],
  sandbox: ["Sandbox"],
  steps: ["Steps", "Schritte"],
  shown: ["What the intent shows", "Was der Intent zeigt"],
};

const LANGUAGE = "intentd.language";
const CODES = ["en", "de"];
let language = localStorage.getItem(LANGUAGE) ?? (navigator.language.startsWith("de") ? "de" : "en");
if (!CODES.includes(language)) language = "en";
document.documentElement.lang = language;

/** The browser's variant of the page's language. Some name one that they reject: `en-US@posix`. */
export const region = () => navigator.languages.find((name) => {
  try {
    return name.startsWith(language) && Intl.getCanonicalLocales(name);
  } catch {
    return false;
  }
}) ?? language;

export const languages = { en: "English", de: "Deutsch" };
export const currentLanguage = () => language;

export function setLanguage(name) {
  language = name;
  localStorage.setItem(LANGUAGE, language);
  document.documentElement.lang = language;
}

/** Returns the text for a key, or the key if the table lacks it. */
export function t(key, values = {}) {
  const text = Object.hasOwn(TEXTS, key) ? TEXTS[key].at(CODES.indexOf(language)) ?? TEXTS[key][0] : key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** Returns the state or the outcome of a run. A limit that cancelled it is a failure. */
export const kindOf = ({ kind, outcome = kind, state, reason }) => (outcome === "cancelled" && reason === "timeout" ? "timedOut" : outcome ?? state ?? "running");

export function setTitle(text) {
  document.title = `${text} – intentd`;
}

export const stateName = (state) => t(state === "lost" ? "state.lost" : state);

// These functions format numbers and times in the page's language and the browser's time zone.

export const moment = (milliseconds, style = "medium") =>
  new Intl.DateTimeFormat(region(), { dateStyle: style, timeStyle: style }).format(new Date(Number(milliseconds)));

let skew = 0;
/** Sets the host's clock: the browser's can be wrong. */
export const setClock = (milliseconds) => void (skew = Number(milliseconds) - Date.now() || 0);
export const now = () => Date.now() + skew;

export function span(milliseconds) {
  const value = Math.max(0, Number(milliseconds));
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${new Intl.NumberFormat(region(), { maximumFractionDigits: 1 }).format(value / 1000)} s`;
  let rest = Math.round(value / 1000);
  return [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count && `${count} ${unit}`;
  }).filter(Boolean).slice(0, 2).join(" ");
}

export function bytes(count) {
  const unit = Math.min(4, Math.floor((String(count).length - 1) / 3));
  return `${new Intl.NumberFormat(region(), { maximumFractionDigits: unit ? 1 : 0 }).format(Number(count) / 1000 ** unit)} ${["B", "kB", "MB", "GB", "TB"][unit]}`;
}
