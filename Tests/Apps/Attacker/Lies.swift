import AppIntents
import CAttacker
import Glibc

/// Sends false reports on the worker's socket, bypassing the library.
struct Lie: AppIntent {
    static let title: LocalizedStringResource = "Lie to intentd"

    @Parameter(title: "Kind", description: "a kind of frame, or 'payload'") var kind: String
    @Parameter(title: "Detail", description: "the payload, or the kinds of descriptors to attach", default: "")
    var detail: String

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        switch kind {
        case "twice":
            say(Self.finished(files: ""))
            say(Self.finished(files: ""))
        case "descriptors":
            let numbers = detail.split(separator: " ").map { attacker_descriptor(String($0)) }
            say(Self.finished(files: numbers.map { _ in "{}" }.joined(separator: ",")), numbers)
        case "unannounced":
            say(Self.finished(files: ""), [attacker_descriptor(detail)])
        case "missing":
            say(Self.finished(files: "{}"))
        case "many":
            say(Self.finished(files: ""), [Int32](repeating: attacker_descriptor("sealed"), count: 200))
        case "deep":
            let lists = String(repeating: "[", count: 20_000)
            say(#"{"type":"finished","files":[],"ending":{"kind":"returned","value":\#(lists)"#)
        case "questions":
            for number in 1...200 { say(Self.question(number)) }
        case "long question":
            let text = String(repeating: "x", count: 60_000)
            say(#"{"type":"question","question":{"number":1,"text":"\#(text)","type":"string"}}"#)
        case "raw":
            let digits = Array(detail)
            let record = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            if attacker_send(record, record.count, nil, 0) != 0 { print("cannot send the lie") }
        case "floods":
            for _ in 0..<100_000 {
                say(#"{"type":"progress","progress":{"completedUnitCount":1,"totalUnitCount":2,"fraction":0.5}}"#)
            }
        case "last":
            for payload in detail.split(separator: "\n") { say(String(payload)) }
            _exit(0)
        default:
            say(detail)
        }
        try await Task.sleep(for: .seconds(60))
        return .result(value: IntentFile(data: Data(), filename: "never"))
    }

    static func finished(files: String) -> String {
        #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[\#(files)]}"#
    }

    private static func question(_ number: Int) -> String {
        #"{"type":"question","question":{"number":\#(number),"text":"Password?","type":"string"}}"#
    }

    private func say(_ payload: String, _ descriptors: [Int32] = []) {
        let count = UInt32(payload.utf8.count)
        let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        let record = header + Array(payload.utf8)
        let error = attacker_send(record, record.count, descriptors, descriptors.count)
        if error != 0 { print("cannot send the lie: \(error)") }
    }
}

/// Returns a file that is not the run's own as its result, bypassing the library.
struct LieAboutFile: AppIntent {
    static let title: LocalizedStringResource = "Return a file that is not its own"

    @Parameter(title: "Kind") var kind: String
    @Parameter(title: "Target", default: "") var target: String

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        var path = "result"
        switch kind {
        case "link": symlink(target, path)
        case "link above":
            symlink(target, "folder")
            path = "folder/secret"
        case "hard link": link(target, path)
        case "pipe": mkfifo(path, 0o600)
        case "folder": mkdir(path, 0o700)
        case "socket": mknod(path, S_IFSOCK | 0o600, 0)
        case "lease":
            let code = outcomeOfLease(path)
            if code != "done " { throw Touched(errorDescription: code) }
        case "swapped": attacker_swap(path, target)
        case "long": path = String(repeating: "a", count: 1100)
        case "long name": path = String(repeating: "a", count: 1000)
        default: path = target
        }
        usleep(10_000)
        let quoted = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let payload = """
            {"type":"finished","ending":{"kind":"returned","value":{"file":{"index":0,"name":"result"}}},\
            "files":[{"path":"\(quoted)"}]}
            """
        let record = [0, 0, UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 255)] + Array(payload.utf8)
        _ = attacker_send(record, record.count, nil, 0)
        try await Task.sleep(for: .seconds(60))
        return .result(value: IntentFile(data: Data(), filename: "never"))
    }

    private func outcomeOfLease(_ path: String) -> String {
        var text = [CChar](repeating: 0, count: 256)
        attacker_try("lease", path, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
