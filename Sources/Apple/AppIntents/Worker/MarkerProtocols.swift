import IntentVocabulary

/// The conformances of the program's intents to Apple's protocols. The Swift runtime's tables are searched only once.
struct MarkerProtocols: Sendable {
    static let ofProgram = MarkerProtocols()

    /// One of Apple's protocols.
    private struct Marker: Sendable {
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

    private static let markers = [
        Marker(existential: (any ProgressReportingIntent).self, trait: .progressReporting) {
            $0 is any ProgressReportingIntent.Type
        },
        Marker(existential: (any LongRunningIntent).self, trait: .longRunning) { $0 is any LongRunningIntent.Type },
        Marker(existential: (any CancellableIntent).self, trait: .cancellable) { $0 is any CancellableIntent.Type },
        Marker(existential: (any SystemIntent).self) { $0 is any SystemIntent.Type },
        Marker(existential: (any OpenIntent).self) { $0 is any OpenIntent.Type },
        Marker(existential: (any SetValueIntent).self) { $0 is any SetValueIntent.Type },
        Marker(existential: (any DeleteIntent).self) { $0 is any DeleteIntent.Type },
        Marker(existential: (any UndoableIntent).self) { $0 is any UndoableIntent.Type },
        Marker(existential: (any PredictableIntent).self) { $0 is any PredictableIntent.Type },
        Marker(existential: (any SnippetIntent).self) { $0 is any SnippetIntent.Type },
        Marker(existential: (any ForegroundContinuableIntent).self) { $0 is any ForegroundContinuableIntent.Type },
        Marker(existential: (any TargetContentProvidingIntent).self) { $0 is any TargetContentProvidingIntent.Type },
        Marker(existential: (any CustomIntentMigratedAppIntent).self) { $0 is any CustomIntentMigratedAppIntent.Type },
        Marker(existential: (any AudioPlaybackIntent).self) { $0 is any AudioPlaybackIntent.Type },
        Marker(existential: (any AudioRecordingIntent).self) { $0 is any AudioRecordingIntent.Type },
        Marker(existential: (any AudioStartingIntent).self) { $0 is any AudioStartingIntent.Type },
        Marker(existential: (any CameraCaptureIntent).self) { $0 is any CameraCaptureIntent.Type },
        Marker(existential: (any LiveActivityIntent).self) { $0 is any LiveActivityIntent.Type },
        Marker(existential: (any LiveActivityStartingIntent).self) { $0 is any LiveActivityStartingIntent.Type },
        Marker(existential: (any PushToTalkTransmissionIntent).self) { $0 is any PushToTalkTransmissionIntent.Type },
        Marker(existential: (any SetFocusFilterIntent).self) { $0 is any SetFocusFilterIntent.Type },
        Marker(existential: (any StartWorkoutIntent).self) { $0 is any StartWorkoutIntent.Type },
        Marker(existential: (any PauseWorkoutIntent).self) { $0 is any PauseWorkoutIntent.Type },
        Marker(existential: (any ResumeWorkoutIntent).self) { $0 is any ResumeWorkoutIntent.Type },
        Marker(existential: (any StartDiveIntent).self) { $0 is any StartDiveIntent.Type },
        Marker(existential: (any UISceneAppIntent).self) { $0 is any UISceneAppIntent.Type },
        Marker(existential: (any ControlConfigurationIntent).self) { $0 is any ControlConfigurationIntent.Type },
        Marker(existential: (any WidgetConfigurationIntent).self) { $0 is any WidgetConfigurationIntent.Type },
        Marker(existential: (any URLRepresentableIntent).self) { $0 is any URLRepresentableIntent.Type },
        Marker(existential: (any AssistantIntent).self) { $0 is any AssistantIntent.Type },
        Marker(existential: (any AssistantSchemaIntent).self) { $0 is any AssistantSchemaIntent.Type },
        Marker(existential: (any PlayVideoIntent).self) { $0 is any PlayVideoIntent.Type },
        Marker(existential: (any ShowInAppSearchResultsIntent).self) { $0 is any ShowInAppSearchResultsIntent.Type },
        Marker(existential: (any DeprecatedAppIntent).self) { $0 is any DeprecatedAppIntent.Type },
    ]
}
