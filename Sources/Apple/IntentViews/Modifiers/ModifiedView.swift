import IntentSharedTypes

/// A view that changes the environment of the views inside it.
struct EnvironmentView<Content: View> {
    let content: Content
    let change: (inout EnvironmentValues) -> Void
}

extension EnvironmentView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(content, in: change) }
}

/// A view that changes the style of the elements in its content.
struct StyledView<Content: View> {
    let content: Content
    let change: (inout SnippetStyle, EnvironmentValues) -> Void
}

extension StyledView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws {
        let environment = canvas.environment
        try canvas.draw(content, styled: { change(&$0, environment) })
    }
}

/// A view in front of another view.
struct LayeredView<Background: View, Content: View> {
    let background: Background
    let content: Content
    /// True for `background(_:)`. A single shape behind the content then becomes the background colour of the content's
    /// elements.
    let isContentMain: Bool
}

extension LayeredView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws {
        let behind = try canvas.elements(of: background, inside: 1)
        if isContentMain {
            if behind.isEmpty { return try canvas.draw(content) }
            if behind.count == 1, let area = behind.first, case .shape(let shape) = area.content {
                return try canvas.draw(
                    content,
                    styled: { style in
                        // The background of an inner view takes precedence, because it is in front of this background.
                        style.background = style.background ?? area.style?.foreground
                        if area.style?.isRounded == true || shape == .circle { style.isRounded = true }
                    }
                )
            }
        }
        let front = try canvas.elements(of: content, inside: 1)
        guard !front.isEmpty else { return canvas.add(behind) }
        try canvas.add(.stack(.depth)) {
            canvas.add(behind)
            canvas.add(front)
        }
    }
}

extension View {
    nonisolated func environment(changing change: @escaping (inout EnvironmentValues) -> Void) -> EnvironmentView<Self>
    {
        EnvironmentView(content: self, change: change)
    }

    nonisolated func styled(
        _ change: @escaping (inout SnippetStyle, EnvironmentValues) -> Void
    ) -> StyledView<Self> {
        StyledView(content: self, change: change)
    }
}
