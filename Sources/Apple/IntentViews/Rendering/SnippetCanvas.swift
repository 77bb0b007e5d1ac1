import AppIntents
import Foundation
import IntentSharedTypes

/// A canvas that collects the elements of a snippet while a view is evaluated. Not for direct use by apps.
///
/// A faulty view may contain itself, or thousands of rows. The canvas therefore limits the number of views, and the
/// number, nesting depth and size of elements. At a limit, it drops all further elements, adds the text `…`, and
/// writes the reason to the run's output.
@MainActor
public final class _SnippetCanvas {
    /// The maximum nesting depth of views. It exceeds the limit for elements, because most views produce no element.
    static let nestingLimit = 200
    /// The maximum number of views in one snippet, including views that produce no element.
    static let viewLimit = 20_000
    /// The maximum size of one text, in bytes of UTF-8.
    static let textLimit = 8 << 10
    /// The size that is reserved for the text `…`, for the snippet's source, and for the JSON keys around the elements,
    /// in bytes of JSON.
    static let reservedByteCount = 4 << 10

    /// The environment of the view that is being evaluated.
    private(set) var environment = EnvironmentValues()
    private var parts: _SnippetParts
    /// The children of the innermost open element.
    private var elements: [SnippetElement] = []
    /// The number of elements that will enclose the next element.
    private var depth = 0
    private var elementCount = 0
    private var byteCount = 0
    private var nesting = 0
    private var viewCount = 0
    /// True after a limit has been reached. No further elements are added.
    private(set) var isFull = false
    /// The messages about the view for the run's output, without duplicates.
    private var remarks: [String] = []

    private init(_ parts: _SnippetParts) {
        self.parts = parts
    }

    /// Converts a view to an element. Returns nil for a view without content.
    ///
    /// - Throws: An error when a control performs an intent with a value that cannot be sent.
    static func element(of view: any View, with parts: inout _SnippetParts) throws -> SnippetElement? {
        let canvas = _SnippetCanvas(parts)
        defer {
            parts = canvas.parts
            for remark in canvas.remarks { _SnippetParts.report(remark) }
        }
        // Reserve a level and an element for the stack that wraps several elements, and an element for the text `…`.
        canvas.depth = 1
        canvas.elementCount = 2
        canvas.byteCount = reservedByteCount
        try EnvironmentValues.$current.withValue(canvas.environment) { try canvas.draw(view) }
        return canvas.elements.count > 1
            ? SnippetElement(.stack(.vertical), canvas.elements) : canvas.elements.first
    }

    /// Adds the elements of a view.
    func draw<Content: View>(_ view: Content) throws {
        guard !isFull else { return }
        viewCount += 1
        guard nesting < Self.nestingLimit else {
            return stop("its views are nested more than \(Self.nestingLimit) times")
        }
        guard viewCount <= Self.viewLimit else { return stop("it has more than \(Self.viewLimit) views") }
        nesting += 1
        defer { nesting -= 1 }
        try view._draw(on: self)
    }

    /// Adds the elements of a view in a changed environment.
    func draw<Content: View>(_ view: Content, in change: (inout EnvironmentValues) -> Void) throws {
        let outer = environment
        defer { environment = outer }
        change(&environment)
        try EnvironmentValues.$current.withValue(environment) { try draw(view) }
    }

    /// Returns the elements of a view instead of adding them to the open element.
    ///
    /// - Parameter levels: The number of elements in which the caller will nest the returned elements.
    func elements(of view: any View, inside levels: Int = 0) throws -> [SnippetElement] {
        let outer = elements
        elements = []
        depth += levels
        defer {
            elements = outer
            depth -= levels
        }
        try draw(view)
        return elements
    }

    /// Adds an element. The elements that the closure adds are its children.
    func add(_ content: SnippetContent, style: SnippetStyle = SnippetStyle(), _ children: () throws -> Void = {}) throws
    {
        guard !isFull else { return }
        let element = SnippetElement(content, style: style.isEmpty ? nil : style)
        guard elementCount < Snippet.elementLimit else {
            return stop("it has more than \(Snippet.elementLimit) elements")
        }
        // Reserve one level for the text `…`.
        guard depth < Snippet.depthLimit - 1 else {
            return stop("its elements are nested more than \(Snippet.depthLimit - 2) times")
        }
        guard charge(element.ownByteCount) else { return }
        elementCount += 1
        depth += 1
        let outer = elements
        elements = []
        defer {
            var complete = element
            complete.children = elements
            elements = outer
            elements.append(complete)
            depth -= 1
        }
        try children()
    }

    /// Adds elements that ``elements(of:)`` returned.
    func add(_ elements: [SnippetElement]) {
        self.elements += elements
    }

