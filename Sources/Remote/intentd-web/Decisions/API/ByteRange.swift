package import IntentProtocol

/// The part of a file that a request selects (`Range`, RFC 9110).
package struct ByteRange: Equatable, Sendable {
    package var offset: UInt64
    package var count: UInt64
    /// False for the whole file.
    package var isPart: Bool

    /// - Parameters:
    ///   - field: The header field. A field with several ranges or another unit selects the whole file.
    ///   - size: The size of the file, in bytes.
    /// - Throws: ``ErrorReport`` with code `badRange` for a range after the end.
    package init(_ field: String?, of size: UInt64) throws(ErrorReport) {
        (offset, count, isPart) = (0, size, false)
        guard let field, field.hasPrefix(utf8: "bytes=") else { return }
        let bounds = field.dropFirst(scalars: 6).split(scalar: "-", omittingEmptySubsequences: false).map(String.init)
        guard bounds.count == 2 else { return }
        let (first, last) = (UInt64(bounds[0]), UInt64(bounds[1]))
        switch (first, last) {
        case (let first?, let last?) where first <= last && first < size:
            (offset, count) = (first, min(last, size - 1) - first + 1)
        case (let first?, nil) where bounds[1].isEmpty && first < size: (offset, count) = (first, size - first)
        case (nil, let last?) where bounds[0].isEmpty && last > 0 && size > 0:
            count = min(last, size)
            offset = size - count
        case (nil, nil): return
        case (nil, _) where !bounds[0].isEmpty: return
        case (_, nil) where !bounds[1].isEmpty: return
        default: throw ErrorReport(.badRange, "Range: the file has \(size) bytes")
        }
        isPart = true
    }
}
