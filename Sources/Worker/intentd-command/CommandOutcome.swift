import IntentCommandLine
package import IntentCommands
import IntentConfiguration
package import IntentLauncherMessages

/// A program's exit status and output.
package struct ProgramEnd: Sendable {
    package var end: ProcessEnd
    /// The program's standard output, if the worker reads it; nil if it exceeded ``outputLimit``.
    package var output: [UInt8]?
    package var lastOutputLine: String?
    package var lastErrorLine: String?
    /// The names in `%{out:NAME}` for which a regular file exists.
    package var outputs: Set<String> = []

    /// The maximum size, in bytes, of standard output that becomes the result of a run.
    package static let outputLimit = 64 << 10

    package init(_ end: ProcessEnd) {
        self.end = end
        output = []
    }
}

extension ProcessEnd {
    /// The exit status as the end of a sentence about the program.
    var text: String {
        switch self {
        case .exited(let code): "exited with status \(code)"
        case .signaled(let signal): "was killed by \(SignalName.of(signal))"
        }
    }
}

extension CommandIntent {
    /// The folder for `%{out:NAME}` files, relative to the run folder.
    package static var outputFolder: String { "output" }

    /// Returns the result of a run after its program has exited.
    package func result(
        of end: ProgramEnd,
        _ values: CommandValues,
        given: [String: IntentValue]
    ) -> WorkerResult {
        do {
            return try success(of: end, values, given)
        } catch {
            return Self.failure(error)
        }
    }

    package static func failure(_ error: any Error, code: String? = nil) -> WorkerResult {
        var result = WorkerResult(ending: .threw(message: (error as? ArgumentError)?.message ?? "\(error)"))
        result.details = code.map { RunDetails(code: $0) }
        return result
    }

    private func success(
        of end: ProgramEnd,
        _ values: CommandValues,
        _ given: [String: IntentValue]
    ) throws -> WorkerResult {
        let name = program.split(scalar: "/").last.map { String($0) } ?? program
        func failure(code: String) -> WorkerResult {
            let reason = end.lastErrorLine.map { ": \($0)" } ?? ""
            var result = Self.failure(ArgumentError("'\(name)' \(end.end.text)\(reason)"), code: code)
            result.details?.failedCall = FailedCall(end.end, errorLine: end.lastErrorLine)
            return result
        }
        let status: Int32
        switch end.end {
        case .signaled(let signal): return failure(code: "signal.\(SignalName.of(signal))")
        case .exited(let code):
            status = code
            guard succeeds(with: code) else { return failure(code: "exit.\(code)") }
        }
        var values = values
        let value = try self.value(status, end)
        values.lastLine = end.lastOutputLine
        values.result = value.map(Self.text)
        let dialog = try dialog.flatMap { try values.text($0) }.map(StreamSafeText.stabilize)
        var result = WorkerResult(
            ending: .returned(value: value, dialog: dialog),
            files: result == .files ? outputs.map { .path("\(Self.outputFolder)/\($0)") } : []
        )
        if let undo {
            result.details = RunDetails(
                undo: UndoOffer(name: title, intent: try undo.reference(values, given, result: value))
            )
        }
        return result
    }

    private func value(_ status: Int32, _ end: ProgramEnd) throws(ArgumentError) -> IntentValue? {
        switch result {
        case .none: return nil
        case .status: return .int(Int64(status))
        case .files:
            for name in outputs where !end.outputs.contains(name) {
                throw ArgumentError(
                    "'\(program)' succeeded, but did not write the file '\(name)' that Exec= names as %{out:\(name)}"
                )
            }
            let files = outputs.enumerated().map { IntentValue.file(FileReference(index: $0.offset, name: $0.element)) }
            return files.count == 1 ? files[0] : .array(files)
        case .text: return .string(try exactText(end))
        case .lines:
            let text = try exactText(end)
            guard !text.isEmpty else { return .array([]) }
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return .array(lines.map { .string(String(Substring($0))) })
        case .integer: return try read(end, as: .int, "a whole number")
        case .number: return try read(end, as: .double, "a number")
        case .boolean: return try read(end, as: .bool, "true or false")
        case .json:
            let output = try output(end)
            do throws(WireError) {
                let limit = PayloadShape.untrustedValueLimit
                return IntentValue(try WireCoding.decode(JSONValue.self, from: output, as: .value, valueLimit: limit))
            } catch {
                let start = try text(end).prefix(scalars: 200)
                throw ArgumentError("'\(program)' did not print valid JSON (\(error)): '\(start)'")
            }
        }
    }

    private func output(_ end: ProgramEnd) throws(ArgumentError) -> [UInt8] {
        guard let output = end.output else {
            throw ArgumentError(
                "'\(program)' printed more than \(ProgramEnd.outputLimit >> 10) KiB, which is too long for a value; "
                    + "return a file with %{out:NAME}"
            )
        }
        return output
    }

    /// Returns standard output without its last line end.
    private func text(_ end: ProgramEnd) throws(ArgumentError) -> String {
        var bytes = try output(end)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(foreign: bytes)
    }

    /// Returns the text of ``text(_:)`` if all bytes of standard output are text, so that no value changes silently.
    private func exactText(_ end: ProgramEnd) throws(ArgumentError) -> String {
        let bytes = ByteText.text(of: try output(end))
        guard ByteText.isUTF8(bytes) else {
            let start = ByteText.shown(bytes).prefix(scalars: 200)
            throw ArgumentError(
                "'\(program)' printed bytes that are not UTF-8: '\(start)'; return a file with %{out:NAME}"
            )
        }
        return try text(end)
    }

    private func read(_ end: ProgramEnd, as type: ValueType, _ words: String) throws(ArgumentError) -> IntentValue {
        let text = try text(end)
        guard case .value(let value)? = ParameterInput.read(String(text.trimmed), as: type) else {
            let start = text.prefix(scalars: 200)
            throw ArgumentError("expected \(words) on standard output of '\(program)', got '\(start)'")
        }
        return value
    }

    private static func text(_ value: IntentValue) -> String {
        switch value {
        case .string(let text): text
        case .file(let file): file.name
        case .int(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .null, .double, .array, .object: JSONValue(plain: value).text()
        }
    }
}

extension CommandUndo {
    /// Returns the undo intent with its values. A value that consists only of one parameter or of the result keeps its
    /// type.
    func reference(
        _ values: CommandValues,
        _ given: [String: IntentValue],
        result: IntentValue?
    ) throws(ArgumentError) -> IntentReference {
        var named: [String: IntentValue] = [:]
        for variable in self.values {
            if let name = variable.value.onlyValue {
                if let value = given[name] { named[variable.name] = value }
            } else if variable.value.pieces == [.placeholder(.result)], let result, result.files.isEmpty {
                named[variable.name] = result
            } else if let text = try values.text(variable.value) {
                named[variable.name] = .string(StreamSafeText.stabilize(text))
            }
        }
        return IntentReference(intent: intent, values: named.filter { $0.value.files.isEmpty })
    }
}