    /// Adds the elements of a view with a changed style.
    func draw<Content: View>(_ view: Content, styled change: (inout SnippetStyle) -> Void) throws {
        var styled = try elements(of: view)
        var fits = true
        for index in styled.indices where fits {
            let before = styled[index].style
            var style = before ?? SnippetStyle()
            change(&style)
            guard style != before, !style.isEmpty else { continue }
            fits = byteCount + style.byteCount <= Snippet.byteLimit
            guard fits else { continue }
            byteCount += style.byteCount
            styled[index].style = style
        }
        add(styled)
        // Add the text `…` only now, so that it follows the elements.
        if !fits, !isFull { stop(Self.sizeReason) }
    }

    /// Adds a text element in the style that surrounding views set. Does nothing if the text is empty.
    func add(text: String, style: SnippetStyle = SnippetStyle()) throws {
        guard !text.isEmpty else { return }
        var shown = text.bounded(to: Self.textLimit)
        switch environment.textCase {
        case nil: break
        case .uppercase?: shown = shown.uppercased(with: environment.locale)
        case .lowercase?: shown = shown.lowercased(with: environment.locale)
        }
        if !environment.redactionReasons.isEmpty {
            shown = String(repeating: "█", count: min(shown.unicodeScalars.count, 12))
        }
        try add(.text(shown), style: environment.textStyle.merging(style))
    }

    /// Adds a control that performs an intent.
    ///
    /// - Parameter isOn: The state of a toggle; nil for a button.
    func addControl(
        performing intent: some AppIntent,
        isOn: Bool? = nil,
        isDestructive: Bool = false,
        label: any View
    ) throws {
        guard !isFull else { return }
        var style = SnippetStyle()
        style.foreground = environment.tint
        guard environment.isEnabled else {
            // A snippet has no disabled controls, so only the label is shown.
            return try draw(AnyView(label)) { $0.textStyle.foreground = .secondary }
        }
        let action = try parts.action(performing: intent, settingTo: isOn.map { !$0 })
        let control = SnippetControl(action: action, isOn: isOn, isDestructive: isDestructive.trueOrNil)
        try add(.control(control), style: style) { try draw(AnyView(label)) { $0.textStyle = SnippetStyle() } }
    }

    /// Adds a picture. Returns false if the snippet cannot contain files, as in a question.
    func add(picture: IntentFile, style: SnippetStyle) throws -> Bool {
        guard !isFull else { return true }
        guard let file = try parts.add(picture) else { return false }
        try add(.image(file), style: style)
        return true
    }

    /// Records a message about the view for the run's output.
    func remark(_ text: String) {
        if remarks.count < 8, !remarks.contains(text) { remarks.append(text) }
    }

    private func charge(_ count: Int) -> Bool {
        guard byteCount + count <= Snippet.byteLimit else {
            stop(Self.sizeReason)
            return false
        }
        byteCount += count
        return true
    }

    private static var sizeReason: String { "it is larger than \(Snippet.byteLimit >> 10) KiB" }

    private func stop(_ reason: String) {
        isFull = true
        elements.append(SnippetElement(.text("…")))
        remark("the snippet is incomplete: \(reason). Show fewer rows, or move them into the result's value")
    }
}

extension SnippetElement {
    /// The size of the element without its children, in bytes of JSON.
    fileprivate var ownByteCount: Int {
        // This JSON lacks the number of children, because the children are not known yet. It also contains the JSON
        // around the list of elements, which is at least as long.
        _SnippetParts.byteCount(of: self)
    }
}

extension SnippetStyle {
    var isEmpty: Bool { self == SnippetStyle() }

    fileprivate var byteCount: Int { _SnippetParts.byteCount(of: self) }

    /// Returns this style. Properties that the inner style sets replace those of this style.
    func merging(_ inner: SnippetStyle) -> SnippetStyle {
        var style = self
        style.font = inner.font ?? font
        style.isBold = inner.isBold ?? isBold
        style.isItalic = inner.isItalic ?? isItalic
        style.isMonospaced = inner.isMonospaced ?? isMonospaced
        style.isStruckThrough = inner.isStruckThrough ?? isStruckThrough
        style.foreground = inner.foreground ?? foreground
        style.background = inner.background ?? background
        style.isPadded = inner.isPadded ?? isPadded
        style.isRounded = inner.isRounded ?? isRounded
        style.alignment = inner.alignment ?? alignment
        style.lineLimit = inner.lineLimit ?? lineLimit
        style.accessibilityLabel = inner.accessibilityLabel ?? accessibilityLabel
        return style
    }
}

extension String {
    /// Returns the string, truncated to at most `byteCount` bytes of UTF-8 without cutting a Unicode scalar.
    func bounded(to byteCount: Int) -> String {
        guard utf8.count > byteCount else { return self }
        var end = utf8.index(startIndex, offsetBy: byteCount - "…".utf8.count)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[startIndex..<end]) + "…"
    }
}
