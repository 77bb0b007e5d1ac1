/// Assigns a unique name to each declaration in a scope.
package struct NameTable: Sendable {
    private var taken: Set<String>

    /// Creates a table in which some names are already in use.
    package init(reserving names: Set<String> = []) {
        taken = names
    }

    /// Returns the name, or the name with a suffix or number if the name is already in use.
    package mutating func claim(_ name: String, suffix: String) -> String {
        if taken.insert(name).inserted { return name }
        let longer = name + suffix
        if taken.insert(longer).inserted { return longer }
        var number = 2
        while !taken.insert("\(longer)\(number)").inserted { number += 1 }
        return "\(longer)\(number)"
    }

    /// Names that a member cannot have, even in backquotes.
    package static let usedMembers: Set<String> = ["Protocol", "Self", "Type", "init", "self"]

    /// Types that the generated code uses. A declaration with the same name would hide the type.
    package static let usedTypes: Set<String> = [
        "Any", "Array", "Bool", "CodingKey", "Data", "Date", "DateComponents", "Decimal", "Decodable", "Decoder",
        "Dictionary",
        "Double", "Duration", "Encodable", "Encoder", "Equatable", "Error", "ExpressibleByStringLiteral", "Hashable",
        "Int", "IntentArgument", "IntentCall", "IntentName", "IntentValue", "MeasuredAmount", "MoneyAmount", "Never",
        "Optional", "Protocol", "RunFile", "Self", "Sendable", "String", "Swift", "Type", "URL", "Value", "Void",
        "CaseIterable", "Codable", "CustomStringConvertible",
    ]
}
