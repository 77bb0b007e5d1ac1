public import AppIntents
import Foundation
import IntentSharedTypes

extension View {
    /// Sets the font of text.
    nonisolated public func font(_ font: Font?) -> some View {
        environment(changing: {
            $0.font = font
            $0.textStyle.font = font?.style.font
            if let style = font?.style { $0.textStyle = $0.textStyle.merging(style) }
        })
    }

    /// Sets the weight of text. On Linux, a weight only determines whether text is bold.
    nonisolated public func fontWeight(_ weight: Font.Weight?) -> some View {
        environment(changing: { $0.textStyle.isBold = weight?.isBold.trueOrNil })
    }

    /// Sets the design of text. On Linux, a design only determines whether text is monospaced.
    nonisolated public func fontDesign(_ design: Font.Design?) -> some View {
        environment(changing: { $0.textStyle.isMonospaced = (design == .monospaced).trueOrNil })
    }

    /// Shows text in bold if `isActive` is true.
    nonisolated public func bold(_ isActive: Bool = true) -> some View {
        environment(changing: { $0.textStyle.isBold = isActive.trueOrNil })
    }

    /// Shows text in italics if `isActive` is true.
    nonisolated public func italic(_ isActive: Bool = true) -> some View {
        environment(changing: { $0.textStyle.isItalic = isActive.trueOrNil })
    }

    /// Shows text in a monospaced font if `isActive` is true.
    nonisolated public func monospaced(_ isActive: Bool = true) -> some View {
        environment(changing: { $0.textStyle.isMonospaced = isActive.trueOrNil })
    }

    /// Strikes text through if `isActive` is true. The pattern and the colour are ignored on Linux.
    nonisolated public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View {
        environment(changing: { $0.textStyle.isStruckThrough = isActive.trueOrNil })
    }

    /// Sets the maximum number of lines of a text view; nil for no limit.
    nonisolated public func lineLimit(_ number: Int?) -> some View { environment(changing: { $0.lineLimit = number }) }

    /// Sets the maximum number of lines of a text view. Linux reserves no space for missing lines.
    nonisolated public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }

    /// Sets the maximum number of lines of a text view. The lower bound is ignored on Linux.
    nonisolated public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }

    /// Sets the maximum number of lines of a text view.
    nonisolated public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }

    /// Sets the alignment of the lines of text.
    nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        environment(changing: {
            $0.multilineTextAlignment = alignment
            $0.textStyle.alignment =
                switch alignment {
                case .leading: nil
                case .center: .center
                case .trailing: .trailing
                }
        })
    }

    /// Converts text to upper or lower case.
    nonisolated public func textCase(_ textCase: Text.Case?) -> some View {
        environment(changing: { $0.textCase = textCase })
    }

    /// Replaces text with black boxes, for content that is private or not known yet.
    nonisolated public func redacted(reason: RedactionReasons) -> some View {
        environment(changing: { $0.redactionReasons.formUnion(reason) })
    }

    /// Shows text even if a surrounding view redacts it.
    nonisolated public func unredacted() -> some View { environment(changing: { $0.redactionReasons = [] }) }

    /// Determines whether labels show their title, their icon, or both.
    nonisolated public func labelStyle<Style: LabelStyle>(_ style: Style) -> some View {
        let parts = style._parts
        return environment(changing: { $0.labelStyle = parts })
    }

    /// Sets the text that a screen reader speaks instead of this view.
    nonisolated public func accessibilityLabel(_ label: Text) -> some View {
        styled { style, environment in
            guard environment.redactionReasons.isEmpty else { return }
            style.accessibilityLabel = label.plainText(in: environment.locale).bounded(to: 256)
        }
    }

    /// Sets the text that a screen reader speaks instead of this view.
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
        accessibilityLabel(Text(labelKey))
    }

    /// Sets the text that a screen reader speaks instead of this view.
    @_disfavoredOverload
    nonisolated public func accessibilityLabel(_ labelResource: LocalizedStringResource) -> some View {
        accessibilityLabel(Text(labelResource))
    }

    /// Sets the text that a screen reader speaks instead of this view. The text is not translated.
    @_disfavoredOverload
    nonisolated public func accessibilityLabel<Label: StringProtocol>(_ label: Label) -> some View {
        accessibilityLabel(Text(label))
    }
}
