package import IntentCommandLine
import IntentProtocol

/// A JSON Schema of a tool, in the dialect 2020-12 (json-schema.org), as far as values are checked against it.
///
/// The schema is text of the server, so its depth, its references, its patterns and the time of a check are bounded. Parts
/// beyond a bound, and unknown parts, are not checked: the server itself checks the arguments of its tools.
package struct ToolSchema: Equatable, Sendable {
    package let root: JSONValue

    /// The maximum number of schemas that one check applies.
    private static let stepLimit = 20_000
    /// The maximum depth of schemas and references that one check applies.
    private static let depthLimit = 64

    package init(_ root: JSONValue) {
        self.root = root
    }

    /// Returns the reason why a value is not valid; nil if it is valid.
    package func problem(with value: JSONValue) -> String? {
        var check = Check(root: root)
        return check.problem(value, root, at: "", depth: 0)
    }

    /// Returns the schema to which a local reference such as `#/$defs/Color` points, following further references; nil if
    /// it points to another document, to nothing, or in a circle.
    package func resolved(_ schema: JSONValue) -> JSONValue? {
        var schema = schema
        for _ in 0..<Self.depthLimit {
            guard let reference = schema.members["$ref"]?.text else { return schema }
            guard let target = Self.target(of: reference, in: root) else { return nil }
            schema = target
        }
        return nil
    }

    /// Follows a JSON Pointer in the fragment of a URI (RFC 6901, section 6).
    private static func target(of reference: String, in root: JSONValue) -> JSONValue? {
        guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
        let pointer = reference.dropFirst(scalars: 1)
        guard !pointer.utf8.isEmpty else { return root }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var place = root
        for part in pointer.split(scalar: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = part.replacing(utf8: "~1", with: "/").replacing(utf8: "~0", with: "~")
            if let member = place.members[key] {
                place = member
            } else if let list = place.list, let index = Int(key), list.indices.contains(index) {
                place = list[index]
            } else {
                return nil
            }
        }
        return place
    }

    /// One check of a value, which counts its steps.
    private struct Check {
        let root: JSONValue
        private var stepCount = 0

        init(root: JSONValue) { self.root = root }

        mutating func problem(_ value: JSONValue, _ schema: JSONValue, at place: String, depth: Int) -> String? {
            stepCount += 1
            guard stepCount <= ToolSchema.stepLimit, depth <= ToolSchema.depthLimit else { return nil }
            if schema == .bool(false) { return Self.message(place, "no value is permitted here") }
            let members = schema.members
            if let reference = members["$ref"]?.text, let target = ToolSchema.target(of: reference, in: root),
                let problem = problem(value, target, at: place, depth: depth + 1)
            {
                return problem
            }
            if let problem = Self.ownProblem(value, members) { return Self.message(place, problem) }
            if let problem = combinationProblem(value, members, at: place, depth) { return problem }
            switch value {
            case .object(let object): return memberProblem(object, members, at: place, depth)
            case .array(let elements): return elementProblem(elements, members, at: place, depth)
            case .null, .bool, .int, .double, .string: return nil
            }
        }

        private static func message(_ place: String, _ problem: String) -> String {
            place.isEmpty ? problem : "\(place): \(problem)"
        }

        /// Checks what a schema says about the value itself, without its parts.
        private static func ownProblem(_ value: JSONValue, _ schema: [String: JSONValue]) -> String? {
            if let types = schema["type"].map({ $0.list ?? [$0] })?.compactMap(\.text), !types.isEmpty,
                !types.contains(where: { value.isOfType($0) })
            {
                return "expected \(types.map { WireCoding.excerpt($0) }.joined(separator: " or "))"
            }
            if let cases = schema["enum"]?.list, !cases.contains(where: { $0.isEqual(to: value) }) {
                let shown = cases.prefix(20).map { WireCoding.excerpt($0.text()) }.joined(separator: ", ")
                return "expected one of \(shown)\(cases.count > 20 ? ", …" : "")"
            }
            if let constant = schema["const"], !constant.isEqual(to: value) {
                return "expected \(WireCoding.excerpt(constant.text()))"
            }
            if let number = value.number { return numberProblem(number, schema) }
            if case .string(let text) = value { return textProblem(text, schema) }
            return nil
        }

        private static func numberProblem(_ number: Double, _ schema: [String: JSONValue]) -> String? {
            func bound(_ key: String) -> Double? { schema[key]?.number }
            if let least = bound("minimum"), number < least { return "expected at least \(NumberText.short(least))" }
            if let most = bound("maximum"), number > most { return "expected at most \(NumberText.short(most))" }
            if let least = bound("exclusiveMinimum"), number <= least {
                return "expected more than \(NumberText.short(least))"
            }
            if let most = bound("exclusiveMaximum"), number >= most {
                return "expected less than \(NumberText.short(most))"
            }
            if let factor = bound("multipleOf"), factor > 0 {
                let quotient = number / factor
                // Decimal fractions are not exact in binary: 0.3 / 0.1 is not 3.
                guard (quotient - quotient.rounded()).magnitude <= 1e-9 * max(1, quotient.magnitude) else {
                    return "expected a multiple of \(NumberText.short(factor))"
                }
            }
            return nil
        }

        private static func textProblem(_ text: String, _ schema: [String: JSONValue]) -> String? {
            if let least = schema["minLength"]?.wholeNumber, text.scalarCount < least {
                return "expected at least \(least) characters"
            }
            if let most = schema["maxLength"]?.wholeNumber, text.scalarCount > most {
                return "expected at most \(most) characters"
            }
            if let pattern = schema["pattern"]?.text, BoundedPattern(pattern)?.matches(text) == false {
                return "expected text that matches '\(WireCoding.excerpt(pattern))'"
            }
            return nil
        }

        private mutating func combinationProblem(
            _ value: JSONValue,
            _ schema: [String: JSONValue],
            at place: String,
            _ depth: Int
        ) -> String? {
            for part in schema["allOf"]?.list ?? [] {
                if let problem = problem(value, part, at: place, depth: depth + 1) { return problem }
            }
            for key in ["anyOf", "oneOf"] {
                guard let parts = schema[key]?.list, !parts.isEmpty else { continue }
                var problems: [String] = []
                for part in parts {
                    guard let problem = problem(value, part, at: place, depth: depth + 1) else { break }
                    problems.append(problem)
                }
                // Whether further alternatives of `oneOf` are valid too is left to the server.
                if problems.count == parts.count { return problems.prefix(4).joined(separator: ", or ") }
            }
            return nil
        }

        private mutating func memberProblem(
            _ object: [String: JSONValue],
            _ schema: [String: JSONValue],
            at place: String,
            _ depth: Int
        ) -> String? {
            let properties = schema["properties"]?.members ?? [:]
            for name in schema["required"]?.list?.compactMap(\.text) ?? [] where object[name] == nil {
                return Self.message(place, "'\(WireCoding.excerpt(name))' is missing")
            }
            for (name, value) in object.sorted(by: { $0.key < $1.key }) {
                let inner = place.isEmpty ? WireCoding.excerpt(name) : "\(place).\(WireCoding.excerpt(name))"
                if let part = properties[name] {
                    if let problem = problem(value, part, at: inner, depth: depth + 1) { return problem }
                } else if let rest = schema["additionalProperties"], schema["patternProperties"] == nil {
                    if rest == .bool(false) { return "\(inner): the tool has no such member" }
                    if let problem = problem(value, rest, at: inner, depth: depth + 1) { return problem }
                }
            }
            return nil
        }

        private mutating func elementProblem(
            _ elements: [JSONValue],
            _ schema: [String: JSONValue],
            at place: String,
            _ depth: Int
        ) -> String? {
            if let least = schema["minItems"]?.wholeNumber, elements.count < least {
                return Self.message(place, "expected at least \(least) elements")
            }
            if let most = schema["maxItems"]?.wholeNumber, elements.count > most {
                return Self.message(place, "expected at most \(most) elements")
            }
            let first = schema["prefixItems"]?.list ?? []
            for (index, element) in elements.enumerated() {
                guard let part = first.indices.contains(index) ? first[index] : schema["items"] else { continue }
                let inner = "\(place.isEmpty ? "" : "\(place).")\(index)"
                if let problem = problem(element, part, at: inner, depth: depth + 1) { return problem }
            }
            return nil
        }
    }
}

