/// Tells the system which entities matter now. There is nobody on Linux to be told.
///
/// Source: Apple's RelevantEntities page.
public struct RelevantEntities: Sendable {
    /// The one of the app.
    public static let shared = RelevantEntities()

    private init() {}

    /// Takes the place of what was told of the context before.
    public func updateEntities(_ entities: [any AppEntity], for context: AppEntityContext) async throws {}

    /// In every context.
    public func removeEntities(_ entities: [any AppEntity]) async throws {}

    /// In one context.
    public func removeEntities(_ entities: [any AppEntity], from context: AppEntityContext) async throws {}

    /// In every context.
    public func removeAllEntities() async throws {}

    /// In one context.
    public func removeAllEntities(for context: AppEntityContext) async throws {}
}

/// Where entities matter. Without meaning on Linux.
///
/// Source: Apple's AppEntityContext page.
public struct AppEntityContext: Sendable, Hashable {
    private let audio: AudioContext

    /// Where sound plays.
    public static func audio(_ audioContext: AudioContext) -> AppEntityContext { AppEntityContext(audio: audioContext) }
}

/// Where sound plays. Without meaning on Linux.
///
/// Source: Apple's AudioContext page.
public struct AudioContext: Sendable, Hashable {
    private init() {}

    /// What plays now.
    public static var nowPlaying: AudioContext { AudioContext() }
}
