public import Foundation

/// A type that provides previews of views for Xcode. Ignored on Linux.
///
/// Source: Apple's PreviewProvider page.
@MainActor @preconcurrency
public protocol PreviewProvider {
    /// The type of the views that ``previews`` returns.
    associatedtype Previews: View

    /// The views to show.
    @ViewBuilder static var previews: Previews { get }
}

/// Declares a preview of a view, which only Xcode shows. On Linux, it adds nothing to the program.
///
/// Source: Apple's Preview(_:body:) page.
@freestanding(declaration)
public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
    #externalMacro(module: "IntentMacros", type: "PreviewMacro")

/// Declares a preview of a view in a layout, which only Xcode shows. On Linux, it adds nothing to the program.
///
/// Source: Apple's Preview(_:traits:_:body:) page.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil,
    traits: PreviewTrait,
    _ additionalTraits: PreviewTrait...,
    @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "IntentMacros", type: "PreviewMacro")

/// The layout of a preview. Ignored on Linux.
///
/// Source: Apple's PreviewTrait page.
public struct PreviewTrait: Sendable {
    /// A layout with the size of the device.
    public static let defaultLayout = PreviewTrait()
    /// A layout with the size of the view.
    public static let sizeThatFitsLayout = PreviewTrait()
    /// A layout in portrait orientation.
    public static let portrait = PreviewTrait()
    /// A layout in landscape orientation, for a device that is turned to the left.
    public static let landscapeLeft = PreviewTrait()
    /// A layout in landscape orientation, for a device that is turned to the right.
    public static let landscapeRight = PreviewTrait()

    /// Returns a layout with a fixed size, in points.
    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait { PreviewTrait() }
}
