import Foundation
import IntentLinux
import IntentWire

extension AppIntent {
    /// Makes the intent, gives it its values, performs it.
    ///
    /// - Parameter directory: The run's own, where files of the result are put.
    static func run(
        values: [String: IntentWire.IntentValue],
        files: IncomingFiles,
        directory: String
    ) async -> RunEnding {
        do {
            let intent = Self()
            try intent.setParameters(values, files: files)
            let result = try await intent.perform()
            var outgoing = OutgoingFiles(directory: directory)
            let value = try result.wireValue(files: &outgoing)
            let dialog = (result as? any DialogCarrying)?.dialog?.full.text.bounded(to: ErrorMessage.limit)
            return RunEnding(.returned(value: value, dialog: dialog), files: outgoing)
        } catch is CancellationError {
            return RunEnding(.threwCancellation)
        } catch {
            return RunEnding(.threw(message: ErrorMessage.of(error)))
        }
    }

    private func setParameters(_ values: [String: IntentWire.IntentValue], files: IncomingFiles) throws {
        let parameters = try IntentInspection.parameters(of: self)
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw RunError("the intent '\(Self.persistentIdentifier)' has no parameter '\(name)'")
        }
        for (name, parameter) in parameters {
            if let value = values[name] {
                do {
                    try parameter.set(value, files: files)
                } catch let mismatch as ValueMismatch {
                    throw RunError("parameter '\(name)' \(mismatch.text)")
                }
            }
            guard parameter.isSet else { throw RunError("parameter '\(name)' is missing") }
        }
    }
}

extension IntentResult {
    fileprivate func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue? {
        guard let value else { return nil }
        do {
            return try Value._intentValueCoding.encode(value, &files)
        } catch let mismatch as ValueMismatch {
            throw RunError("the returned value \(mismatch.text)")
        } catch let error as SystemError {
            throw RunError("the returned file cannot be handed over: \(error)")
        }
    }
}

/// Why a run failed before or after the app's own code.
struct RunError: LocalizedError, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    var errorDescription: String? { message }
}
