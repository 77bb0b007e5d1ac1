public import Foundation
import IntentSharedTypes

/// Date components are sent as a string: `2026-11-21`, `09:30`, `2026-11-21 09:30`.
extension DateComponents: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<DateComponents> {
        _IntentValueCoding(.dateComponents) { value, _ in
            guard let text = value.wireText else { throw InvalidValue("has neither a complete date nor a time") }
            return .string(text)
        } decode: { value, _ in
            if case .string(let text) = value { WireText.dateComponents(text) } else { nil }
        }
    }

    private var wireText: String? {
        var parts: [String] = []
        if let year, let month, let day {
            parts.append("\(WireText.padded(year, 4))-\(WireText.padded(month))-\(WireText.padded(day))")
        }
        if let hour {
            let seconds = second.map { $0 == 0 ? "" : ":" + WireText.padded($0) } ?? ""
            parts.append("\(WireText.padded(hour)):\(WireText.padded(minute ?? 0))\(seconds)")
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
