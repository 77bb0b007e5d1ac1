/// Converts OpenMetrics text to the older text format of Prometheus, which declares counters with the suffix `_total`
/// and has neither units nor an end marker.
package enum PrometheusText {
    package static func of(_ openMetrics: String) -> String {
        let lines = openMetrics.split(whereSeparator: \.isNewline)
        let counters = Set(
            lines.filter { $0.hasPrefix("# TYPE ") && $0.hasSuffix(" counter") }.compactMap {
                $0.split(separator: " ").dropFirst(2).first
            }
        )
        return lines.compactMap { line -> String? in
            if line == "# EOF" || line.hasPrefix("# UNIT ") { return nil }
            guard line.hasPrefix("# ") else { return String(line) }
            var words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if words.count > 2, counters.contains(Substring(words[2])) { words[2] += "_total" }
            return words.joined(separator: " ")
        }.joined(separator: "\n") + "\n"
    }
}
