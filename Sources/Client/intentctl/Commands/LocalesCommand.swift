/// Implements `intentctl locales LANGUAGES`, which writes a target with the locale data for those languages.
struct LocalesCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let folder = invocation["into"] ?? LocaleTarget.folder
        let target = try ToolchainLocales.target(for: invocation.words[0])
        try target.write(into: folder)
        if invocation.wantsJSON {
            try Console.output(
                .object([
                    "folder": .string(folder), "languages": .array(target.languages.map(JSONValue.string)),
                    "bytes": .int(Int64(target.dataByteCount)),
                ])
            )
        } else {
            let languages = target.languages.joined(separator: ", ")
            try Console.output("'\(folder)' has the data for \(languages): \(ByteText.of(Int64(target.dataByteCount)))")
            Console.note("To link it, let the app depend on \"\(LocaleTarget.name)\": see 'intentctl help locales'.")
        }
        return .done
    }
}
