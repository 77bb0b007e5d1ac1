/// A part of the user interface that an intent shows with a result or a question.
///
/// On Linux, the worker does not draw the view of a result or question. It evaluates the view once, and clients show
/// the text, symbols, pictures and controls that the view contains.
///
/// Source: Apple's View page.
@MainActor @preconcurrency
public protocol View {
    /// The type of the view that ``body`` returns.
    associatedtype Body: View

    /// The content of this view.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }

    /// Adds the elements of this view to a snippet. By default, adds the elements of ``body``. Not for direct use by
    /// apps.
    func _draw(on canvas: _SnippetCanvas) throws
}

extension View {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(body) }
}

/// A view that adds its elements to the snippet itself and has no body. Not for direct use by apps.
@MainActor @preconcurrency
public protocol _PrimitiveView: View where Body == Never {}

extension _PrimitiveView {
    /// Not available, because a primitive view has no body.
    public var body: Never {
        preconditionFailure("the view \(Self.self) has no body: return the view itself instead of its body")
    }
}

extension Never: View {
    public var body: Never {
        self
    }
}

extension Optional: View where Wrapped: View {
    /// Not available, because an optional view has no body.
    @MainActor public var body: Never {
        preconditionFailure("an optional view has no body: return the view itself instead of its body")
    }
}

extension Optional: _PrimitiveView where Wrapped: View {
    @MainActor public func _draw(on canvas: _SnippetCanvas) throws {
        if let view = self { try canvas.draw(view) }
    }
}

/// A view without content.
///
/// Source: Apple's EmptyView page.
public struct EmptyView: Sendable {
    /// Creates a view without content.
    public init() {}
}

extension EmptyView: _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {}
}

/// A type-erased view.
///
/// Source: Apple's AnyView page.
public struct AnyView {
    private let view: any View

    /// Creates a type-erased view.
    public init<Content: View>(_ view: Content) {
        self.view = view
    }

    /// Creates a type-erased view.
    public init<Content: View>(erasing view: Content) {
        self.view = view
    }
}

extension AnyView: _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(view) }
}

/// The views of a block, in order. ``ViewBuilder`` creates this type.
///
/// Source: Apple's TupleView page.
public struct TupleView<Content> {
    private let views: [any View]

    init<each Part: View>(_ part: repeat each Part) where Content == (repeat each Part) {
        var views: [any View] = []
        for view in repeat each part { views.append(view) }
        self.views = views
    }
}

extension TupleView: _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        for view in views { try canvas.draw(view) }
    }
}

/// The view of one of two branches. ``ViewBuilder`` creates this type for `if` and `switch`.
public struct _ConditionalContent<TrueContent: View, FalseContent: View> {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage
}

extension _ConditionalContent: _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        switch storage {
        case .first(let view): try canvas.draw(view)
        case .second(let view): try canvas.draw(view)
        }
    }
}
