/// Figures as aligned columns.
enum FigureTable {
    private static let headline = ["figure", "unit", "p50", "p99", "goal", "met?", "floor", "peers"]

    static func text(_ figures: [Figure]) -> String {
        let rows = [headline] + figures.map(row)
        let widths = headline.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([rows[0], rule] + rows.dropFirst())
            .map { row in
                let cells = zip(row, widths).enumerated().map { index, cell in
                    pad(cell.0, to: cell.1, isNumber: index == 2 || index == 3)
                }
                var line = cells.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line
            }
            .joined(separator: "\n")
    }

    private static func row(_ figure: Figure) -> [String] {
        let met = figure.isMet.map { $0 ? "yes" : "NO" } ?? "-"
        return [
            "\(figure.name): \(figure.title)",
            figure.unit.rawValue,
            figure.p50.map(number) ?? "-",
            figure.p99.map(number) ?? "-",
            figure.goals.isEmpty
                ? "-" : figure.goals.map { goal($0, isOnly: figure.p99 == nil) }.joined(separator: " "),
            met,
            figure.floors.isEmpty ? "-" : figure.floors.map(comparison).joined(separator: ", "),
            figure.peers.isEmpty ? "-" : figure.peers.map(comparison).joined(separator: ", "),
        ]
    }

    private static func goal(_ goal: Goal, isOnly: Bool) -> String {
        let sign = goal.isMinimum ? "≥" : "≤"
        return "\(isOnly || goal.isMinimum ? "" : goal.measure.rawValue)\(sign)\(number(goal.bound))"
    }

    private static func comparison(_ comparison: Comparison) -> String {
        guard let p50 = comparison.p50 else { return "\(comparison.name) absent" }
        return "\(comparison.name) \(number(p50))" + (comparison.p99.map { "/\(number($0))" } ?? "")
    }

    /// Formats a number with its significant digits.
    private static func number(_ value: Double) -> String {
        let digits = abs(value) >= 100 || value == value.rounded() ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
        let scale = [1.0, 10, 100, 1000][digits]
        let scaled = Int64((value * scale).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let fraction = "\(abs(scaled) % Int64(scale))"
        let padding = String(repeating: "0", count: digits - fraction.count)
        return "\(value < 0 ? "-" : "")\(abs(scaled) / Int64(scale)).\(padding)\(fraction)"
    }

    private static func pad(_ text: String, to width: Int, isNumber: Bool) -> String {
        let filling = String(repeating: " ", count: width - text.count)
        return isNumber ? filling + text : text + filling
    }
}
