package import IntentLauncherMessages

/// A file of a shortcut: the run that has it, and its index there.
package struct FileSource: Hashable, Sendable {
    package var run: RunID
    package var index: Int

    package init(run: RunID, index: Int) {
        self.run = run
        self.index = index
    }
}

/// The values that a run of a shortcut knows: its parameters, and the results of its steps.
///
/// Values keep their types. A file of a value refers to ``files``, because the values come from several runs.
struct ShortcutValues: Sendable {
    private var byName: [String: IntentValue] = [:]
    private(set) var files: [FileSource] = []

    /// - Parameter values: The values of the shortcut's parameters. Their files belong to the shortcut's run.
    init(_ values: [String: IntentValue], defaults: [String: IntentValue], of run: RunID) {
        for (name, value) in defaults.merging(values, uniquingKeysWith: { $1 }) { set(name, to: value, from: run) }
    }

    subscript(name: String) -> IntentValue { byName[name] ?? .null }

    /// Stores the result of a run under the name of its step.
    mutating func set(_ name: String, to value: IntentValue, from run: RunID) {
        byName[name] = own(value, of: run)
    }

    /// Stores a value. Its files already refer to ``files``.
    mutating func set(_ name: String, to value: IntentValue) { byName[name] = value }

    /// Returns the value with its files as references to ``files``.
    mutating func own(_ value: IntentValue, of run: RunID) -> IntentValue {
        value.mappingFiles { file in
            files.append(FileSource(run: run, index: file.index))
            return FileReference(index: files.count - 1, name: file.name, contentType: file.contentType)
        }
    }

    // MARK: Reading

    /// The names that a loop adds: `item` and `index`.
    typealias Loop = [String: IntentValue]

    func value(of reference: ShortcutPlan.Reference, _ loop: Loop = [:]) -> IntentValue {
        reference.path.reduce(loop[reference.name] ?? self[reference.name]) { $0.part($1) }
    }

    /// Returns the value of a template: the value itself for a single placeholder, otherwise a string. Returns null if a
    /// placeholder has no value.
    func value(of template: ShortcutPlan.Template, _ loop: Loop = [:]) -> IntentValue {
        if let reference = template.only { return value(of: reference, loop) }
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .text(let part): text += part
            case .value(let reference):
                let value = value(of: reference, loop)
                if value == .null { return .null }
                text += value.text
            case .condition(let reference, let then, let otherwise):
                guard let part = value(of: reference, loop).holds ? then : otherwise else { return .null }
                text += part
            }
        }
        return .string(text)
    }

    /// Returns the texts of a template, one for each element of a list.
    func words(of template: ShortcutPlan.Template) -> [String] {
        switch value(of: template) {
        case .null: []
        case .array(let values): values.map(\.text)
        case let value: [value.text]
        }
    }

    func holds(_ condition: ShortcutPlan.Condition, _ loop: Loop = [:]) -> Bool {
        let left = value(of: condition.value, loop)
        guard let comparison = condition.comparison, let operand = condition.operand else { return left.holds }
        let right = value(of: operand, loop)
        guard let order = left.compare(to: right) else { return comparison == .unequal }
        return switch comparison {
        case .equal: order == 0
        case .unequal: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// Returns the values for a run, with its files in the order in which they are passed.
    func passing(_ values: [String: IntentValue]) -> (values: [String: IntentValue], files: [FileSource]) {
        var passed: [FileSource] = []
        var renumbered = values
        for name in values.keys.sorted() {
            renumbered[name] = values[name]?.mappingFiles { file in
                let source = files[file.index]
                let index = passed.firstIndex(of: source) ?? passed.count
                if index == passed.count { passed.append(source) }
                return FileReference(index: index, name: file.name, contentType: file.contentType)
            }
        }
        return (renumbered, passed)
    }
}

extension IntentValue {
    /// Returns the value with each file replaced.
    fileprivate func mappingFiles(_ replace: (FileReference) -> FileReference) -> IntentValue {
        switch self {
        case .null, .bool, .int, .double, .string: self
        case .file(let file): .file(replace(file))
        case .array(let values): .array(values.map { $0.mappingFiles(replace) })
        case .object(let members):
            // Sort the members, so that every supervisor numbers the files alike.
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.sorted { $0.key < $1.key }.map {
                        ($0.key, $0.value.mappingFiles(replace))
                    }
                )
            )
        }
    }

    /// Returns a part of the value: `count`, a member of an object, a property of an entity, or the parts of a list's
    /// elements. Returns null if the value has no such part.
    fileprivate func part(_ name: String) -> IntentValue {
        switch self {
        case .array(let values): name == "count" ? .int(Int64(values.count)) : .array(values.map { $0.part(name) })
        case .string(let text): name == "count" ? .int(Int64(text.scalarCount)) : .null
        case .file(let file): name == "name" ? .string(file.name) : .null
        case .object(let members):
            if let member = members[name] {
                member
            } else if case .object(let properties)? = members["properties"] {
                properties[name] ?? .null
            } else {
                .null
            }
        case .null where name == "count": .int(0)
        case .null, .bool, .int, .double: .null
        }
    }

    /// True for a value that a condition without a comparison accepts.
    fileprivate var holds: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .array(let values): !values.isEmpty
        case .int, .double, .string, .file, .object: true
        }
    }

    /// The value within a text.
    fileprivate var text: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .double(let number): Int64(exactly: number).map { String($0) } ?? String(number)
        case .string(let text): text
        case .file(let file): file.name
        case .array(let values): values.map(\.text).joined(separator: ", ")
        case .object(let members):
            if case .string(let title)? = members["title"] ?? members["id"] { title } else { "an object" }
        }
    }

    private var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        case .null, .bool, .file, .array, .object: nil
        }
    }

    /// Returns a negative number, 0 or a positive number; nil for values that have no order. Numbers are compared as
    /// numbers, also in a text.
    fileprivate func compare(to other: IntentValue) -> Int? {
        if self == other { return 0 }
        if case .array = self { return nil }
        if let left = number, let right = other.number { return left < right ? -1 : left > right ? 1 : 0 }
        if self == .null || other == .null { return nil }
        let (left, right) = (Array(text.utf8), Array(other.text.utf8))
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
