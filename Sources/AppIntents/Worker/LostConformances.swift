import CIntentWorker

/// Finds intents that the compiler may have removed from a release build.
///
/// An optimised build drops the conformance of an unused type unless a protocol in the type's own declaration has
/// `@_alwaysEmitConformanceMetadata`. `AppIntent` and Apple's refinements of it have this attribute, but an app's own
/// protocol does not. If a type names only such a protocol, the program contains the protocol, but not the type.
enum LostConformances {
    /// Returns a warning for each protocol of the app that refines `AppIntent` but has no conforming type.
    static func warnings() -> [String] {
        var found: [String: UnsafeRawPointer] = [:]
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_refining_protocol(
                ConformingTypes.descriptor(of: (any AppIntent).self),
                "AppIntents",
                { name, descriptor, context in
                    // SAFETY: the pointer is the one passed below, valid during the call — withUnsafeMutablePointer.
                    let found = context.assumingMemoryBound(to: [String: UnsafeRawPointer].self)
                    found.pointee[String(cString: name)] = descriptor
                },
                found
            )
        }
        return found.sorted { $0.key < $1.key }.filter { ConformingTypes.of(descriptor: $0.value).isEmpty }.map {
            name,
            _ in
            """
            no type conforms to the app's protocol '\(name)', which refines AppIntent: a release build drops types that \
            declare only this conformance. Write '@_alwaysEmitConformanceMetadata' before 'protocol \(name)', or make \
            each type conform to AppIntent directly, or keep all types with \
            swiftSettings: [.unsafeFlags(["-enable-private-imports"])]
            """
        }
    }
}
