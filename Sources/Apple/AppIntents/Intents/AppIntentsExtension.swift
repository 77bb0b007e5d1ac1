/// A program that consists of intents: `@main struct SoupApp: AppIntentsExtension {}`.
///
/// `intentd` starts the program when one of its intents is requested. Started from the command line, the program lists
/// its intents, or performs one in its own process, where a debugger can be used: `SoupApp OrderSoup --soup tomato`.
///
/// Source: Apple's AppIntentsExtension page.
public protocol AppIntentsExtension: SendableMetatype {
    /// Prepares the program for a run, before the intent is created. Register dependencies here, including dependencies
    /// that belong to the main actor.
    ///
    /// The initialiser is not called when `intentd` reads the catalogue. `intentctl verify` calls it, in a sandbox, to
    /// find dependencies that are not registered.
    @MainActor init()
}

extension AppIntentsExtension {
    /// The program's entry point, which never returns.
    public static func main() {
        AppProgram.run { Self() }
    }
}
