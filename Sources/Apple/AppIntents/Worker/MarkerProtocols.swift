import IntentSharedTypes

/// The conformances of the program's intents to Apple's protocols. The Swift runtime's tables are searched only once.
struct MarkerProtocols: Sendable {
    static let ofProgram = MarkerProtocols()

    /// One of Apple's protocols.
    struct Marker: Sendable {
        let existential: Any.Type
        var trait: IntentTraits?
        let includes: @Sendable (any AppIntent.Type) -> Bool
    }

    /// The types that conform to each protocol in ``markers``.
    private let types: [Set<ObjectIdentifier>]

    private init() {
        let descriptors = Self.markers.map { ConformingTypes.descriptor(of: $0.existential) }
        types = ConformingTypes.of(descriptors: descriptors).map { Set($0.map { ObjectIdentifier($0) }) }
    }

    /// Returns the names of the Apple protocols that the type conforms to, except those in ``IntentTraits``.
    func names(of type: any AppIntent.Type) -> [String] {
        markers(of: type).filter { $0.trait == nil }.map { _typeName($0.existential, qualified: false) }.sorted()
    }

    func traits(of type: any AppIntent.Type) -> IntentTraits { IntentTraits(markers(of: type).compactMap(\.trait)) }

    /// Returns the protocols that the type conforms to. Tests a class with a cast as well, because the tables do not
    /// list a class that inherits the conformance from its superclass.
    private func markers(of type: any AppIntent.Type) -> [Marker] {
        zip(Self.markers, types).filter { marker, types in
            types.contains(ObjectIdentifier(type)) || type is AnyClass && marker.includes(type)
        }.map(\.0)
    }

    private static let markers =
        [
            Marker(existential: (any ProgressReportingIntent).self, trait: .progressReporting) {
                $0 is any ProgressReportingIntent.Type
            },
            Marker(existential: (any LongRunningIntent).self, trait: .longRunning) { $0 is any LongRunningIntent.Type },
            Marker(existential: (any CancellableIntent).self, trait: .cancellable) { $0 is any CancellableIntent.Type },
        ] + conformances
}
