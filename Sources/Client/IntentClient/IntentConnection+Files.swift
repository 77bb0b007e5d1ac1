internal import IntentLinux

/// Retrieves and deletes the result files that `intentd` keeps for the owner of a run.
extension IntentConnection {
    /// Returns the files of a run's result, in the order of their indices.
    ///
    /// `intentd` keeps the files until ``discardFiles(of:)`` is called, or the time set by the operator (`KeepFiles=`)
    /// has elapsed.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when `intentd` has no files for this run, or `busy` when
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

    /// Deletes the result files that `intentd` keeps for a run. Call this function after the files have been stored.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the run is unknown.
    public func discardFiles(of run: RunID) async throws {
        let answer = try await link.request(.discardFiles(run: run.text)).answer
        guard case .filesDiscarded = answer else { throw IntentClientError.wrongAnswer }
    }
}
