extension String.LocalizationValue {
    /// What is to stand in a place that is left open: `"\(placeholder: .int) soups"`.
    ///
    /// Source: Apple's String.LocalizationValue.Placeholder page.
    public enum Placeholder: Sendable, Hashable {
        case int
        case uint
        case float
        case double
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
