internal import IntentLinux
public import IntentProtocol

/// Files of results that are kept for who asked for the run.
extension IntentConnection {
    /// The files of a run's result, in the order of its value, while they are kept: until whoever asked for the run got
    /// them with its end, until ``discardFiles(of:)``, or until the daemon's time for them is over.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when there are none, `busy` when the run has not ended.
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

    /// Says that nobody needs the files of a run's result any more.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when there is no such run.
    public func discardFiles(of run: RunID) async throws {
        let answer = try await link.request(.discardFiles(run: run.text)).answer
        guard case .filesDiscarded = answer else { throw IntentClientError.wrongAnswer }
    }
}
