/// Searches, comparisons and cuts by UTF-8 or by Unicode scalars.
///
/// The standard library's own functions of these names work on characters (grapheme clusters). They compare by canonical
/// equivalence, so that they do not find a quotation mark that a combining mark follows, and their time can grow with the
/// square of the text's length. Text from another party is therefore handled with the functions below, in which a label
/// names the unit, or with the views `utf8` and `unicodeScalars`. `TextTests` of LayeringTests finds every other call.
extension StringProtocol {
    /// Returns whether the text starts with the bytes of `prefix`.
    @inlinable package func hasPrefix(utf8 prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Returns whether the text ends with the bytes of `suffix`.
    @inlinable package func hasSuffix(utf8 suffix: some StringProtocol) -> Bool {
        Substring(self).utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Returns whether the text contains the bytes of `text`. Every text contains the empty text.
    @inlinable package func contains(utf8 text: some StringProtocol) -> Bool {
        text.utf8.isEmpty || firstRange(utf8: text) != nil
    }

    /// Returns the first place at which the text contains the bytes of `text`; nil if it does not, or if `text` is empty.
    @inlinable package func firstRange(utf8 text: some StringProtocol) -> Range<String.Index>? {
        let pattern = Array(text.utf8)
        guard !pattern.isEmpty else { return nil }
        // The length of the longest border of each prefix (Knuth, Morris and Pratt), so that the time is linear.
        var borders = [0]
        var length = 0
        for byte in pattern.dropFirst() {
            while length > 0, pattern[length] != byte { length = borders[length - 1] }
            if pattern[length] == byte { length += 1 }
            borders.append(length)
        }
        var matched = 0
        var index = utf8.startIndex
        while index < utf8.endIndex {
            let byte = utf8[index]
            index = utf8.index(after: index)
            while matched > 0, pattern[matched] != byte { matched = borders[matched - 1] }
            if pattern[matched] == byte { matched += 1 }
            if matched == pattern.count { return utf8.index(index, offsetBy: -matched)..<index }
        }
        return nil
    }

    /// Returns a copy in which `replacement` takes the place of each occurrence of the bytes of `text`.
    @inlinable package func replacing(utf8 text: some StringProtocol, with replacement: some StringProtocol) -> String {
        var result = ""
        var start = startIndex
        while let found = self[start...].firstRange(utf8: text) {
            result += String(self[start..<found.lowerBound])
            result += String(replacement)
            start = found.upperBound
        }
        return result + String(self[start...])
    }

    /// Returns the number of Unicode scalars.
    @inlinable package var scalarCount: Int { unicodeScalars.count }

    /// Returns the text without white space, line breaks included, at its start and end.
    @inlinable package var trimmed: Substring {
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
        return Substring(rest)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Returns at most the first `count` scalars; no scalar if the number is negative, as in the functions below.
    @inlinable package func prefix(scalars count: Int) -> Substring {
        self[..<(unicodeScalars.index(startIndex, offsetBy: Swift.max(0, count), limitedBy: endIndex) ?? endIndex)]
    }

    /// Returns at most the last `count` scalars.
    @inlinable package func suffix(scalars count: Int) -> Substring {
        self[(unicodeScalars.index(endIndex, offsetBy: -Swift.max(0, count), limitedBy: startIndex) ?? startIndex)...]
    }

    /// Returns the text without its first `count` scalars.
    @inlinable package func dropFirst(scalars count: Int = 1) -> Substring {
        self[(unicodeScalars.index(startIndex, offsetBy: Swift.max(0, count), limitedBy: endIndex) ?? endIndex)...]
    }

    /// Returns the text without its last `count` scalars.
    @inlinable package func dropLast(scalars count: Int = 1) -> Substring {
        self[..<(unicodeScalars.index(endIndex, offsetBy: -Swift.max(0, count), limitedBy: startIndex) ?? startIndex)]
    }

    /// Returns as much of the start as fits into `byteCount` bytes of UTF-8, without cutting a scalar.
    @inlinable package func prefix(utf8 byteCount: Int) -> Substring {
        let utf8 = Substring(self).utf8
        let limit = Swift.max(0, byteCount)
        var end = utf8.index(utf8.startIndex, offsetBy: limit, limitedBy: utf8.endIndex) ?? utf8.endIndex
        while end < utf8.endIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return Substring(utf8[..<end])
    }

    /// Returns as much of the end as fits into `byteCount` bytes of UTF-8, without cutting a scalar.
    @inlinable package func suffix(utf8 byteCount: Int) -> Substring {
        Substring(Substring(self).utf8.suffix(Swift.max(0, byteCount)).drop(while: UTF8.isContinuation))
    }

    /// Returns the text before and after the first occurrence of the bytes of `separator`; nil without one.
    @inlinable package func cut(utf8 separator: some StringProtocol) -> (before: Substring, after: Substring)? {
        firstRange(utf8: separator).map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }

    /// Splits the text at a scalar, as `split(separator:)` splits at a character.
    @inlinable package func split(
        scalar separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        split(
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences,
            whereScalar: { $0 == separator }
        )
    }

    /// Splits the text at the scalars for which `isSeparator` returns true.
    @inlinable package func split(
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true,
        whereScalar isSeparator: (Unicode.Scalar) -> Bool
    ) -> [Substring] {
        Substring(self).unicodeScalars.split(
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences,
            whereSeparator: isSeparator
        ).map { Substring($0) }
    }

    /// Splits the text at each line feed. A carriage return at the end of a line is not part of the line.
    @inlinable package func lines(omittingEmptySubsequences: Bool = true) -> [Substring] {
        Substring(self).utf8.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }.filter { !omittingEmptySubsequences || !$0.utf8.isEmpty }
    }
}

extension Unicode.Scalar {
    /// True for a line break: LF, VT, FF, CR, NEL, the line separator and the paragraph separator.
    @inlinable package var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// True for an ASCII digit.
    @inlinable package var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    /// True for an ASCII letter.
    @inlinable package var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
