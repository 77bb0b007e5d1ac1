/// A program that consists of intents: `@main struct SoupApp: AppIntentsExtension {}`.
///
/// `intentd` starts the program when one of its intents is requested. Run by hand, it lists its intents, or performs
/// one in its own process, for use with a debugger: `SoupApp OrderSoup --soup tomato`.
///
/// Source: Apple's AppIntentsExtension page.
public protocol AppIntentsExtension: SendableMetatype {
    /// Prepares the program for a run, before its intent is created. Register dependencies here.
    ///
    /// It is not called when only the catalogue is read.
    init()
}

extension AppIntentsExtension {
    /// The program's entry point. It does not return.
    public static func main() {
        AppProgram.run { Self() }
    }
}