extension JSONValue {
    /// Returns true if the value is of a type of JSON Schema. A type that is unknown permits every value.
    fileprivate func isOfType(_ type: String) -> Bool {
        switch type {
        case "null": self == .null
        case "boolean": flag != nil
        case "integer": wholeNumber != nil
        case "number": number != nil
        case "string": text != nil
        case "array": list != nil
        case "object": object != nil
        default: true
        }
    }

    /// Compares values as JSON Schema does: 1 and 1.0 are equal.
    fileprivate func isEqual(to other: JSONValue) -> Bool {
        if let number, let other = other.number { return number == other }
        return self == other
    }
}

/// A regular expression of a server that cannot take long: it has at most two quantifiers with a choice, no quantifier
/// inside a quantified group, and is applied only to short text.
struct BoundedPattern {
    private let pattern: ValuePattern

    private static let patternByteLimit = 512
    private static let textByteLimit = 256

    /// Returns nil for an expression that is invalid, or that may take long.
    init?(_ text: String) {
        guard text.utf8.count <= Self.patternByteLimit, Self.isSimple(Array(text.utf8)),
            let pattern = try? ValuePattern(text)
        else { return nil }
        self.pattern = pattern
    }

    /// Returns whether a part of the text matches; nil for text that is too long to check.
    func matches(_ text: String) -> Bool? {
        guard text.utf8.count <= Self.textByteLimit else { return nil }
        return (try? pattern.regex.firstMatch(in: text)) != nil
    }

