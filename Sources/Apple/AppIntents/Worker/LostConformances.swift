import CIntentWorker
import IntentSharedTypes

/// A search for intents that the compiler may have removed from a release build.
///
/// In an optimised build, the conformance of an unused type is removed unless the type itself declares conformance to a
/// protocol with `@_alwaysEmitConformanceMetadata`. `AppIntent` and Apple's refinements of it have this attribute, but
/// the app's own protocols do not. If a type declares only such a protocol, the program contains the protocol but not
/// the type.
enum LostConformances {
    /// Returns a warning for each of the app's protocols that refines `AppIntent` but has no conforming type.
    static func warnings() -> [String] {
        var found: [String: UnsafeRawPointer] = [:]
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_refining_protocol(
                ConformingTypes.descriptor(of: (any AppIntent).self),
                "AppIntents",
                { name, descriptor, context in
                    // SAFETY: the pointer is the argument passed below, and is valid during the call — ensured by
                    // withUnsafeMutablePointer.
                    let found = context.assumingMemoryBound(to: [String: UnsafeRawPointer].self)
                    found.pointee[String(foreign: name)] = descriptor
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
