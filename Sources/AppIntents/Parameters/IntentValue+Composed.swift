public import Foundation
import IntentVocabulary

/// Date components are sent as a string: `2026-11-21`, `09:30`, `2026-11-21 09:30`.
extension DateComponents: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<DateComponents> {
        _IntentValueCoding(.dateComponents) { value, _ in
            guard let text = value.wireText else { throw InvalidValue("has neither a complete date nor a time") }
            return .string(text)
        } decode: { value, _ in
            guard case .string(let text) = value, let parsed = DayAndTime(text) else { return nil }
            var components = DateComponents()
            if let day = parsed.day {
                (components.year, components.month, components.day) = (day.year, day.month, day.day)
            }
            if let time = parsed.time {
                (components.hour, components.minute, components.second) = (time.hour, time.minute, time.second)
            }
            return components
        }
    }

    private var wireText: String? {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        var parts: [String] = []
        if let year, let month, let day { parts.append("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))") }
        if let hour {
            let seconds = second.map { $0 == 0 ? "" : ":" + padded($0, 2) } ?? ""
            parts.append("\(padded(hour, 2)):\(padded(minute ?? 0, 2))\(seconds)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

/// An attributed string is sent as a plain string, without attributes.
extension AttributedString: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<AttributedString> {
        _IntentValueCoding(.string) { value, _ in
            .string(String(value.characters))
        } decode: { value, _ in
            if case .string(let text) = value { AttributedString(text) } else { nil }
        }
    }
}

/// A person's name is sent as an object that contains the components of the name.
extension PersonNameComponents: _IntentValue {
    private static let parts: [(name: String, title: String, path: any WritableKeyPath<Self, String?> & Sendable)] = [
        ("namePrefix", "Prefix", \.namePrefix), ("givenName", "Given name", \.givenName),
        ("middleName", "Middle name", \.middleName), ("familyName", "Family name", \.familyName),
        ("nameSuffix", "Suffix", \.nameSuffix), ("nickname", "Nickname", \.nickname),
    ]

    public static var _intentValueCoding: _IntentValueCoding<PersonNameComponents> {
        let type = ObjectType(
            title: "Name",
            properties: parts.map { PropertyDeclaration(name: $0.name, title: $0.title, type: .string) }
        )
        return _IntentValueCoding(.object(type)) { value, _ in
            var members: [String: IntentValue] = [:]
            for part in parts { members[part.name] = value[keyPath: part.path].map { .string($0) } }
            return .object(members)
        } decode: { value, _ in
            guard case .object(let members) = value else { return nil }
            var components = PersonNameComponents()
            for part in parts {
                if case .string(let text)? = members[part.name] { components[keyPath: part.path] = text }
            }
            return components
        }
    }
}

/// A recurrence rule is sent as JSON.
extension Calendar.RecurrenceRule: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Calendar.RecurrenceRule> { .codable }
}
