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
