import IntentSharedTypes

extension Text {
    /// Sets the font.
    public func font(_ font: Font?) -> Text { styled { style in if let font { style = font.style } } }

    /// Sets the weight of the font. On Linux, a weight only determines whether the text is bold.
    public func fontWeight(_ weight: Font.Weight?) -> Text { styled { $0.isBold = weight?.isBold } }

    /// Sets the design of the font. On Linux, a design only determines whether the text is monospaced.
    public func fontDesign(_ design: Font.Design?) -> Text {
        styled { $0.isMonospaced = (design == .monospaced).trueOrNil }
    }

    /// Shows the text in bold.
    public func bold() -> Text { styled { $0.isBold = true } }

    /// Shows the text in bold if `isActive` is true.
    public func bold(_ isActive: Bool) -> Text { styled { $0.isBold = isActive.trueOrNil } }

    /// Shows the text in italics.
    public func italic() -> Text { styled { $0.isItalic = true } }

    /// Shows the text in italics if `isActive` is true.
    public func italic(_ isActive: Bool) -> Text { styled { $0.isItalic = isActive.trueOrNil } }

    /// Shows the text in a monospaced font if `isActive` is true.
    public func monospaced(_ isActive: Bool = true) -> Text { styled { $0.isMonospaced = isActive.trueOrNil } }

    /// Strikes the text through if `isActive` is true. The colour is ignored on Linux.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        styled { $0.isStruckThrough = isActive.trueOrNil }
    }

    /// Strikes the text through if `isActive` is true. The pattern and the colour are ignored on Linux.
    public func strikethrough(_ isActive: Bool = true, pattern: LineStyle.Pattern, color: Color? = nil) -> Text {
        strikethrough(isActive)
    }

    /// Sets the colour of the text.
    public func foregroundColor(_ color: Color?) -> Text { styled { $0.foreground = color?.snippetColor } }

    /// Sets the colour of the text.
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> Text {
        styled { $0.foreground = style._snippetColor.value }
    }

    /// The style of an underline or strikethrough.
    ///
    /// Source: Apple's Text.LineStyle page.
    public struct LineStyle: Hashable, Sendable {
    }
}
