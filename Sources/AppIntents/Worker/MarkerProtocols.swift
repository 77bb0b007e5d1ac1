import IntentVocabulary

/// The conformances of the program's intents to Apple's protocols. The Swift runtime's tables are searched only once.
struct MarkerProtocols: Sendable {
    static let ofProgram = MarkerProtocols()

    private let traits: [Set<ObjectIdentifier>]
    private let markers: [Set<ObjectIdentifier>]

    private init() {
        let protocols = Self.traitTable.map(\.existential) + Self.markerTable.map(\.existential)
        let types = ConformingTypes.of(descriptors: protocols.map(ConformingTypes.descriptor)).map { types in
            Set(types.map { ObjectIdentifier($0) })
        }
        traits = Array(types[..<Self.traitTable.count])
        markers = Array(types[Self.traitTable.count...])
    }

    /// Returns the names of the Apple protocols that the type conforms to, except those in ``IntentTraits``.
    func names(of type: any AppIntent.Type) -> [String] {
        zip(Self.markerTable, markers).filter { Self.conforms(type, $0.0.includes, $0.1) }.map(\.0.name).sorted()
    }

    func traits(of type: any AppIntent.Type) -> IntentTraits {
        zip(Self.traitTable, traits).reduce(into: []) { found, entry in
            if Self.conforms(type, entry.0.includes, entry.1) { found.insert(entry.0.trait) }
        }
    }

    /// Returns true if the type conforms to a protocol. Tests a class with a cast as well, because the tables do not
    /// list a class that inherits the conformance from its superclass.
    private static func conforms(
        _ type: any AppIntent.Type,
        _ includes: (any AppIntent.Type) -> Bool,
        _ types: Set<ObjectIdentifier>
    ) -> Bool {
        types.contains(ObjectIdentifier(type)) || type is AnyClass && includes(type)
    }

    private typealias Test = @Sendable (any AppIntent.Type) -> Bool

    private static let traitTable: [(trait: IntentTraits, existential: Any.Type, includes: Test)] = [
        (.progressReporting, (any ProgressReportingIntent).self, { $0 is any ProgressReportingIntent.Type }),
        (.longRunning, (any LongRunningIntent).self, { $0 is any LongRunningIntent.Type }),
        (.cancellable, (any CancellableIntent).self, { $0 is any CancellableIntent.Type }),
    ]

    private static let markerTable: [(name: String, existential: Any.Type, includes: Test)] = [
        ("SystemIntent", (any SystemIntent).self, { $0 is any SystemIntent.Type }),
        ("OpenIntent", (any OpenIntent).self, { $0 is any OpenIntent.Type }),
        ("SetValueIntent", (any SetValueIntent).self, { $0 is any SetValueIntent.Type }),
        ("DeleteIntent", (any DeleteIntent).self, { $0 is any DeleteIntent.Type }),
        ("UndoableIntent", (any UndoableIntent).self, { $0 is any UndoableIntent.Type }),
        ("PredictableIntent", (any PredictableIntent).self, { $0 is any PredictableIntent.Type }),
        ("SnippetIntent", (any SnippetIntent).self, { $0 is any SnippetIntent.Type }),
        (
            "ForegroundContinuableIntent", (any ForegroundContinuableIntent).self,
            { $0 is any ForegroundContinuableIntent.Type }
        ),
        (
            "TargetContentProvidingIntent", (any TargetContentProvidingIntent).self,
            { $0 is any TargetContentProvidingIntent.Type }
        ),
        (
            "CustomIntentMigratedAppIntent", (any CustomIntentMigratedAppIntent).self,
            { $0 is any CustomIntentMigratedAppIntent.Type }
        ),
        ("AudioPlaybackIntent", (any AudioPlaybackIntent).self, { $0 is any AudioPlaybackIntent.Type }),
        ("AudioRecordingIntent", (any AudioRecordingIntent).self, { $0 is any AudioRecordingIntent.Type }),
        ("AudioStartingIntent", (any AudioStartingIntent).self, { $0 is any AudioStartingIntent.Type }),
        ("CameraCaptureIntent", (any CameraCaptureIntent).self, { $0 is any CameraCaptureIntent.Type }),
        ("LiveActivityIntent", (any LiveActivityIntent).self, { $0 is any LiveActivityIntent.Type }),
        (
            "LiveActivityStartingIntent", (any LiveActivityStartingIntent).self,
            { $0 is any LiveActivityStartingIntent.Type }
        ),
        (
            "PushToTalkTransmissionIntent", (any PushToTalkTransmissionIntent).self,
            { $0 is any PushToTalkTransmissionIntent.Type }
        ),
        ("SetFocusFilterIntent", (any SetFocusFilterIntent).self, { $0 is any SetFocusFilterIntent.Type }),
        ("StartWorkoutIntent", (any StartWorkoutIntent).self, { $0 is any StartWorkoutIntent.Type }),
        ("PauseWorkoutIntent", (any PauseWorkoutIntent).self, { $0 is any PauseWorkoutIntent.Type }),
        ("ResumeWorkoutIntent", (any ResumeWorkoutIntent).self, { $0 is any ResumeWorkoutIntent.Type }),
        ("StartDiveIntent", (any StartDiveIntent).self, { $0 is any StartDiveIntent.Type }),
        ("UISceneAppIntent", (any UISceneAppIntent).self, { $0 is any UISceneAppIntent.Type }),
        (
            "ControlConfigurationIntent", (any ControlConfigurationIntent).self,
            { $0 is any ControlConfigurationIntent.Type }
        ),
        (
            "WidgetConfigurationIntent", (any WidgetConfigurationIntent).self,
            { $0 is any WidgetConfigurationIntent.Type }
        ),
        ("URLRepresentableIntent", (any URLRepresentableIntent).self, { $0 is any URLRepresentableIntent.Type }),
        ("AssistantIntent", (any AssistantIntent).self, { $0 is any AssistantIntent.Type }),
        ("AssistantSchemaIntent", (any AssistantSchemaIntent).self, { $0 is any AssistantSchemaIntent.Type }),
        ("PlayVideoIntent", (any PlayVideoIntent).self, { $0 is any PlayVideoIntent.Type }),
        (
            "ShowInAppSearchResultsIntent", (any ShowInAppSearchResultsIntent).self,
            { $0 is any ShowInAppSearchResultsIntent.Type }
        ),
        ("DeprecatedAppIntent", (any DeprecatedAppIntent).self, { $0 is any DeprecatedAppIntent.Type }),
    ]
}
