"""IntentResult's result(…), with and without a view, and the overloads with a closure that returns a result."""
import itertools
from .swift import doc, extension, header, joined

# The intents that can follow a result: the argument, the generic parameter for its type, and its meaning.
FOLLOWING = [
    (None, "", ""),
    ("opensIntent: OpensAppIntent", "OpensAppIntent", "The intent to perform next. On Linux, the caller decides whether to perform it."),
    ("opensIntent: some AppIntent", "", "The intent to perform next. On Linux, the caller decides whether to perform it."),
    ("actionButtonIntent: some AppIntent", "", "Ignored on Linux."),
]


def results():
    functions = []
    for (following, opened, follows), snippet, value, dialog in itertools.product(
            FOLLOWING, [False, True], [False, True], [False, True]):
        if snippet and following and following.startswith("action"):
            continue
        parts = [(value, "value: Value", "The value that the caller receives."), (following, following, follows),
                 (dialog, "dialog: IntentDialog", "The message that is shown to the caller."),
                 (snippet, "snippetIntent: some SnippetIntent", "The intent that returns the view to show. Clients perform it again to refresh the view.")]
        parts = [(text, meaning) for present, text, meaning in parts if present]
        button = bool(following) and follows[0] != "T"
        nouns = (["a value"] * value + ["a dialog"] * dialog + ["a snippet"] * snippet
                 + ["a button for another intent"] * button)
        generics = ["Value"] * value + [f"{opened}: AppIntent"] * bool(opened)
        summary = "Returns " + (f"a result with {joined(nouns)}" if nouns else "a result")
        if following:
            summary += "" if button else ", followed by another intent"
        lines = [f"/// {summary}."]
        if parts:
            lines += ["///", "/// - Parameters:"]
            lines += [f"///   - {text.split(':')[0]}: {meaning}" for text, meaning in parts]
        # Apple disfavours these overloads: the result of an overload with an opaque intent has the type of a result that
        # opens nothing, so that `perform()` can return either.
        lines += ["@_disfavoredOverload"] if opened else []
        name = "public static func result" + (f"<{', '.join(generics)}>" if generics else "")
        if len(parts) > 1:
            lines += [f"{name}("] + [f"    {text}," for text, _ in parts]
            lines[-1] = lines[-1].removesuffix(",")
            lines += [") -> Self"]
        else:
            lines += [f"{name}({''.join(text for text, _ in parts)}) -> Self"]
        lines += [f"where Self == IntentResultContainer<{'Value' if value else 'Never'}, {opened or 'Never'}, "
                  f"{'_SnippetIntentContainer' if snippet else 'Never'}, {'IntentDialog' if dialog else 'Never'}> {{"]
        lines += [f"    IntentResultContainer(value: {'value' if value else 'nil'}, dialog: {'dialog' if dialog else 'nil'}, "
                  f"opensIntent: {'opensIntent' if follows.startswith('T') else 'nil'})"] + ["        .showing(performing: snippetIntent)"] * snippet + ["}"]
        functions.append(lines)
    return extension("IntentResult", functions)


def view_results():
    """The results with a view, which are in the module of views. Each exists with an argument and with a closure."""
    functions = []
    for (following, opened, follows), closure, value, dialog in itertools.product(
            FOLLOWING, [False, True], [False, True], [False, True]):
        view = ("@ViewBuilder content: () -> Content", "The view that clients show.") if closure else (
            "view: Content = EmptyView()", "The view that clients show.")
        parts = [(value, "value: Value", "The value that the caller receives."), (following, following, follows),
                 (dialog, "dialog: IntentDialog", "The message that is shown to the caller."), (True, *view)]
        parts = [(text, meaning) for present, text, meaning in parts if present]
        button = bool(following) and follows[0] != "T"
        nouns = (["a value"] * value + ["a dialog"] * dialog + ["a view"] + ["a button for another intent"] * button)
        generics = ["Value"] * value + [f"{opened}: AppIntent"] * bool(opened) + ["Content: View"]
        summary = f"Returns a result with {joined(nouns)}"
        if following:
            summary += "" if button else ", followed by another intent"
        label = lambda text: text.removeprefix("@ViewBuilder ").split(":")[0]
        lines = [f"/// {summary}.", "///", "/// - Parameters:"]
        lines += [f"///   - {label(text)}: {meaning}" for text, meaning in parts]
        lines += ["@_disfavoredOverload"] if opened else []
        name = f"public static func result<{', '.join(generics)}>"
        lines += [f"{name}("] + [f"    {text}," for text, _ in parts]
        lines[-1] = lines[-1].removesuffix(",")
        lines += [") -> Self"]
        lines += [f"where Self == IntentResultContainer<{'Value' if value else 'Never'}, {opened or 'Never'}, "
                  f"_SnippetViewContainer, {'IntentDialog' if dialog else 'Never'}> {{"]
        lines += ["    IntentResultContainer(", f"        _value: {'value' if value else 'nil'},",
                  f"        dialog: {'dialog' if dialog else 'nil'},",
                  f"        opensIntent: {'opensIntent' if follows.startswith('T') else 'nil'},",
                  f"        view: _ShownView(of: {'content()' if closure else 'view'})", "    )", "}"]
        functions.append(lines)
    return "public import AppIntents\n\n" + extension("IntentResult", functions)


