/// The intentd.command(5) file that describes an app's intents. The app's executable is intentd-command, which
/// receives the file's path as its argument. intentd reads only the intentd.app(5) settings in the file.
package struct CommandSource: Equatable, Sendable {
    package var path: String
    package var facts: FileFacts

    /// The suffix of an intentd.command(5) file. The rest of the file's name is the app's name.
    package static let suffix = ".intents"
}
