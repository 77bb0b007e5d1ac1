// The page's text in English and German. A test checks that both tables have the same keys.

const en = {
    catalogue: "Catalogue", now: "Now", history: "History", inbox: "Inbox", host: "Host",
    language: "Language", skip: "Skip to the content", views: "Views", loading: "Loading…",
    connecting: "Connecting…", lost: "The connection was lost. Trying again…",
    waiting: "intentd does not answer. The page will reconnect automatically.",
    refused: "This page no longer has a session.",
    search: "Search", filter: "Filter", noApps: "No intents yet. Install an app in /usr/local/lib/intentd/apps, then run: intentctl reload",
    noMatch: "Nothing matches. Change the filter.", brokenApp: "This app cannot be used: {reason}",
    run: "Run", runs: "Runs", running: "running", required: "required", choose: "Choose…", none: "none",
    yes: "Yes", no: "No", addValue: "Add a value", remove: "Remove", dropFile: "Drop files here, or choose them",
    sent: "{done} of {all} sent", remember: "Remember these values in this browser", commandLine: "Command line",
    copy: "Copy", characters: "{count} characters", furtherValues: "{count} more", confirmDestructive: "This cannot be undone. Run it?", needsAuthentication: "Only permitted users may run this.",
    badNumber: "expected a number", badInteger: "expected a whole number", badJSON: "expected JSON",
    missing: "expected a value", range: "{low} to {high}", atLeast: "at least {low}", atMost: "at most {high}",
    state: "State", queued: "queued", starting: "starting", asking: "asking", stopping: "stopping", ended: "ended", live: "live",
    done: "done", failed: "failed", unanswered: "unanswered", cancelled: "cancelled", crashed: "crashed", exceeded: "limit exceeded",
    violated: "violated", notStarted: "not started", busy: "busy", "state.lost": "lost", hostLost: "host lost",
    timeout: "it made no progress in time", userCancelled: "a user cancelled it", serviceStopping: "intentd stopped",
    clientDisconnected: "its client disconnected", replaced: "a newer run replaced it",
    progress: "Progress", output: "Output", value: "Result", files: "Files", save: "Save", preview: "Preview",
    cancel: "Cancel", cancelWaits: "Asked to stop. Waiting for the clean-up, then SIGTERM, then SIGKILL, until no process is left.",
    nothingLeft: "No process of the run is left.", leftover: "Processes that outlived the run and were killed: {count}.",
    undo: "Undo", retry: "Run again", deadline: "Ends in {time} unless it makes progress", clockPaused: "The clock is stopped.",
    question: "Question", answer: "Answer", answeredBy: "{user} answered.", expiresIn: "Expires in {time}", destructive: "This cannot be undone.",
    needsOther: "Another user must answer this.", bound: "What you approve", digest: "Digest", arguments: "Values", secret: "(secret, not recorded)",
    crash: "Crash", crashSignal: "Signal {signal} in thread {thread}, address {address}", crashNames: "For functions and lines:",
    owner: "Owner", startedBy: "Started by", timeline: "Timeline", timelineOf: "Timeline: {text}", accepted: "Accepted", duration: "Duration", processor: "Processor time",
    memory: "Peak memory", memoryInUse: "Memory in use", processorInUse: "Processor in use, of one processor", isolation: "Isolation", user: "User", app: "App", intent: "Intent", age: "Age",
    noRuns: "Nothing runs now. Start an intent from the catalogue.", noHistory: "No runs recorded. Start an intent from the catalogue.",
    lastHour: "The last hour", perMinute: "Runs per minute, by outcome", percentiles: "Durations of intents in the last hour", count: "Count",
    all: "all", since: "Since", older: "Older runs", newest: "Newest runs", export: "Export", exported: "{count} runs", everybody: "All users",
    noQuestions: "No question waits for you.", answeredList: "Answered", gone: "The question was answered.",
    version: "Version", uptime: "Running for", problems: "Problems", noProblems: "No problems.", missingProtections: "Missing protections",
    protections: "Protections in place", limits: "Limits", limit: "Without progress", ceiling: "In all", grace: "Grace period", warnings: "Warnings",
    slots: "{running} running · {waiting} with a question · {queued} queued · {done} ended", unknownRun: "This run is not recorded, or is another user's.",
    schedules: "Schedules", noSchedules: "No schedule. See: intentctl help schedule", doctor: "Check of the host", until: "Until", clock: "Time left", what: "What", waitsFor: "Waits for: {text}",
    fleet: "Fleet", seen: "Seen", ago: "{time} ago", freeSlots: "Free slots", intents: "Intents",
    notSaved: "The file was not received completely.", sandbox: "Sandbox", shown: "What the intent shows",
};

