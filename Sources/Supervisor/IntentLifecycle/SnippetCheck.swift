package import IntentLauncherMessages

/// The checks on a snippet that a worker reports, before the snippet is published and recorded.
///
/// The decoder has already limited the number of elements and their depth.
package enum SnippetCheck {
    /// The maximum nesting depth of arrays and objects in each of a control's values. A client receives the value
    /// inside other objects, and ``PayloadShape`` limits the nesting depth of the whole message.
    package static let nestingLimit = 3

    /// Returns the reason why the snippet of a result is invalid, or nil if it is valid.
    package static func problem(with snippet: Snippet) -> String? {
        let byteCount = WireCoding.encode(snippet).count
        return byteCount <= Snippet.byteLimit
            ? nil : "its snippet has \(byteCount) bytes, more than the limit of \(Snippet.byteLimit)"
    }

    /// Returns the snippet without the source and the controls that clients must not or cannot perform. A removed
    /// control is replaced with its label.
    ///
    /// - Parameter isPermitted: Returns true if the intent is declared, and none of the values is secret. Without its
    ///   secret values, the intent could do something else.
    static func withPermittedActions(_ snippet: Snippet, _ isPermitted: (IntentReference) -> Bool) -> Snippet {
        func isUsable(_ action: IntentReference) -> Bool {
            action.values.values.allSatisfy { $0.files.isEmpty && $0.isNested(atMost: nestingLimit) }
                && isPermitted(action)
        }
        var snippet = snippet
        snippet.source = snippet.source.flatMap { isUsable($0) ? $0 : nil }
        snippet.root = snippet.root.mapping { element in
            guard case .control(let control) = element.content, !isUsable(control.action) else { return element }
            return SnippetElement(.stack(.horizontal), style: element.style, element.children)
        }
        return snippet
    }

    /// Returns the snippet with each image replaced by its accessibility label or its file name.
    static func withoutImages(_ snippet: Snippet) -> Snippet {
        var snippet = snippet
        snippet.root = snippet.root.mapping { element in
            guard case .image(let file) = element.content else { return element }
            return SnippetElement(.text(element.style?.accessibilityLabel ?? file.name), style: element.style)
        }
        return snippet
    }
}

extension SnippetElement {
    /// Returns the tree with each element replaced by the result of the closure, from the leaves to the root.
    fileprivate func mapping(_ transform: (SnippetElement) -> SnippetElement) -> SnippetElement {
        var copy = self
        copy.children = children.map { $0.mapping(transform) }
        return transform(copy)
    }
}

extension IntentValue {
    /// Returns true if the value has at most this number of nested arrays and objects.
    fileprivate func isNested(atMost limit: Int) -> Bool {
        switch self {
        case .array(let values): limit > 0 && values.allSatisfy { $0.isNested(atMost: limit - 1) }
        case .object(let members): limit > 0 && members.values.allSatisfy { $0.isNested(atMost: limit - 1) }
        case .null, .bool, .int, .double, .string, .file: true
        }
    }
}
