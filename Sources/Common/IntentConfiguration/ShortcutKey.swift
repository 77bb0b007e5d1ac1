import IntentLauncherMessages

/// The keys of `[Shortcut NAME]` in an intentd.shortcut(5) file.
package enum ShortcutKey: String, SettingKey {
    case title = "Title"
    case description = "Description"
    case summary = "Summary"
    case result = "Result"
    case onFailure = "OnFailure"
    case destructive = "Destructive"

    var manual: SettingManual {
        switch self {
        case .title:
            SettingManual(
                .value(name: "text", of: "text"),
                standard: "the name of the shortcut",
                example: "Archive the invoices of a month",
                "The title that people see."
            )
        case .description:
            SettingManual(
                .value(name: "text", of: "text"),
                example: "Packs the invoices, and sends the archive.",
                "What the shortcut does, for help texts and agents."
            )
        case .summary:
            SettingManual(
                .value(name: "text", of: "text with placeholders of the form %{name}"),
                example: "Archive %{month} for %{who}",
                """
                The sentence that describes a run with its values.
                Only parameters can be named.
                """
            )
        case .result:
            SettingManual(
                .value(name: "template", of: "a template"),
                example: "%{archive}",
                "The value that the shortcut returns.\nFiles of steps are returned, too."
            )
        case .onFailure:
            SettingManual(
                .choice(["keep", "undo"]),
                standard: "keep",
                example: "undo",
                """
                What happens when a step has failed, or the shortcut was cancelled.
                With
                .Cm undo ,
                intentd performs the undo that the ended steps have registered, in reverse order, each once.
                The end of the run lists what was undone, and what cannot be undone.
                """
            )
        case .destructive:
            .flag("If the shortcut destroys data, so that clients ask before they perform it.")
        }
    }
}

/// The keys of `[Step NAME]` in an intentd.shortcut(5) file.
package enum ShortcutStepKey: String, SettingKey {
    case intent = "Intent"
    case shortcut = "Shortcut"
    case values = "Values"
    case ask = "Ask"
    case type = "Type"
    case choose = "Choose"
    case options = "Options"
    case wait = "Wait"
    case condition = "If"
    case alternative = "Else"
    case forEach = "ForEach"
    case parallel = "Parallel"
    case repetition = "Repeat"
    case until = "Until"
    case retry = "Retry"
    case onError = "OnError"

    private static let conditionForm = "a reference, or a reference, one of = != < <= > >=, and a value"

    var manual: SettingManual {
        switch self {
        case .intent:
            SettingManual(
                .value(name: "app/intent", of: "the name of an app, a slash, and the name of its intent"),
                example: "Archive/Compress",
                """
                The intent that the step performs.
                The run of the step has its own worker, sandbox, limits and history.
                """
            )
        case .shortcut:
            SettingManual(
                .value(name: "name", of: "the name of a shortcut's file without .shortcut"),
                example: "Monthly",
                """
                The shortcut that the step performs, instead of an intent.
                At most \(ShortcutPlan.depthLimit) shortcuts can perform each other, and none can perform itself.
                """
            )
        case .values:
            SettingManual(
                .list(name: "parameter=value", of: "assignments in template syntax, separated by spaces"),
                standard: "empty",
                example: "month=%{month} title=\"Invoices of %{month}\"",
                """
                The values of the intent's parameters.
                A value that is one placeholder is passed as what it is: a number, a file, an entity or a list.
                Other values are text, which must fit the type of the parameter.
                An assignment is omitted if its placeholder has no value.
                The key may be given several times.
                """
            )
        case .ask:
            SettingManual(
                .value(name: "question", of: "text with placeholders"),
                example: "Send %{list.count} invoices to %{who}?",
                """
                A question to a person.
                Without
                .Cm Type= ,
                the answer decides whether the shortcut continues.
                """
            )
        case .type:
            SettingManual(
                .choice(["string", "integer", "number", "boolean"]),
                example: "integer",
                "The type of the answer to\n.Cm Ask= ,\nwhich is the value of the step."
            )
        case .choose:
            SettingManual(
                .value(name: "question", of: "text with placeholders"),
                example: "Which archive?",
                "A question with the answers of\n.Cm Options= ."
            )
        case .options:
            SettingManual(
                .list(name: "word", of: "words in template syntax"),
                example: "weekly monthly",
                "The answers to\n.Cm Choose= .\nA list stands for its elements.\nThe chosen text is the value of the step."
            )
        case .wait:
            SettingManual(
                .span,
                example: "10min",
                "A pause.\nIt continues while intentd is stopped, and the machine off."
            )
        case .condition:
            SettingManual(
                .value(name: "condition", of: Self.conditionForm),
                example: "%{list.count} > 0",
                """
                The step is performed only if the condition holds.
                A value alone holds if it is true, or if it exists and is no empty list.
                """
            )
        case .alternative:
            SettingManual(
                .value(name: "step", of: "the name of an earlier step with If="),
                example: "check",
                "The step is performed only if the condition of the named step did not hold."
            )
        case .forEach:
            SettingManual(
                .value(name: "reference", of: "a reference to a list"),
                example: "%{list}",
                """
                The step is performed once for each element, which is
                .Li %{item} ;
                .Li %{index}
                is its number from 1.
                The value of the step is the list of the results.
                """
            )
        case .parallel:
            SettingManual(
                .count(1...ShortcutPlan.parallelLimit),
                standard: "1",
                example: "4",
                "The number of elements of\n.Cm ForEach=\nthat are performed at the same time."
            )
        case .repetition:
            SettingManual(
                .count(1...ShortcutPlan.runLimit),
                example: "10",
                """
                How often the step is performed, one time after the other.
                The value of the step is the last result.
                """
            )
        case .until:
            SettingManual(
                .value(name: "condition", of: Self.conditionForm),
                example: "%{check} = ready",
                "The condition that ends\n.Cm Repeat=\nearlier.\nIt is checked after each time."
            )
        case .retry:
            SettingManual(
                .count(0...100),
                standard: "0",
                example: "3",
                """
                How often a failed run of the step is repeated.
                A run that was lost, or that intentd stopped, is repeated only if the intent is idempotent.
                """
            )
        case .onError:
            SettingManual(
                .choice(["fail", "continue"]),
                standard: "fail",
                example: "continue",
                "With\n.Cm continue ,\na failed step has no value, and the shortcut continues."
            )
        }
    }
}
