import IntentLinux

/// Metric families, formatted as OpenMetrics text. The header of a family precedes the family's samples.
struct OpenMetricsText {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    private var text = ""
    private var family = ""

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        text += "# TYPE \(name) \(kind.rawValue)\n"
        for unit in ["seconds", "bytes"] where name.hasSuffix(utf8: "_\(unit)") { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
    }

    mutating func sample(_ suffix: String, _ labels: [(String, String)], _ value: Int64) {
        text += "\(family)\(suffix)\(Self.set(labels)) \(value)\n"
    }

    mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)] = []) {
        var sum: Int64 = 0
        for (index, bound) in histogram.upperBounds.enumerated() {
            sum += histogram.counts[index]
            sample("_bucket", labels + [("le", "\(bound)")], sum)
        }
        sample("_bucket", labels + [("le", "+Inf")], histogram.count)
        sample("_count", labels, histogram.count)
        text += "\(family)_sum\(Self.set(labels)) \(Double(histogram.sumNanoseconds) / 1e9)\n"
    }

    consuming func finish() -> String { text + "# EOF\n" }

    private static func set(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    /// Escapes a label value. An app chooses the names of its intents, so they can contain any character.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
