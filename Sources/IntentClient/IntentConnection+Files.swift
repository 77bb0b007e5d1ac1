internal import IntentLinux
public import IntentProtocol

/// Result files that `intentd` keeps for the run's owner.
extension IntentConnection {
    /// The files of a run's result, in the order of its value.
    ///
    /// `intentd` keeps them until a client with ``DisconnectRule/cancel`` has received the end of the run, until
    /// ``discardFiles(of:)``, or for the operator's `KeepFiles=`.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when no files are kept, `busy` when the run has not
    ///   ended.
    public func files(of run: RunID) async throws -> [RunFile] {
        var files: [RunFile] = []
        var totalCount = 1
        while files.count < totalCount {
            let reply = try await link.request(.fetch(run: run.text, from: files.count))
            guard case .files(let part) = reply.answer, part.references.count == reply.files.count,
                !part.references.isEmpty, part.totalCount <= FileReference.countLimit
            else { throw IntentClientError.wrongAnswer }
            totalCount = part.totalCount
            files += zip(part.references, reply.files).map { reference, file in
                RunFile(name: reference.name, contentType: reference.contentType, shared: file)
            }
        }
        return files
    }

    /// Deletes the kept files of a run's result.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the run is unknown.
    public func discardFiles(of run: RunID) async throws {
        let answer = try await link.request(.discardFiles(run: run.text)).answer
        guard case .filesDiscarded = answer else { throw IntentClientError.wrongAnswer }
    }
}
