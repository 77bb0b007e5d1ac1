import FoundationEssentials

extension LocaleTarget {
    /// Writes the target's files. Replaces earlier files.
    func write(into folder: String) throws(CommandFailure) {
        do {
            for file in files {
                let path = URL(filePath: "\(folder)/\(file.path)")
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.bytes).write(to: path, options: .atomic)
            }
        } catch {
            throw CommandFailure.output(
                "cannot write into '\(folder)': \(error)",
                hint: "check the permissions of the folder and the free space on its disk"
            )
        }
    }
}
