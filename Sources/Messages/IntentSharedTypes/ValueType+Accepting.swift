import FoundationEssentials

/// The error for a value that is not valid for a type.
package struct ValueMismatch: Error, Equatable, Sendable {
    /// A description of the values that the type accepts: `a whole number`.
    package var expected: String
    /// A description of the given value: `text`.
    package var found: String
    /// The next step; nil when there is no useful step.
    package var hint: String?

    /// The error message: `expected a whole number, got text`.
    package var message: String { "expected \(expected), got \(found)" }
}

extension ValueType {
    /// Checks a value and converts it to the form that workers receive. For example, a whole number becomes a
    /// fractional number if the type is `double`.
    ///
    /// - Throws: ``ValueMismatch`` when the value is of another kind, cannot be parsed or is out of range.
    package func accept(_ value: IntentValue, in range: NumberRange? = nil) throws(ValueMismatch) -> IntentValue {
        switch self {
        case .string: if case .string = value { return value }
        case .bool: if case .bool = value { return value }
        case .file: if case .file = value { return value }
        case .int:
            if case .int(let number) = value {
                try check(Double(number), in: range)
                return value
            }
        case .double, .duration:
            if case .int(let number) = value {
                try check(Double(number), in: range)
                return .double(Double(number))
            } else if case .double(let number) = value {
                try check(number, in: range)
                return value
            }
        case .decimal:
            if case .int(let number) = value {
                try check(Double(number), in: range)
                return .string(String(number))
            } else if case .string(let text) = value {
                guard let number = Self.decimal(text) else { throw mismatch(quoted(text), hint: "for example: 12.50") }
                try check(number, in: range)
                return value
            }
        case .date:
            if case .string(let text) = value {
                guard WireText.date(text) != nil else {
                    throw mismatch(quoted(text), hint: "for example: 2026-11-21T09:30:00Z")
                }
                return value
            }
        case .url:
            if case .string(let text) = value {
                guard let url = URL(string: text), url.scheme != nil else {
                    throw mismatch(quoted(text), hint: "for example: https://example.org/menu")
                }
                return value
            }
        case .enumeration(let cases):
            if case .string(let text) = value {
                let names = cases.map(\.value)
                guard names.contains(text) else {
                    throw mismatch(quoted(text), hint: NearestName.hint(for: text, among: names))
                }
                return value
            }
        case .array(let element):
            if case .array(let values) = value {
                return .array(try values.map { (value) throws(ValueMismatch) in try element.accept(value, in: range) })
            }
        case .entity:
            if case .string(let text) = value {
                return .string(try identifier(text))
            } else if case .int(let number) = value {
                return .string(String(number))
            } else if case .object(let members) = value {
                // Also accept an entity in the form that results use: an object with an `id`.
                guard case .string(let text)? = members["id"] else {
                    throw mismatch("an object without an 'id'", hint: nil)
                }
                return .string(try identifier(text))
            }
        case .object(let type):
            if case .object(let members) = value { return .object(try type.accept(members)) }
        case .measurement(let units):
            if case .string(let text) = value {
                return .string(try measurement(text, in: units, range))
            } else if case .int(let number) = value {
                try check(Double(number), in: range)
                return .string(String(number))
            } else if case .double(let number) = value {
                try check(number, in: range)
                return .string(String(number))
            }
        case .currencyAmount(let codes):
            if case .string(let text) = value { return .string(try amount(text, of: codes)) }
        case .dateComponents:
            if case .string(let text) = value {
                guard DayAndTime(text) != nil else {
                    throw mismatch(quoted(text), hint: "for example: 2026-11-21, 09:30 or 2026-11-21 09:30")
                }
                return value
            }
        case .unknown: break
        }
        throw mismatch(value.kindName, hint: nil)
    }

    /// A description of the values that the type accepts, for error messages.
    package var phrase: String {
        switch self {
        case .string: "text"
        case .int: "a whole number"
        case .double: "a number"
        case .bool: "true or false"
        case .file: "a file"
        case .decimal: "a decimal number"
        case .date: "a date and time"
        case .url: "a URL"
        case .duration: "a duration in seconds"
        case .enumeration(let cases):
            "one of \(cases.prefix(20).map(\.phrase).joined(separator: ", "))\(cases.count > 20 ? ", …" : "")"
        case .array(let element): "a list in which each element is \(element.phrase)"
        case .entity(let type): "the id of a \(type.title)"
        case .object(let type): "an object (\(type.title))"
        case .measurement(let units): "a number with a unit (\(Self.some(units)))"
        case .currencyAmount(let codes):
            codes.isEmpty ? "a number with a currency code" : "a number with one of \(Self.some(codes))"
        case .dateComponents: "a day, a time or both"
        case .unknown(let word): "a value of the type '\(word)', which is unknown to this release"
        }
    }

