package import IntentCommandLine
import IntentLinux
package import IntentProtocol

/// A resource that belongs to a run, either `intent-run://RUN/value` or `intent-run://RUN/INDEX/NAME`.
package struct RunResource: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The value that the run returned, as JSON.
        case value
        /// The file with the given index in the run's result.
        case file(Int, name: String)
    }

    package var run: RunID
    package var part: Part

    private static let scheme = "intent-run://"

    init(run: RunID, part: Part) {
        self.run = run
        self.part = part
    }

    package init?(uri: String) {
        guard uri.hasPrefix(utf8: Self.scheme) else { return nil }
        let path = uri.dropFirst(scalars: Self.scheme.scalarCount)
        let parts = path.split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let run = RunID(parts[0]) else { return nil }
        self.run = run
        if parts[1] == "value", parts.count == 2 {
            part = .value
        } else {
            guard let index = Int(parts[1]), (0..<FileReference.countLimit).contains(index) else { return nil }
            part = .file(index, name: parts.count > 2 ? String(parts[2]) : "")
        }
    }

    /// Returns the content of the resource, in the format of `resources/read`.
    package func json(_ contents: [UInt8], _ type: String?) -> JSONValue {
        ToolResult.resource(uri, contents, type.map { .string($0) })
    }

    package var uri: String {
        switch part {
        case .value: "\(Self.scheme)\(run)/value"
        case .file(let index, let name): "\(Self.scheme)\(run)/\(index)/\(PercentEncoding.encoded(name))"
        }
    }
}
