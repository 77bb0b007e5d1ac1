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
            try await intent.prepare(values, files: files)
            return try await intent.performed(in: directory)
        } catch is CancellationError {
            return RunEnding(.threwCancellation)
        } catch {
            return RunEnding(.threw(message: ErrorMessage.of(error)))
        }
    }

    /// What comes of `perform()`, with the question when it throws one.
    private func performed(in directory: String) async throws -> RunEnding {
        do {
            let result = try await perform()
            var outgoing = OutgoingFiles(directory: directory)
            let value = try result.wireValue(files: &outgoing)
            let dialog = (result as? any DialogCarrying)?.dialog?.full.text.bounded(to: ErrorMessage.limit)
            return RunEnding(.returned(value: value, dialog: dialog), files: outgoing)
        } catch {
            let known = (error as? any CustomAppIntentErrorConvertible)?.appIntentError ?? error as? AppIntentError
            guard case .unanswered(let question)? = known?.meaning else { throw error }
            // Of another intent that this one performed: the caller has no such parameter.
            let isOwn = try IntentInspection.parameters(of: self).contains { $0.parameter === question.parameter }
            return RunEnding(
                .needsValue(
                    parameter: isOwn ? question.parameter?.name : nil,
                    question: question.wholeText.bounded(to: ErrorMessage.limit)
                )
            )
        }
    }

    /// Gives the intent its values and its dependencies, so that it can perform.
    func prepare(_ values: [String: IntentWire.IntentValue] = [:], files: IncomingFiles = IncomingFiles()) async throws
    {
        let parameters = try IntentInspection.parameters(of: self)
        for name in values.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw RunError("the intent '\(Self.persistentIdentifier)' has no parameter '\(name)'")
        }
        for (name, parameter) in parameters {
            if let value = values[name] {
                do {
                    try await parameter.set(value, files: files)
                } catch let unfit as UnfitValue {
                    throw RunError("parameter '\(name)' \(unfit.text)")
                }
            }
            guard parameter.isSet else { throw RunError("parameter '\(name)' is missing") }
        }
        for dependency in IntentInspection.dependencies(of: self) {
            try await dependency.resolve(for: Self.persistentIdentifier)
        }
    }
}

extension IntentResult {
    fileprivate func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue? {
        guard let value else { return nil }
        do {
            return try Value._intentValueCoding.encode(value, &files)
        } catch let unfit as UnfitValue {
            throw RunError("the returned value \(unfit.text)")
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
