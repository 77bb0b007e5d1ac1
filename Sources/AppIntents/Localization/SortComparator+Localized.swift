public import Foundation

/// `KeyPathComparator(\.name, comparator: .localizedStandard)`, which Foundation on Linux has not.
///
/// Apple's is a String.Comparator. That of Foundation on Linux ends the process at the first letter with an accent.
///
/// Source: Apple's SortComparator page.
extension SortComparator where Self == _TextComparator {
    /// As a file manager sorts names: without regard to case, numbers by their value.
    @_disfavoredOverload
    public static var localizedStandard: _TextComparator { _TextComparator(options: [.caseInsensitive, .numeric]) }

    /// As a dictionary sorts words.
    @_disfavoredOverload
    public static var localized: _TextComparator { _TextComparator(options: []) }
}

/// Compares texts in the language of the process; never named by an app.
public struct _TextComparator: SortComparator, Sendable {
    public var order = SortOrder.forward
    private let rawOptions: UInt

    init(options: NSString.CompareOptions) {
        rawOptions = options.rawValue
    }

    public func compare(_ left: String, _ right: String) -> ComparisonResult {
        // The bridge to NSString knows languages; String's own comparison does not.
        let result = NSString(string: left).compare(
            right,
            options: NSString.CompareOptions(rawValue: rawOptions),
            range: NSRange(location: 0, length: left.utf16.count),
            locale: Locale.current
        )
        switch (order, result) {
        case (.forward, _), (_, .orderedSame): return result
        case (.reverse, .orderedAscending): return .orderedDescending
        case (.reverse, .orderedDescending): return .orderedAscending
        }
    }
}