    private static func isSimple(_ pattern: [UInt8]) -> Bool {
        var unboundedCount = 0
        // For each open group, whether it contains a quantifier or an alternative.
        var groups: [Bool] = []
        var closed: Bool?
        var isInClass = false
        var index = 0
        while index < pattern.count {
            let byte = pattern[index]
            index += 1
            let endedGroup = closed
            closed = nil
            if isInClass {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "]") { isInClass = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"):
                // A number refers to a group, and a name does, too.
                if index < pattern.count, (49...57).contains(pattern[index]) || pattern[index] == UInt8(ascii: "k") {
                    return false
                }
                index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "("):
                groups.append(false)
                if index < pattern.count, pattern[index] == UInt8(ascii: "?") {
                    // Only groups without a name or a direction.
                    guard index + 1 < pattern.count, pattern[index + 1] == UInt8(ascii: ":") else { return false }
                    index += 2
                }
            case UInt8(ascii: ")"):
                guard let isComplex = groups.popLast() else { return false }
                closed = isComplex
                if isComplex, !groups.isEmpty { groups[groups.count - 1] = true }
            case UInt8(ascii: "|"): if !groups.isEmpty { groups[groups.count - 1] = true }
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"), UInt8(ascii: "?"):
                guard byte != UInt8(ascii: "?") else { continue }
                if endedGroup == true { return false }
                // An exact number, as in {4}, leaves no choice.
                let count = pattern[index...].prefix { $0 != UInt8(ascii: "}") }
                if byte != UInt8(ascii: "{") || count.contains(UInt8(ascii: ",")) { unboundedCount += 1 }
                if !groups.isEmpty { groups[groups.count - 1] = true }
            default: break
            }
        }
        return unboundedCount <= 2
    }
}
