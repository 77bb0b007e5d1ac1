/// A program that consists of intents: `@main struct SoupApp: AppIntentsExtension {}`.
///
/// `intentd` starts the program when one of its intents is asked for. Run by hand, it lists its intents, or performs
/// one in place for a debugger: `SoupApp OrderSoup --soup tomato`.
///
/// Source: Apple's AppIntentsExtension page.
public protocol AppIntentsExtension: SendableMetatype {
    /// Prepares the program for a run, before its intent is made: the place to register dependencies.
    ///
    /// It is not called when `intentd` only asks what the program can do.
    init()
}

extension AppIntentsExtension {
    /// The program's entry point; it never returns.
    public static func main() {
        WorkerProcess.run { Self() }
    }
}
