extension RunResult {
    /// Decodes the value that the intent returned.
    ///
    /// In addition to `Decodable` types, this method decodes ``RunFile``, ``IntentValue``, `Data` from a file, `Date`,
    /// `URL`, `Decimal` and `Duration`. An entity is decoded as its identifier or as an object with its properties. For
    /// an optional type, a result without a value is decoded as nil.
    ///
    /// - Throws: ``IntentRunError`` when the run was not successful or its value has another type.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try requireSuccess()
        guard !hasLostFiles else {
            throw IntentRunError(self, valueProblem: "intentd no longer keeps the files of this run")
        }
        do {
            return try IntentValueDecoder.decode(type, from: value ?? .null, files: files)
        } catch {
            throw IntentRunError(self, valueProblem: CodingProblem(error).description)
        }
    }

    /// Throws an error unless the run was successful.
    ///
    /// - Throws: ``IntentRunError``, which contains the outcome.
    public func requireSuccess() throws {
        guard case .done = outcome else { throw IntentRunError(self) }
    }
}

extension IntentRun {
    /// Waits until the run has ended, and decodes the value that the intent returned. See ``RunResult/value(as:)``.
    ///
    /// If the waiting task is cancelled, the run is cancelled, and the task waits until all of the run's processes have
    /// exited.
    ///
    /// - Throws: ``IntentRunError`` when the run was not successful or its value has another type;
    ///   ``IntentClientError`` when the connection is lost.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) async throws -> Value {
        try await result.value(as: type)
    }
}

extension RunWatch {
    /// Waits until the run has ended, and decodes the value that the intent returned. See ``RunResult/value(as:)``.
    ///
    /// - Throws: ``IntentRunError`` when the run was not successful or its value has another type;
    ///   ``IntentClientError`` when the connection is lost; `CancellationError` when the task is cancelled, in which
    ///   case the run continues.
    public func value<Value: Decodable>(as type: Value.Type = Value.self) async throws -> Value {
        try await result.value(as: type)
    }
}
