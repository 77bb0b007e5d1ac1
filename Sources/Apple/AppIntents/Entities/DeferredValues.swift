import Foundation
import IntentSharedTypes
import IntentWorker

/// The deferred properties of a value that is being encoded. Encoding is synchronous, so each property is first encoded
/// as a placeholder.
struct DeferredValues: Sendable {
    typealias Fetch = @Sendable (inout OutgoingFiles) async throws -> IntentValue

    private var fetches: [(name: String, fetch: Fetch)] = []
    /// The only key of a placeholder object. It is random so that no value from an app contains it.
    private var mark: String?

    var isEmpty: Bool { fetches.isEmpty }
    var count: Int { fetches.count }

    /// Adds a property to fetch later, and returns its placeholder.
    mutating func append(name: String, _ fetch: @escaping Fetch) -> IntentValue {
        let mark = mark ?? UUID().uuidString
        self.mark = mark
        fetches.append((name, fetch))
        return .object([mark: .int(Int64(fetches.count - 1))])
    }

    /// Removes all fetches after the first `count`, because the value no longer contains their placeholders.
    mutating func keepFirst(_ count: Int) {
        fetches.removeSubrange(count...)
    }

    fileprivate func name(at index: Int) -> String { fetches[index].name }
    fileprivate func fetch(at index: Int) -> Fetch { fetches[index].fetch }

    /// Replaces the placeholders. A property without a fetched value is removed from its object.
    fileprivate func filling(_ value: IntentValue, with found: [Int: IntentValue]) -> IntentValue? {
        switch value {
        case .object(let members):
            if let mark, members.count == 1, case .int(let index)? = members[mark] { return found[Int(index)] }
            return .object(members.compactMapValues { filling($0, with: found) })
        case .array(let values): return .array(values.compactMap { filling($0, with: found) })
        case .null, .bool, .int, .double, .string, .file: return value
        }
    }
}

extension OutgoingFiles {
    /// Fetches the deferred properties of a value, in order, and replaces their placeholders.
    ///
    /// If a getter throws an error, its property is omitted, because the run itself has succeeded. The error is written
    /// to the run's output.
    ///
    /// - Throws: `CancellationError` when the run is cancelled.
    mutating func fetchDeferred(in value: IntentValue?) async throws -> IntentValue? {
        guard let value else { return nil }
        let pending = deferred
        var found: [Int: IntentValue] = [:]
        var reported: Set<String> = []
        for index in 0..<pending.count {
            try Task.checkCancellation()
            // Omit the deferred properties of entities in a fetched value. Otherwise, entities that refer to each other
            // would be fetched endlessly.
            deferred = DeferredValues()
            do {
                let fetched = try await pending.fetch(at: index)(&self)
                found[index] = deferred.filling(fetched, with: [:])
            } catch {
                try Task.checkCancellation()
                let name = pending.name(at: index)
                guard reported.insert(name).inserted else { continue }
                StandardError.print(
                    "cannot fetch the property '\(name)' (\(ErrorMessage.of(error))); continuing without it"
                )
            }
        }
        deferred = DeferredValues()
        return pending.filling(value, with: found)
    }
}
