public import Foundation
import IntentSharedTypes
import IntentWorker

/// A value that can be exported as a file. Not for direct use by apps: `Transferable` in the `CoreTransferable` product
/// refines this protocol.
public protocol _FileExportable: Sendable {
    /// A closure that exports the value; nil if no export applies to the value.
    var _fileExport: (@Sendable () async throws -> IntentFile)? { get }
}

extension String {
    /// Creates text from the bytes of a file; nil unless they are UTF-8 in which at most 30 combining marks follow each
    /// other. Not for direct use by apps: the `CoreTransferable` product imports strings with it.
    public init?(_validText bytes: some Collection<UInt8>) {
        self.init(validForeign: bytes)
    }
}

extension Decodable {
    /// Decodes a value from the bytes of a JSON file. Not for direct use by apps: the `CoreTransferable` product imports
    /// values with it.
    ///
    /// - Throws: `DecodingError` if the bytes are not strict JSON, or more than 30 combining marks follow each other in a
    ///   string; the decoder's error.
    public init(_foreignJSON bytes: Data) throws {
        do throws(WireError) {
            try PayloadShape.checkFile(Array(bytes))
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
        self = try JSONDecoder().decode(Self.self, from: bytes)
    }
}

extension OutgoingFiles {
    /// Adds the exported file, as the `file` member, to a result that is a single entity with an export.
    ///
    /// If the export throws an error, the member is omitted, because the run itself has succeeded. The error is written
    /// to the run's output.
    ///
    /// - Throws: `CancellationError` when the run is cancelled.
    mutating func addExport(of entity: some Sendable, to value: IntentValue?) async throws -> IntentValue? {
        // Check the members first, because casting any other result would make the runtime search all conformances.
        guard case .object(var members)? = value, members["id"] != nil, members["title"] != nil, members["file"] == nil,
            let export = (entity as? any _FileExportable)?._fileExport,
            (entity as? any AppEntity).map({ RunCaller.current.satisfies(type(of: $0).authenticationPolicy) }) != false
        else { return value }
        do {
            let file = try await export()
            members["file"] = .file(try add(file))
        } catch {
            try Task.checkCancellation()
            StandardError.print("cannot export the result as a file (\(ErrorMessage.of(error))), continuing without it")
        }
        return .object(members)
    }
}
