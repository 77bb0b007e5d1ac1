/// The kernel's pressure stall information (PSI) for this process's cgroup, or for the whole machine if there are no
/// cgroups.
package enum PressureStall {
    package enum Resource: String, Sendable {
        case processor = "cpu"
        case memory
    }

    /// A line of a PSI file.
    package enum Line: String, Sendable {
        /// The time during which at least one task waited for the resource.
        case some
        /// The time during which all tasks that were not idle waited for the resource.
        case full
    }

    /// Returns the percentage of the last ten seconds in which tasks waited for the resource, or nil if the kernel does
    /// not report it.
    package static func lastTenSeconds(_ resource: Resource, _ line: Line) -> Double? {
        let paths = [ownFolder.map { "\($0)/\(resource.rawValue).pressure" }, "/proc/pressure/\(resource.rawValue)"]
        for path in paths.compactMap(\.self) {
            if let text = try? File.text(at: path), let share = lastTenSeconds(line, in: text) { return share }
        }
        return nil
    }

    /// Parses a line of a PSI file, such as `some avg10=1.50 avg60=0.60 avg300=0.10 total=12345`.
    package static func lastTenSeconds(_ line: Line, in text: String) -> Double? {
        for row in File.lines(of: text) {
            let words = row.split(scalar: " ")
            guard let first = words.first, first.utf8.elementsEqual(line.rawValue.utf8) else { continue }
            let word = words.first { $0.hasPrefix(utf8: "avg10=") }
            return word.flatMap { Double($0.dropFirst(scalars: "avg10=".scalarCount)) }
        }
        return nil
    }

    private static let ownFolder = OwnCgroup()?.folder
}
