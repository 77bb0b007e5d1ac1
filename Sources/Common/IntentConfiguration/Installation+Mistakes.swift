package import IntentLauncherMessages

extension Installation {
    /// The maximum number of mistakes that are looked for in the files of an app.
    private static let mistakeLimit = 100

    /// Returns all mistakes in the files of an app that does not run. After each mistake, the files are read again as if its
    /// line were empty, because the first mistake ends the reading.
    package func mistakes(keepingFromRunning name: AppName, on disk: DiskView) -> [ConfigurationProblem] {
        var found: [ConfigurationProblem] = []
        while found.count < Self.mistakeLimit {
            do throws(ConfigurationProblem) {
                let view = disk.without(found)
                return found + (try unit(of: name, under: daemon(on: view), on: view)).problems
            } catch {
                guard error.line != nil, !found.contains(where: { $0.file == error.file && $0.line == error.line })
                else {
                    return found + [error]
                }
                found.append(error)
            }
        }
        return found
    }
}

extension DiskView {
    /// The disk with an empty line in the place of each mistake.
    fileprivate func without(_ mistakes: [ConfigurationProblem]) -> DiskView {
        guard !mistakes.isEmpty else { return self }
        var view = self
        view.bytes = { path in
            guard let bytes = self.bytes(path) else { return nil }
            let lines = Set(mistakes.filter { $0.file == path }.compactMap(\.line))
            guard !lines.isEmpty else { return bytes }
            let feed = UInt8(ascii: "\n")
            let kept = bytes.split(separator: feed, omittingEmptySubsequences: false).enumerated().map { number, line in
                lines.contains(number + 1) ? [] : line
            }
            return Array(kept.joined(separator: [feed]))
        }
        return view
    }
}