const de = {
    catalogue: "Katalog", now: "Jetzt", history: "Verlauf", inbox: "Eingang", host: "Rechner",
    language: "Sprache", skip: "Zum Inhalt", views: "Ansichten", loading: "Lädt…",
    connecting: "Verbindet…", lost: "Die Verbindung ist abgebrochen. Neuer Versuch…",
    waiting: "intentd antwortet nicht. Die Seite macht weiter, sobald es wieder da ist.",
    refused: "Diese Seite hat keine Sitzung mehr.",
    search: "Suchen", filter: "Filter", noApps: "Noch keine Intents. Legen Sie eine App in /usr/local/lib/intentd/apps ab, dann: intentctl reload",
    noMatch: "Nichts passt. Ändern Sie den Filter.", brokenApp: "Diese App ist nicht nutzbar: {reason}",
    run: "Starten", runs: "Läufe", running: "läuft", required: "erforderlich", choose: "Wählen…", none: "keine",
    yes: "Ja", no: "Nein", addValue: "Wert hinzufügen", remove: "Entfernen", dropFile: "Dateien hierher ziehen oder wählen",
    sent: "{done} von {all} gesendet", remember: "Diese Werte in diesem Browser merken", commandLine: "Befehlszeile",
    copy: "Kopieren", characters: "{count} Zeichen", furtherValues: "{count} weitere", confirmDestructive: "Das lässt sich nicht rückgängig machen. Starten?", needsAuthentication: "Nur berechtigte Benutzer dürfen das starten.",
    badNumber: "eine Zahl erwartet", badInteger: "eine ganze Zahl erwartet", badJSON: "JSON erwartet",
    missing: "ein Wert wird erwartet", range: "{low} bis {high}", atLeast: "mindestens {low}", atMost: "höchstens {high}",
    state: "Zustand", queued: "wartet", starting: "beginnt", asking: "fragt", stopping: "wird beendet", ended: "beendet", live: "aktiv",
    done: "fertig", failed: "fehlgeschlagen", unanswered: "unbeantwortet", cancelled: "abgebrochen", crashed: "abgestürzt", exceeded: "Grenze überschritten",
    violated: "Regelverstoß", notStarted: "nicht gestartet", busy: "ausgelastet", "state.lost": "verloren", hostLost: "Rechner verloren",
    timeout: "kein Fortschritt in der Zeit", userCancelled: "ein Benutzer hat abgebrochen", serviceStopping: "intentd wurde beendet",
    clientDisconnected: "der Client ist fort", replaced: "ein neuerer Lauf hat ihn ersetzt",
    progress: "Fortschritt", output: "Ausgabe", value: "Ergebnis", files: "Dateien", save: "Speichern", preview: "Vorschau",
    cancel: "Abbrechen", cancelWaits: "Der Lauf soll enden. Gewartet wird auf sein Aufräumen, dann SIGTERM, dann SIGKILL, bis kein Prozess übrig ist.",
    nothingLeft: "Kein Prozess des Laufs ist übrig.", leftover: "Prozesse, die den Lauf überlebten und beendet wurden: {count}.",
    undo: "Rückgängig", retry: "Noch einmal", deadline: "Endet in {time} ohne Fortschritt", clockPaused: "Die Uhr steht.",
    question: "Frage", answer: "Antworten", answeredBy: "{user} hat geantwortet.", expiresIn: "Verfällt in {time}", destructive: "Das lässt sich nicht rückgängig machen.",
    needsOther: "Ein anderer Benutzer muss antworten.", bound: "Was Sie genehmigen", digest: "Prüfsumme", arguments: "Werte", secret: "(geheim, nicht aufgezeichnet)",
    crash: "Absturz", crashSignal: "Signal {signal} im Thread {thread}, Adresse {address}", crashNames: "Funktionen und Zeilen zeigt:",
    owner: "Eigentümer", startedBy: "Gestartet durch", timeline: "Zeitleiste", timelineOf: "Zeitleiste: {text}", accepted: "Angenommen", duration: "Dauer", processor: "Prozessorzeit",
    memory: "Höchster Speicher", memoryInUse: "Belegter Speicher", processorInUse: "Genutzter Prozessor, von einem Prozessor", isolation: "Isolation", user: "Benutzer", app: "App", intent: "Intent", age: "Alter",
    noRuns: "Jetzt läuft nichts. Starten Sie einen Intent aus dem Katalog.", noHistory: "Kein Lauf ist aufgezeichnet. Starten Sie einen Intent aus dem Katalog.",
    lastHour: "Die letzte Stunde", perMinute: "Läufe je Minute, nach Ausgang", percentiles: "Dauer der Intents in der letzten Stunde", count: "Anzahl",
    all: "alle", since: "Seit", older: "Ältere Läufe", newest: "Neueste Läufe", export: "Exportieren", exported: "{count} Läufe", everybody: "Alle Benutzer",
    noQuestions: "Keine Frage wartet auf Sie.", answeredList: "Beantwortet", gone: "Die Frage wurde beantwortet.",
    version: "Version", uptime: "Läuft seit", problems: "Probleme", noProblems: "Kein Problem verhindert Läufe.", missingProtections: "Fehlender Schutz",
    protections: "Vorhandener Schutz", limits: "Grenzen", limit: "Ohne Fortschritt", ceiling: "Insgesamt", grace: "Frist", warnings: "Warnungen",
    slots: "{running} laufen · {waiting} mit Frage · {queued} warten · {done} beendet", unknownRun: "Dieser Lauf ist nicht aufgezeichnet oder gehört einem anderen.",
    schedules: "Zeitpläne", noSchedules: "Kein Zeitplan. Siehe: intentctl help schedule", doctor: "Prüfung des Rechners", until: "Bis", clock: "Restzeit", what: "Was", waitsFor: "Wartet auf: {text}",
    fleet: "Verbund", seen: "Gesehen", ago: "vor {time}", freeSlots: "Freie Plätze", intents: "Intents",
    notSaved: "Die Datei kam nicht vollständig an.", sandbox: "Sandbox", shown: "Was der Intent zeigt",
};