    private static func some(_ words: [String]) -> String {
        words.prefix(12).joined(separator: ", ") + (words.count > 12 ? ", …" : "")
    }

    private func identifier(_ text: String) throws(ValueMismatch) -> String {
        guard !text.isEmpty, text.scalarCount <= EntityType.identifierLimit else {
            throw mismatch("\(text.scalarCount) characters", hint: nil)
        }
        return text
    }

    /// Parses a measurement. If the unit is missing, the parameter's default unit applies.
    private func measurement(
        _ text: String,
        in units: [String],
        _ range: NumberRange?
    ) throws(ValueMismatch) -> String {
        let parts = text.split(scalar: " ", maxSplits: 1)
        let example = units.first.map { "for example: 5 \($0)" }
        guard let first = parts.first, let number = Double(first) else { throw mismatch(quoted(text), hint: example) }
        try check(number, in: range)
        guard parts.count == 2 else { return text }
        let unit = String(Substring(parts[1].utf8.drop { $0 == UInt8(ascii: " ") }))
        guard units.contains(unit) else {
            throw mismatch("the unit \(quoted(unit))", hint: NearestName.hint(for: unit, among: units) ?? example)
        }
        return "\(first) \(unit)"
    }

    private func amount(_ text: String, of codes: [String]) throws(ValueMismatch) -> String {
        let parts = text.split(scalar: " ")
        let example = "for example: 12.50 \(codes.first ?? "EUR")"
        guard let number = parts.first, Self.decimal(String(number)) != nil, parts.count <= 2 else {
            throw mismatch(quoted(text), hint: example)
        }
        guard let code = parts.dropFirst().first.map(String.init) ?? (codes.count == 1 ? codes.first : nil) else {
            throw mismatch("\(quoted(text)), without a currency", hint: example)
        }
        guard codes.isEmpty ? code.scalarCount == 3 : codes.contains(code) else {
            throw mismatch("the currency \(quoted(code))", hint: NearestName.hint(for: code, among: codes) ?? example)
        }
        return "\(number) \(code)"
    }

    private func quoted(_ text: String) -> String { "'\(WireCoding.excerpt(text))'" }

    private func mismatch(_ found: String, hint: String?) -> ValueMismatch {
        ValueMismatch(expected: phrase, found: found, hint: hint)
    }

    private func check(_ number: Double, in range: NumberRange?) throws(ValueMismatch) {
        guard number.isFinite else { throw mismatch("\(number)", hint: nil) }
        guard let range, !range.contains(number) else { return }
        let bounds =
            switch (range.lowerBound, range.upperBound) {
            case (let lower?, let upper?): "from \(Self.short(lower)) to \(Self.short(upper))"
            case (let lower?, nil): "of at least \(Self.short(lower))"
            case (nil, let upper?): "of at most \(Self.short(upper))"
            case (nil, nil): "in range"
            }
        throw ValueMismatch(expected: "\(phrase) \(bounds)", found: Self.short(number), hint: nil)
    }

    /// Formats a number. A whole number has no decimal point.
    private static func short(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }

    /// Parses a string that contains only a number. `Decimal(string:)` would ignore everything after the first invalid
    /// character.
    private static func decimal(_ text: String) -> Double? {
        let digits = text.hasPrefix(utf8: "-") ? text.dropFirst(scalars: 1) : Substring(text)
        let parts = digits.split(scalar: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text.utf8.count <= 64 else { return nil }
        let areDigits = parts.allSatisfy { !$0.utf8.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits else { return nil }
        return Double(text)
    }
}

extension ObjectType {
    /// - Throws: ``ValueMismatch`` with the name of the invalid property.
    fileprivate func accept(_ members: [String: IntentValue]) throws(ValueMismatch) -> [String: IntentValue] {
        guard !properties.isEmpty else { return members }
        let names = properties.map(\.name)
        if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
            throw ValueMismatch(
                expected: "an object (\(title))",
                found: "an object with the unknown property '\(WireCoding.excerpt(unknown))'",
                hint: NearestName.hint(for: unknown, among: names)
            )
        }
        var accepted: [String: IntentValue] = [:]
        for property in properties {
            guard let value = members[property.name], value != .null else {
                guard property.isRequired != true else {
                    throw ValueMismatch(
                        expected: "an object (\(title)) with '\(property.name)'",
                        found: "an object without it",
                        hint: nil
                    )
                }
                continue
            }
            do throws(ValueMismatch) {
                accepted[property.name] = try property.type.accept(value)
            } catch {
                throw ValueMismatch(
                    expected: "\(error.expected) in '\(property.name)'",
                    found: error.found,
                    hint: error.hint
                )
            }
        }
        return accepted
    }
}

extension EnumerationCase {
    /// The value, with its title if it is a number, which says nothing to a person.
    fileprivate var phrase: String { Int64(value) == nil ? value : "\(value) (\(title))" }
}
