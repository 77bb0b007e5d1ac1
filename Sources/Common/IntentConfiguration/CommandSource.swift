import IntentLauncherMessages

/// The file that describes an app's intents.
///
/// The executable of an app with an intentd.command(5) file is intentd-command, which receives the file's path as its
/// argument. intentd reads only the intentd.app(5) settings in the file. An intentd.shortcut(5) file has no executable:
/// intentd reads the whole file, and requests the steps.
package struct CommandSource: Equatable, Sendable {
    package var path: String
    package var facts: FileFacts

    /// The suffix of an intentd.command(5) file. The rest of the file's name is the app's name.
    package static let suffix = ".intents"
    /// The suffix of an intentd.shortcut(5) file.
    package static let shortcutSuffix = ".shortcut"
    static let suffixes = [suffix, shortcutSuffix]

    /// True for an intentd.shortcut(5) file.
    package var isShortcut: Bool { path.hasSuffix(utf8: Self.shortcutSuffix) }
}
