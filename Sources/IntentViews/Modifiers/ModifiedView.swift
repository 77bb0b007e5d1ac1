import IntentProtocol

/// A view in which values for the views inside it are changed.
struct EnvironmentView<Content: View> {
    let content: Content
    let change: (inout EnvironmentValues) -> Void
}

extension EnvironmentView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(content, in: change) }
}

/// A view with a changed style of its elements.
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

/// A view in front of another.
struct LayeredView<Background: View, Content: View> {
    let background: Background
    let content: Content
    /// True if the content gives the view its size, so that an area behind it is its background.
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
                        // An inner background is in front of this one.
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

/// A view that produces no element, although it is evaluated on Apple's platforms.
struct HiddenView<Content: View> {
    let content: Content
}

extension HiddenView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws {}
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
