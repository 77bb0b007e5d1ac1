internal import IntentCommandLine
internal import IntentLauncherMessages

/// The snippet that a run shows with its result or with a question.
public struct IntentTestSnippet: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A button or a toggle.
    public struct Control: Hashable, Sendable {
        /// The text of the control's label, such as `One more bowl`.
        public let label: String
        /// The intent that the control performs, with its values.
        public let performs: RecordedIntent
        /// The state of a toggle; nil for a button.
        public let isOn: Bool?
        /// True if the button's role is destructive.
        public let isDestructive: Bool
    }

    /// The buttons and toggles in reading order. To use a control in a test, perform its intent.
    public let controls: [Control]
    /// The names of the pictures' files in reading order.
    public let pictures: [String]
    /// The intent that refreshes the snippet; nil for the snippet of a view, which no intent can refresh.
    public let source: RecordedIntent?
    /// The lines that an 80-column terminal shows.
    public let lines: [String]

    init(_ snippet: Snippet) {
        controls = Self.controls(of: snippet.root)
        pictures = snippet.images.map(\.name)
        source = snippet.source.map(RecordedIntent.init)
        lines = SnippetText.lines(snippet, columns: SnippetText.columnLimit, .none)
    }

    private static func controls(of element: SnippetElement) -> [Control] {
        guard case .control(let control) = element.content else { return element.children.flatMap(controls) }
        let label = Snippet(root: SnippetElement(.stack(.horizontal), element.children))
        return [
            Control(
                label: SnippetText.lines(label, columns: SnippetText.columnLimit, .none).joined(separator: " "),
                performs: RecordedIntent(control.action),
                isOn: control.isOn,
                isDestructive: control.isDestructive ?? false
            )
        ]
    }

    /// The ``lines``, separated by line breaks.
    public var description: String { lines.joined(separator: "\n") }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
