import SwiftUI
import Testing

/// A view, and the outline of the snippet that it becomes.
struct ViewShape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outline: String
    let view: @MainActor @Sendable () -> any View

    init<Content: View>(
        _ name: String,
        _ outline: String,
        @ViewBuilder _ view: @escaping @MainActor @Sendable () -> Content
    ) {
        testDescription = name
        self.outline = outline
        self.view = view
    }
}
