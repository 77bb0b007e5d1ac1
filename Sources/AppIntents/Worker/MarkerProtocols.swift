/// Apple's protocols that an intent may conform to, beside those that are traits: what the catalogue tells of them is their name.
enum MarkerProtocols {
    static func names(of type: any AppIntent.Type) -> [String] {
        table.filter { $0.includes(type) }.map(\.name).sorted()
    }

    private struct Entry: Sendable {
        var name: String
        var includes: @Sendable (any AppIntent.Type) -> Bool
    }

    private static let table: [Entry] = [
        Entry(name: "SystemIntent") { $0 is any SystemIntent.Type },
        Entry(name: "OpenIntent") { $0 is any OpenIntent.Type },
        Entry(name: "SetValueIntent") { $0 is any SetValueIntent.Type },
        Entry(name: "DeleteIntent") { $0 is any DeleteIntent.Type },
        Entry(name: "UndoableIntent") { $0 is any UndoableIntent.Type },
        Entry(name: "PredictableIntent") { $0 is any PredictableIntent.Type },
        Entry(name: "SnippetIntent") { $0 is any SnippetIntent.Type },
        Entry(name: "ForegroundContinuableIntent") { $0 is any ForegroundContinuableIntent.Type },
        Entry(name: "TargetContentProvidingIntent") { $0 is any TargetContentProvidingIntent.Type },
        Entry(name: "CustomIntentMigratedAppIntent") { $0 is any CustomIntentMigratedAppIntent.Type },
        Entry(name: "AudioPlaybackIntent") { $0 is any AudioPlaybackIntent.Type },
        Entry(name: "AudioRecordingIntent") { $0 is any AudioRecordingIntent.Type },
        Entry(name: "AudioStartingIntent") { $0 is any AudioStartingIntent.Type },
        Entry(name: "CameraCaptureIntent") { $0 is any CameraCaptureIntent.Type },
        Entry(name: "LiveActivityIntent") { $0 is any LiveActivityIntent.Type },
        Entry(name: "LiveActivityStartingIntent") { $0 is any LiveActivityStartingIntent.Type },
        Entry(name: "PushToTalkTransmissionIntent") { $0 is any PushToTalkTransmissionIntent.Type },
        Entry(name: "SetFocusFilterIntent") { $0 is any SetFocusFilterIntent.Type },
        Entry(name: "StartWorkoutIntent") { $0 is any StartWorkoutIntent.Type },
        Entry(name: "PauseWorkoutIntent") { $0 is any PauseWorkoutIntent.Type },
        Entry(name: "ResumeWorkoutIntent") { $0 is any ResumeWorkoutIntent.Type },
        Entry(name: "StartDiveIntent") { $0 is any StartDiveIntent.Type },
        Entry(name: "UISceneAppIntent") { $0 is any UISceneAppIntent.Type },
        Entry(name: "ControlConfigurationIntent") { $0 is any ControlConfigurationIntent.Type },
        Entry(name: "WidgetConfigurationIntent") { $0 is any WidgetConfigurationIntent.Type },
        Entry(name: "URLRepresentableIntent") { $0 is any URLRepresentableIntent.Type },
        Entry(name: "AssistantIntent") { $0 is any AssistantIntent.Type },
        Entry(name: "AssistantSchemaIntent") { $0 is any AssistantSchemaIntent.Type },
        Entry(name: "PlayVideoIntent") { $0 is any PlayVideoIntent.Type },
        Entry(name: "ShowInAppSearchResultsIntent") { $0 is any ShowInAppSearchResultsIntent.Type },
        Entry(name: "DeprecatedAppIntent") { $0 is any DeprecatedAppIntent.Type },
    ]
}
