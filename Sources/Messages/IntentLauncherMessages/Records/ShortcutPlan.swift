/// What a run of a shortcut does, as intentd.shortcut(5) describes it.
///
/// The plan is recorded with the run, so that a change of the file does not affect a run that has begun.
package struct ShortcutPlan: Hashable, Sendable, Codable {
    /// The maximum number of runs of steps, of all steps and attempts together.
    package static let runLimit = 1000
    /// The maximum value of `Parallel=`.
    package static let parallelLimit = 16
    /// The maximum size of a file, in bytes.
    package static let byteLimit = 64 << 10
    /// The maximum number of shortcuts that perform each other, the first one included.
    package static let depthLimit = 8

    package var title: String
    package var steps: [Step] = []
    /// `Result=`: the value that the shortcut returns.
    package var result: Template?
    /// True for `OnFailure=undo`.
    package var undoesOnFailure = false
    /// The defaults of the parameters.
    package var defaults: [String: IntentValue] = [:]

    package init(title: String) {
        self.title = title
    }

    package func step(_ name: String) -> Step? { steps.first { $0.name == name } }

    /// A section `[Step NAME]`.
    package struct Step: Hashable, Sendable, Codable {
        package var name: String
        /// The line of the section.
        package var line: Int
        package var work: Work
        /// `If=`: the step is performed only if the condition holds.
        package var condition: Condition?
        /// `Else=`: the step is performed only if the condition of the named step did not hold.
        package var alternativeTo: String?
        /// `ForEach=`: the intent is performed once for each element of the list.
        package var list: Reference?
        /// `Parallel=`: the number of elements that are performed at the same time.
        package var parallelCount = 1
        /// `Repeat=`: the maximum number of times that the intent is performed; nil to perform it once.
        package var repeatCount: Int?
        /// `Until=`: the condition that ends the repetition.
        package var end: Condition?
        /// `Retry=`: how often a failed run is repeated.
        package var retryCount = 0
        /// True for `OnError=continue`.
        package var continuesAfterError = false

        package init(name: String, line: Int, work: Work) {
            self.name = name
            self.line = line
            self.work = work
        }
    }

    /// What a step does.
    package enum Work: Hashable, Sendable, Codable {
        /// `Intent=` and `Values=`. An empty intent is the only intent of the app (`Shortcut=`).
        case perform(app: String, intent: String, values: [String: Template])
        /// `Ask=`. Without a type, the answer decides whether the shortcut continues.
        case ask(Template, type: ValueType?)
        /// `Choose=` and `Options=`. An option that is a list stands for its elements.
        case choose(Template, options: [Template])
        /// `Wait=`.
        case wait(milliseconds: Int64)
    }

    /// Text with placeholders. A template that is one placeholder has the value itself, of any type.
    package struct Template: Hashable, Sendable, Codable {
        package var pieces: [Piece]

        package init(_ pieces: [Piece]) {
            self.pieces = pieces
        }

        /// The text of a template without placeholders; otherwise nil.
        package var fixedText: String? {
            if pieces.isEmpty { return "" }
            guard pieces.count == 1, case .text(let text) = pieces[0] else { return nil }
            return text
        }

        /// The reference of a template that is one placeholder; otherwise nil.
        package var only: Reference? {
            guard pieces.count == 1, case .value(let reference) = pieces[0] else { return nil }
            return reference
        }
    }

    package enum Piece: Hashable, Sendable, Codable {
        case text(String)
        case value(Reference)
        /// `%{name?text:other}`: a text that depends on whether the value is true, or exists.
        case condition(Reference, then: String, otherwise: String?)
    }

    /// A parameter, the result of an earlier step, `item` or `index`, and the path to a part of it.
    package struct Reference: Hashable, Sendable, Codable, CustomStringConvertible {
        package var name: String
        package var path: [String]

        package init(_ name: String, _ path: [String] = []) {
            self.name = name
            self.path = path
        }

        package var description: String { "%{" + ([name] + path).joined(separator: ".") + "}" }
    }

    /// A comparison, or a value alone, which must be true or exist.
    package struct Condition: Hashable, Sendable, Codable {
        package var value: Reference
        package var comparison: Comparison?
        package var operand: Template?

        package init(_ value: Reference, _ comparison: Comparison? = nil, _ operand: Template? = nil) {
            self.value = value
            self.comparison = comparison
            self.operand = operand
        }
    }

    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }
}