# The methods with a closure that returns a result: the method, how its doc comment begins and continues, and the lines
# before, in and after its parameters.
CLOSURES = {
    "LongRunningIntent": (
        "performBackgroundTask", "", ["@discardableResult", "@_disfavoredOverload"], "nonisolated(nonsending) public",
        ["options: LongRunningTaskOptions = []", "operation: nonisolated(nonsending) @escaping () async throws -> {result}"],
        "throws", "inBackground(options, operation)"),
    "LongRunningIntent where Self: CancellableIntent": (
        "performBackgroundTask", " with a cancellation handler,", ["@discardableResult", "@_disfavoredOverload"],
        "nonisolated(nonsending) public",
        ["options: LongRunningTaskOptions = []", "operation: nonisolated(nonsending) @escaping () async throws -> {result}",
         "onCancel: @escaping @Sendable (IntentCancellationReason) -> Void"],
        "throws", "inBackground(options, operation, onCancel: onCancel)"),
    "CancellableIntent": (
        "withIntentCancellationHandler", "", ["@_disfavoredOverload"], "public",
        ["operation: nonisolated(nonsending) () async throws -> {result}",
         "onCancel handler: @Sendable (IntentCancellationReason) -> Void",
         "isolation: isolated (any Actor)? = #isolation"],
        "rethrows", "handlingCancellation(operation, handler, isolation)"),
}


def wrapped(parameter):
    """A parameter that is longer than a line is broken before its type and inside the type's brackets."""
    if len(parameter) <= 110:
        return [parameter]
    label, _, type = parameter.partition(": ")
    if len(type) <= 107:
        return [f"{label}:", f"    {type}"]
    start, _, arguments = type.partition("<")
    return [f"{label}:", f"    {start}<", f"        {arguments.removesuffix('>')}", "    >"]


def closures():
    """Apple's samples use `return .result(…)` in a closure. Swift can infer its type only with an overload for each type
    of result, not with the generic methods alone. The overloads are disfavoured, because a closure that never returns
    would match all of them."""
    families = []
    for owner, (name, variant, attributes, access, parameters, throws, call) in CLOSURES.items():
        functions = []
        for dialog, value in itertools.product([False, True], [False, True]):
            result = f"IntentResultContainer<{'Value' if value else 'Never'}, Never, Never, {'IntentDialog' if dialog else 'Never'}>"
            noun = f"a result with {joined(['a value'] * value + ['a dialog'] * dialog)}" if value or dialog else "an empty result"
            lines = doc(f"An overload of `{name}`{variant} for a closure that returns {noun}.") + attributes
            lines.append(f"{access} func {name}{'<Value: _IntentValue>' if value else ''}(")
            broken = [wrapped(parameter.format(result=result)) for parameter in parameters]
            for parameter in broken[:-1]:
                parameter[-1] += ","
            lines += [f"    {line}" for parameter in broken for line in parameter]
            functions.append(lines + [f") async {throws} -> {result} {{", f"    try await {call}", "}"])
        families.append(extension(owner, functions))
    return "\n".join(families)


def files():
    source = "Apple's IntentResult page"
    return {
        "AppIntents/Generated/IntentResult+Factories.swift": header("results.py", source) + results(),
        "AppIntents/Generated/IntentResult+Closures.swift": header("results.py") + closures(),
        "IntentViews/Generated/IntentResult+Views.swift": header("results.py", source) + view_results(),
    }
