import CIntentWorker

/// Finds intents that the compiler may have removed from a release build.
///
/// An optimised build keeps the conformance of a type that no code uses only when a protocol in the type's own
/// declaration has `@_alwaysEmitConformanceMetadata`: `AppIntent` and Apple's refinements of it do, an app's own
/// protocol does not. Of a type that names only such a protocol nothing remains in the program, except the protocol
/// itself.
enum LostConformances {
    /// A warning for each protocol of the app that refines `AppIntent` and that no type appears to conform to.
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
            no type conforms to the app's protocol '\(name)', which refines AppIntent: a release build leaves out types that \
            name it alone. Write '@_alwaysEmitConformanceMetadata' before 'protocol \(name)', or name AppIntent beside \
            it in each type, or let the package keep all: swiftSettings: [.unsafeFlags(["-enable-private-imports"])]
            """
        }
    }
}
