package import IntentLauncherMessages

/// Ranges that contain ids of others, in time that does not grow with the square of their number.
extension SubordinateIDs {
    /// Returns each range that contains the uid of an account, with the account's name.
    ///
    /// - Parameter users: The uids of the accounts, by name.
    package func containing(_ users: [String: UInt32]) -> [(range: Range, account: String)] {
        let users = users.sorted { $0.value < $1.value }
        return ranges.compactMap { range in
            var (low, high) = (0, users.count)
            while low < high {
                let middle = (low + high) / 2
                if users[middle].value < range.first { low = middle + 1 } else { high = middle }
            }
            guard low < users.count, range.contains(users[low].value) else { return nil }
            return (range, users[low].key)
        }
    }

    /// Returns ranges that overlap a range of another owner, each with one such range. The first range of a pair is later
    /// in the file, so the second one counts for their common ids.
    package func overlaps() -> [(later: Range, earlier: Range)] {
        let sorted = ranges.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
        // Of the ranges so far, the one that ends last, and the one of another owner that ends last.
        var last: EnumeratedSequence<[Range]>.Element?
        var other: EnumeratedSequence<[Range]>.Element?
        var pairs: [(later: Range, earlier: Range)] = []
        for next in sorted {
            let rival = last?.element.owner == next.element.owner ? other : last
            if let rival, rival.element.contains(next.element.first) {
                let isLater = next.offset > rival.offset
                pairs.append(
                    isLater ? (next.element, rival.element) : (rival.element, next.element)
                )
            }
            guard let end = last?.element.end else {
                last = next
                continue
            }
            if next.element.end >= end {
                if last?.element.owner != next.element.owner { other = last }
                last = next
            } else if last?.element.owner != next.element.owner, next.element.end > other?.element.end ?? 0 {
                other = next
            }
        }
        return pairs
    }
}

extension SubordinateIDs.Range {
    /// The id after the last one.
    fileprivate var end: UInt64 { UInt64(first) + UInt64(count) }
}
