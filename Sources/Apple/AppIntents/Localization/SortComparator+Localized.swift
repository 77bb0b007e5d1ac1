public import Foundation

/// Support for `KeyPathComparator(\.name, comparator: .localizedStandard)`, which Foundation on Linux lacks.
///
/// Apple's property has the type String.Comparator, which, in Foundation on Linux, crashes at the first accented
/// letter.
///
/// Source: Apple's SortComparator page.
extension SortComparator where Self == _TextComparator {
    /// A comparator that sorts strings as a file manager does: it ignores case and compares digits as numbers.
    @_disfavoredOverload
    public static var localizedStandard: _TextComparator { _TextComparator(options: [.caseInsensitive, .numeric]) }

    /// A comparator that sorts strings as a dictionary does.
    @_disfavoredOverload
    public static var localized: _TextComparator { _TextComparator(options: []) }
}

/// A string comparator that uses the process's language. Not for direct use by apps.
public struct _TextComparator: SortComparator, Sendable {
    public var order = SortOrder.forward
    private let rawOptions: UInt

    init(options: NSString.CompareOptions) {
        rawOptions = options.rawValue
    }

    public func compare(_ left: String, _ right: String) -> ComparisonResult {
        // Compare with NSString, which follows the rules of the language. String does not.
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
