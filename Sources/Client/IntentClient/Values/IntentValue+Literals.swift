extension IntentValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates text, a date, a URL, a case of an enumeration or an entity's identifier.
    public init(stringLiteral text: String) { self = .string(text) }
    /// Creates a whole number.
    public init(integerLiteral number: Int64) { self = .int(number) }
    /// Creates a number.
    public init(floatLiteral number: Double) { self = .double(number) }
    /// Creates a Boolean value.
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    /// Creates a list.
    public init(arrayLiteral elements: IntentValue...) { self = .array(elements) }
    /// Creates an object. If a name occurs several times, its last value is used.
    public init(dictionaryLiteral members: (String, IntentValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
