import FoundationEssentials
import Glibc
import IntentStubSource

/// Generates Swift source from a catalogue: `intent-stubs CATALOGUE.json [FILE.swift]`.
@main
struct IntentStubsProgram {
    /// The maximum size of a catalogue in bytes. intentd accepts at most 1 MiB for each app.
    private static let byteLimit = 64 << 20

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard (1...2).contains(words.count), let input = words.first, input.utf8.first != UInt8(ascii: "-") else {
            fail(
                "expected CATALOGUE.json [FILE.swift], got \(words.count) arguments. "
                    + "CATALOGUE.json is the output of 'intentctl describe APP --output json'.",
                EX_USAGE
            )
        }
        let apps = read(input)
        let name = input.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? input
        let source = StubSource.text(for: apps, from: name)
        do {
            if words.count == 2, let output = words.last {
                try Data(source.utf8).write(to: URL(filePath: output), options: .atomic)
            } else {
                print(source, terminator: "")
            }
        } catch {
            fail("cannot write the source: \(error)", EX_CANTCREAT)
        }
    }

    private static func read(_ path: String) -> [CatalogueFile.App] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            fail("cannot read '\(path)': \(error)", EX_NOINPUT)
        }
        guard data.count <= byteLimit else { fail("'\(path)' is larger than \(byteLimit) bytes", EX_DATAERR) }
        do {
            return try CatalogueFile(parsing: Array(data)).apps
        } catch {
            fail(
                "'\(path)' is not a catalogue: \(error). "
                    + "Write it with: intentctl describe APP --output json > '\(path)'",
                EX_DATAERR
            )
        }
    }

    private static func fail(_ message: String, _ code: Int32) -> Never {
        // Use write(2), because Swift 6 does not permit the C variable `stderr`, which is a mutable global.
        let line = Array("intent-stubs: \(message)\n".utf8)
        // Ignore an error of the write, because it cannot be reported. The exit status still reports the failure.
        _ = write(STDERR_FILENO, line, line.count)
        exit(code)
    }
}
