package import IntentSharedTypes

/// The type that the `result(…)` methods return. Apps rarely need to name it.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The value; nil for a result without a value.
    public let value: Value?
    /// The dialog; nil for a result without a dialog.
    public let dialog: IntentDialog?
    /// The intent to perform next, of any type. The caller receives its name and parameter values.
    let following: (any AppIntent)?
    /// The snippet to show; nil for a result without a view.
    let shown: ShownSnippet?

    init(value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?, shown: ShownSnippet? = nil) {
        self.value = value
        self.dialog = dialog
        following = opensIntent
        self.shown = shown
    }

    /// The intent to perform next; nil for a result without such an intent.
    public var opensIntent: OpensAppIntent? { following as? OpensAppIntent }
}

/// The snippet of a result.
///
/// The worker creates the snippet after it has encoded the result's value, because the snippet adds its pictures to the
/// result's files.
struct ShownSnippet: Sendable {
    /// The closure that creates the snippet and adds its pictures to the result's files, or returns nil for a view
    /// without content.
    let create: @Sendable (_ files: inout OutgoingFiles) async throws -> IntentSharedTypes.Snippet?
}

extension IntentResultContainer {
    /// Returns this result with a snippet.
    ///
    /// - Parameters:
    ///   - pictures: The files of the snippet's pictures, in reading order.
    ///   - snippet: A closure that creates the snippet with references to the pictures.
    package func showing(
        pictures: [IntentFile] = [],
        _ snippet: @escaping @Sendable ([IntentSharedTypes.FileReference]) -> IntentSharedTypes.Snippet
    ) -> Self {
        let shown = ShownSnippet { files in
            var references: [IntentSharedTypes.FileReference] = []
            for picture in pictures { references.append(try files.add(picture)) }
            return snippet(references)
        }
        return Self(value: value, dialog: dialog, opensIntent: following, shown: shown)
    }
}

extension IntentResultContainer: ReturnsValue {}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

extension IntentResultContainer: OpensIntent {}

extension IntentResultContainer: ShowsSnippetIntent where Snippet == _SnippetIntentContainer {}

extension IntentResultContainer: ShowsSnippetView where Snippet == _SnippetViewContainer {}

/// A type-erased ``IntentResultContainer``.
protocol AnyResultContainer {
    var dialog: IntentDialog? { get }
    var following: (any AppIntent)? { get }
    var shown: ShownSnippet? { get }
}

extension IntentResultContainer: AnyResultContainer {}

extension AnyResultContainer {
    fileprivate static func followUp(of result: some IntentResult) -> FollowUp? {
        (result as? Self).map { FollowUp(dialog: $0.dialog, following: $0.following, snippet: $0.shown) }
    }
}

/// A result's dialog, next intent and snippet.
struct FollowUp {
    var dialog: IntentDialog?
    var following: (any AppIntent)?
    var snippet: ShownSnippet?
}

extension IntentResult {
    /// This result's dialog, next intent and snippet; nil if the app defines the result type.
    ///
    /// The type is cast, not the value. Casting the value would make the runtime create the metadata of an existential
    /// container in every run.
    var followUp: FollowUp? { Self.resultContainer?.followUp(of: self) }

    static var resultContainer: (any AnyResultContainer.Type)? { Self.self as? any AnyResultContainer.Type }
}
