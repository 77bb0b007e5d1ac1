import CIntentWorker
import Foundation
public import IntentSharedTypes
import IntentWorker

/// A view that an intent shows. Not for direct use by apps: the SwiftUI product creates it.
public struct _ShownView: Sendable {
    private let draw: @MainActor @Sendable (inout _SnippetParts) throws -> SnippetElement?

    /// Creates a view from a closure that returns its elements, or nil for a view without content.
    public init(_ draw: @escaping @MainActor @Sendable (inout _SnippetParts) throws -> SnippetElement?) {
        self.draw = draw
    }

    /// The snippet, which the worker creates after it has encoded the result's value.
    var shown: ShownSnippet {
        ShownSnippet { files in
            let parts = _SnippetParts(files: files)
            let (root, complete) = try await MainActor.run {
                // Report a crash in a view's body like a crash in `perform()`, because both are app code.
                intentd_use_crash_stack()
                var parts = parts
                return (try draw(&parts), parts.files)
            }
            files = complete
            return root.map { Snippet(root: $0) }
        }
    }
}

extension _ShownView {
    /// Converts the view to a snippet. Returns nil for a view without content.
    ///
    /// - Parameter directory: The run folder, which receives the pictures; nil for a snippet without files.
    package func snippet(in directory: String?) async throws -> Snippet? {
        var files = OutgoingFiles(directory: directory)
        return try await shown.create(&files)
    }
}

/// The state of a conversion from a view to a snippet, with the result's files. Not for direct use by apps.
public struct _SnippetParts: Sendable {
    fileprivate var files: OutgoingFiles

    /// The size of a snippet with these elements in messages, in bytes.
    public static func byteCount(of root: SnippetElement) -> Int { WireCoding.encode(Snippet(root: root)).count }

    /// The size of a style in messages, in bytes.
    public static func byteCount(of style: SnippetStyle) -> Int { WireCoding.encode(style).count }

    /// Adds a picture to the result's files. Returns nil in a question, which cannot have files.
    ///
    /// - Throws: An error when the file cannot be read.
    public mutating func add(_ picture: IntentFile) throws -> FileReference? {
        guard files.directory != nil else { return nil }
        do {
            return try files.add(picture)
        } catch let invalid as InvalidValue {
            throw RunError("cannot show the picture '\(picture.filename)': it \(invalid.text)")
        } catch {
            throw RunError("cannot show the picture '\(picture.filename)': \(ErrorMessage.of(error))")
        }
    }

    /// Returns a reference to the intent that a control performs, with the current values of its parameters.
    ///
    /// - Parameter newValue: The new state of a switch; nil for a button.
    /// - Throws: An error when a parameter has a value that cannot be sent, such as a file.
    public func action(performing intent: some AppIntent, settingTo newValue: Bool?) throws -> IntentReference {
        var reference = try IntentReference(to: intent, for: "show a control")
        if let newValue, intent is any SetValueIntent,
            let value = try IntentInspection.parameters(of: intent).first(where: { $0.name == "value" })?.parameter,
            value.declaration(named: "value")?.type == .bool
        {
            reference.values["value"] = .bool(newValue)
        }
        return reference
    }

    /// Writes a line to the run's output.
    public static func report(_ text: String) {
        // Ignore an error, because a run may close its output.
        StandardError.print(text)
    }
}

extension IntentReference {
    /// Creates a reference to an intent, with the current values of its parameters.
    ///
    /// - Parameter purpose: The purpose of the reference, for use in an error message: a verb with its object.
    /// - Throws: An error when a parameter has a value that cannot be sent, such as a file.
    init(to intent: some AppIntent, for purpose: String) throws {
        let name = type(of: intent).persistentIdentifier
        var values: [String: IntentValue] = [:]
        for (parameterName, parameter) in try IntentInspection.parameters(of: intent) where parameter.hasGivenValue {
            var none = OutgoingFiles(directory: nil)
            do {
                values[parameterName] = try parameter.wireValue(files: &none)?.reference
            } catch let invalid as InvalidValue {
                throw RunError(
                    "cannot \(purpose) that performs '\(name)': its parameter '\(parameterName)' \(invalid.text)"
                )
            }
        }
        self.init(intent: name, values: values)
    }
}

extension ShownSnippet {
    /// True while a snippet intent is performed to show its view.
    @TaskLocal private static var isPerforming = false

    /// Creates a snippet that performs an intent in this process and shows its view. Clients perform the intent again
    /// to refresh the snippet.
    init(performing intent: some SnippetIntent) {
        self.init { files in
            let name = type(of: intent).persistentIdentifier
            // Without this check, an intent that shows itself would be performed repeatedly until the run exceeds
            // its limit.
            guard !Self.isPerforming else {
                throw RunError(
                    "cannot show the snippet intent '\(name)' inside another snippet: return a view from the outer snippet intent"
                )
            }
            let source = try IntentReference(to: intent, for: "show a snippet")
            var inner = files
            let created = try await Self.$isPerforming.withValue(true) {
                let result = try await intent.performInProcess()
                return try await result.followUp?.snippet?.create(&inner)
            }
            files = inner
            guard var snippet = created else { return nil }
            snippet.source = source
            return snippet
        }
    }
}

extension IntentResultContainer {
    /// Returns this result with the view of a snippet intent.
    func showing(performing intent: some SnippetIntent) -> Self {
        Self(value: value, dialog: dialog, opensIntent: following, shown: ShownSnippet(performing: intent))
    }

    /// Creates a result with a view. Not for direct use by apps: the SwiftUI product calls it.
    public init(_value value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?, view: _ShownView) {
        self.init(value: value, dialog: dialog, opensIntent: opensIntent, shown: view.shown)
    }
}

extension ShownSnippet {
    /// Returns the snippet of an intent's result. If the intent is a snippet intent, the snippet refers to it so that
    /// clients can refresh the snippet.
    func snippet(of intent: some AppIntent, _ files: inout OutgoingFiles) async throws -> Snippet? {
        guard var snippet = try await create(&files) else { return nil }
        if snippet.source == nil, intent is any SnippetIntent {
            snippet.source = try IntentReference(to: intent, for: "show a snippet")
        }
        return snippet
    }

    /// The snippet of a question, which has no files.
    var ofQuestion: Snippet? {
        get async throws {
            var none = OutgoingFiles(directory: nil)
            return try await create(&none)
        }
    }
}
