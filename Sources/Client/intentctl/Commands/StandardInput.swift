import Glibc

/// Reads standard input, for `--json -` and `answer RUN -`.
enum StandardInput {
    /// The maximum size of the input, in bytes. No request can contain a larger value.
    private static let limit = 4 << 20

    static func readAll() throws(CommandFailure) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count == 0 { return all }
            if count < 0 {
                if errno == EINTR { continue }
                throw CommandFailure(
                    .badInput,
                    code: "input",
                    "cannot read standard input: \(String(foreign: strerror(errno)))",
                    hint: "pass the value on the command line"
                )
            }
            all += buffer.prefix(count)
            guard all.count <= limit else {
                throw CommandFailure(
                    .tooLarge,
                    "standard input has more than \(limit) bytes",
                    hint: "pass large values as files"
                )
            }
        }
    }
}
