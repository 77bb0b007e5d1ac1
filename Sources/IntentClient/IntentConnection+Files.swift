internal import IntentLinux
public import IntentProtocol

/// Access to the result files that `intentd` keeps for a run's owner.
extension IntentConnection {
    /// Returns the files of a run's result, in the order in which its value refers to them.
    ///
    /// `intentd` keeps the files until a client with ``DisconnectRule/cancel`` has received the end of the run, until a
    /// call of ``discardFiles(of:)``, or for the time set by the operator (`KeepFiles=`).
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when `intentd` has no files of the run, or `busy` when
    ///   the run has not ended.
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
