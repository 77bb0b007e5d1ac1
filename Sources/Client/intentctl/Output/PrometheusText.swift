/// Converts OpenMetrics text to the older text format of Prometheus, which declares counters with the suffix `_total`
/// and has neither units nor an end marker.
package enum PrometheusText {
    package static func of(_ openMetrics: String) -> String {
        let lines = openMetrics.lines()
        let counters = Set(
            lines.filter { $0.hasPrefix(utf8: "# TYPE ") && $0.hasSuffix(utf8: " counter") }.compactMap {
                $0.split(scalar: " ").dropFirst(2).first
            }
        )
        return lines.compactMap { line -> String? in
            if line == "# EOF" || line.hasPrefix(utf8: "# UNIT ") { return nil }
            guard line.hasPrefix(utf8: "# ") else { return String(line) }
            var words = line.split(scalar: " ", maxSplits: 3).map(String.init)
            if words.count > 2, counters.contains(Substring(words[2])) { words[2] += "_total" }
            return words.joined(separator: " ")
        }.joined(separator: "\n") + "\n"
    }
}
