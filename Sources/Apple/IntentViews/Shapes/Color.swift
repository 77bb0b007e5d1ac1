public import Foundation
import IntentSharedTypes

/// A colour. A snippet contains the name of the nearest colour that clients know.
///
/// Source: Apple's Color page.
public struct Color: Hashable, Sendable {
    /// The colour in a snippet; nil if the colour is transparent.
    let snippetColor: SnippetColor?

    init(_ color: SnippetColor?) {
        snippetColor = color
    }

    /// Creates a colour from its red, green and blue components between 0 and 1.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        snippetColor = opacity > 0 ? Self.nearest(red, green, blue) : nil
    }

    /// Creates a shade of gray with a brightness from 0 (black) to 1 (white).
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    /// Creates a colour from its hue, saturation and brightness between 0 and 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func component(_ number: Double) -> Double {
            let position = (number + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(position, 4 - position, 1)))
        }
        self.init(red: component(5), green: component(3), blue: component(1), opacity: opacity)
    }

    /// Creates a colour from an asset catalogue. Linux has no asset catalogues, so the colour is the colour of
    /// controls.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(.accent)
    }

    /// Returns the named colour that is nearest to the given components.
    private static func nearest(_ red: Double, _ green: Double, _ blue: Double) -> SnippetColor? {
        let known: [(SnippetColor, Double, Double, Double)] = [
            (.red, 1, 0.23, 0.19), (.orange, 1, 0.58, 0), (.yellow, 1, 0.8, 0), (.green, 0.2, 0.78, 0.35),
            (.blue, 0, 0.48, 1), (.purple, 0.69, 0.32, 0.87), (.pink, 1, 0.35, 0.6), (.brown, 0.64, 0.52, 0.37),
            (.gray, 0.56, 0.56, 0.58), (.black, 0, 0, 0), (.white, 1, 1, 1),
        ]
        func distance(_ color: (SnippetColor, Double, Double, Double)) -> Double {
            let (r, g, b) = (color.1 - red, color.2 - green, color.3 - blue)
            return r * r + g * g + b * b
        }
        return known.min { distance($0) < distance($1) }?.0
    }

    /// Returns this colour with an opacity. A snippet shows the colour as opaque, or omits it if the opacity is 0.
    public func opacity(_ opacity: Double) -> Color { opacity > 0 ? self : .clear }

    /// A gradient of this colour. A snippet shows only the colour.
    public var gradient: AnyGradient { AnyGradient(self) }

    /// Returns a mixture of this colour with another colour. A snippet shows the colour with the larger fraction.
    public func mix(with other: Color, by fraction: Double) -> Color { fraction > 0.5 ? other : self }
}

extension Color: View, _PrimitiveView {}
