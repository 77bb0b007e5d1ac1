/// A list of the entities that are currently relevant. Ignored on Linux.
///
/// Source: Apple's RelevantEntities page.
public struct RelevantEntities: Sendable {
    /// The instance that apps use.
    public static let shared = RelevantEntities()

    private init() {}

    /// Replaces the relevant entities of a context.
    public func updateEntities(_ entities: [any AppEntity], for context: AppEntityContext) async throws {}

    /// Removes entities from all contexts.
    public func removeEntities(_ entities: [any AppEntity]) async throws {}

    /// Removes entities from a context.
    public func removeEntities(_ entities: [any AppEntity], from context: AppEntityContext) async throws {}

    /// Removes all entities from all contexts.
    public func removeAllEntities() async throws {}

    /// Removes all entities from a context.
    public func removeAllEntities(for context: AppEntityContext) async throws {}
}

/// A context in which entities are relevant. Ignored on Linux.
///
/// Source: Apple's AppEntityContext page.
public struct AppEntityContext: Sendable, Hashable {
    private let audio: AudioContext

    /// Returns a context for audio.
    public static func audio(_ audioContext: AudioContext) -> AppEntityContext { AppEntityContext(audio: audioContext) }
}

/// A context in which audio is played. Ignored on Linux.
///
/// Source: Apple's AudioContext page.
public struct AudioContext: Sendable, Hashable {
    private init() {}

    /// The context of the audio that is currently playing.
    public static var nowPlaying: AudioContext { AudioContext() }
}