const tables = { en, de };
const LANGUAGE = "intentd.language";
let language = localStorage.getItem(LANGUAGE) ?? (navigator.language.startsWith("de") ? "de" : "en");
if (!tables[language]) language = "en";
document.documentElement.lang = language;

/** Returns the browser's regional variant of the page's language, for dates and numbers. */
export const region = () => navigator.languages.find((name) => name.startsWith(language)) ?? language;

export const languages = { en: "English", de: "Deutsch" };
export const currentLanguage = () => language;

export function setLanguage(name) {
    language = tables[name] ? name : "en";
    localStorage.setItem(LANGUAGE, language);
    document.documentElement.lang = language;
}

/** Returns the keys of each table. */
export const keys = () => Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, Object.keys(table)]));

/** Returns the text for a key. Returns the key itself if the tables lack it, such as a keyword of a later release. */
export function t(key, values = {}) {
    const text = Object.hasOwn(tables[language], key) ? tables[language][key] : key;
    return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** Returns the name of a state or an outcome. */
export const stateName = (state) => t(state === "lost" ? "state.lost" : state);

// These functions format numbers and times in the page's language and the browser's time zone.

export function moment(milliseconds) {
    return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "medium" }).format(new Date(Number(milliseconds)));
}

/** Formats a time compactly, for tables. */
export function shortMoment(milliseconds) {
    return new Intl.DateTimeFormat(region(), { dateStyle: "short", timeStyle: "short" }).format(new Date(Number(milliseconds)));
}

export function span(milliseconds) {
    const value = Math.max(0, Number(milliseconds));
    if (value < 1000) return `${Math.round(value)} ms`;
    if (value < 60_000) return `${new Intl.NumberFormat(region(), { maximumFractionDigits: 1 }).format(value / 1000)} s`;
    const seconds = Math.round(value / 1000);
    const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
    const words = [];
    let rest = seconds;
    for (const [size, unit] of parts) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count && words.length < 2) words.push(`${count} ${unit}`);
    }
    return words.join(" ");
}

export function bytes(count) {
    let value = Number(count);
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    return `${new Intl.NumberFormat(region(), { maximumFractionDigits: unit ? 1 : 0 }).format(value)} ${units[unit]}`;
}
