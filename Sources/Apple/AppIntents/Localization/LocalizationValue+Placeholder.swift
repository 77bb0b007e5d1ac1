extension String.LocalizationValue {
    /// The type of a value that is inserted later: `"\(placeholder: .int) soups"`.
    ///
    /// Source: Apple's String.LocalizationValue.Placeholder page.
    public enum Placeholder: Sendable, Hashable {
        /// A signed whole number.
        case int
        /// An unsigned whole number.
        case uint
        /// A single-precision number.
        case float
        /// A double-precision number.
        case double
        /// A string.
        case object

        var format: String {
            switch self {
            case .int: "%lld"
            case .uint: "%llu"
            case .float: "%f"
            case .double: "%lf"
            case .object: "%@"
            }
        }
    }
}
