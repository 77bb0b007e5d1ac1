extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }
    package init(integerLiteral number: Int64) { self = .int(number) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object. The names of its members must differ.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
