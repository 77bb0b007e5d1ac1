/// A program that consists of intents: `@main struct SoupApp: AppIntentsExtension {}`.
///
/// `intentd` starts the program when one of its intents is requested. When a person runs it on the command line, it
/// lists its intents, or performs one in its own process, where a debugger works: `SoupApp OrderSoup --soup tomato`.
///
/// Source: Apple's AppIntentsExtension page.
public protocol AppIntentsExtension: SendableMetatype {
    /// Prepares the program for a run, before its intent is created. Register dependencies here.
    ///
    /// `intentd` does not call it to read the catalogue.
    init()
}

extension AppIntentsExtension {
    /// The program's entry point. It does not return.
    public static func main() {
        AppProgram.run { Self() }
    }
}
