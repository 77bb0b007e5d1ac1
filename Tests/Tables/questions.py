"""The questions that show a view. Each exists with the view as an argument and with a closure that returns the view."""
from .swift import WIDTH, call, doc, extension, header
import textwrap

PARAMETERS = {
    "itemsToDisambiguate": ("among itemsToDisambiguate: [Value.ValueType]",
                            "The values. If the list is empty, the person may enter any value."),
    "itemToConfirm": ("for itemToConfirm: Value.ValueType", "The value."),
    "dialog:first": ("_ dialog: IntentDialog? = nil", "The question; nil for the parameter's own question."),
    "dialog": ("dialog: IntentDialog? = nil", "The question; nil for the parameter's own question."),
    "dialog:value": ("dialog: IntentDialog? = nil",
                     "The question; nil for a question that contains the parameter's title and the value."),
}

UNANSWERED = ("An error that contains the question when no client can answer the question; `CancellationError` when the run"
              " is cancelled.")

# The questions about a parameter: the method, its summary, its parameters and its result.
QUESTIONS = [
    ("requestValue", "Shows a view, asks the person for a value, and returns the value.", "dialog:first", "Value.ValueType"),
    ("requestDisambiguation", "Shows a view, asks the person to choose one of several values, and returns the chosen value.",
     "itemsToDisambiguate dialog", "Value.ValueType"),
    ("requestConfirmation",
     "Shows a view, and asks the person whether a value is correct. Returns false if the person answers no.",
     "itemToConfirm dialog:value", "Bool"),
]


def item(text, indent):
    return [f"/// {line}" for line in textwrap.wrap(text, WIDTH - 8, subsequent_indent=indent)]


def question(owner, name, summary, names, result, closure):
    rows = [PARAMETERS[name] for name in names.split()]
    view = "@ViewBuilder view: () -> Content" if closure else "view: Content"
    described = [(name.split(":")[0], meaning) for name, (_, meaning) in zip(names.split(), rows)]
    page = "IntentParameterContext.requestConfirmation(for:dialog:view:)" if result == "Bool" else f"{owner}.{name}"
    lines = doc(summary) + ["///", "/// - Parameters:"]
    for label, meaning in described + [("view", "The view that clients show before the question.")]:
        lines += item(f"  - {label}: {meaning}", "    ")
    lines += item(f"- Throws: {UNANSWERED}", "  ") + ["///", f"/// Source: Apple's {page} page."]
    labels = [declaration.split(":")[0].split(" ") for declaration, _ in rows]
    arguments = [label[-1] if label[0] == "_" else f"{label[0]}: {label[-1]}" for label in labels]
    lines += [f"public func {name}<Content: View>("] + [f"    {declaration}," for declaration, _ in rows]
    lines += [f"    {view}", f") async throws -> {result} {{"]
    shown = f"view: _ShownView(of: view{'()' if closure else ''})"
    return lines + [f"    {line}" for line in call(f"try await _{name}", [*arguments, shown], "", 2)] + ["}"]


def files():
    families = [
        extension(owner, [question(owner, *row, closure) for row in QUESTIONS for closure in (False, True)])
        for owner in ("IntentParameter", "IntentParameterContext")
    ]
    return {"IntentViews/Generated/IntentParameter+Asking.swift":
            header("questions.py") + "public import AppIntents\n\n" + "\n".join(families)}
