import IntentLinux

/// ICU's data from the Swift toolchain on the PATH.
enum ToolchainLocales {
    /// The maximum size of the library to read, in bytes. The library is 47 MB in Swift 6.3.
    private static let byteLimit = 512 << 20

    /// - Parameter languages: The language codes, separated by commas.
    static func target(for languages: String) throws(CommandFailure) -> LocaleTarget {
        let locales = try read()
        return LocaleTarget(
            replacing: locales,
            with: try LocaleSelection(languages, known: locales.languages)
        )
    }

    private static func read() throws(CommandFailure) -> LocalePackage {
        let path = try libraryPath()
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.bytes(at: path, limit: byteLimit)
        } catch {
            throw missing("cannot read '\(path)': \(error)")
        }
        let locales: LocalePackage?
        do throws(LocalePackage.Problem) {
            locales = try StaticLibrary(bytes).findLocales()
        } catch {
            throw missing("cannot read the language data in '\(path)': \(error.text)")
        }
        guard let locales else { throw missing("'\(path)' contains no language data") }
        return locales
    }

    private static func libraryPath() throws(CommandFailure) -> String {
        let answer: (text: String, isSuccess: Bool)
        do throws(SystemError) {
            answer = try ChildProcess.output(
                of: "/usr/bin/env",
                arguments: ["swiftc", "-print-target-info", "-static-stdlib"]
            )
        } catch {
            throw missing("cannot run swiftc: \(error)")
        }
        guard answer.isSuccess, let document = JSONValue(parsing: Array(answer.text.utf8)),
            case .string(let folder)? = document.members["paths"]?.members["runtimeResourcePath"]
        else { throw missing("cannot run swiftc: \(SafeText.line(String(answer.text.prefix(scalars: 200))))") }
        return folder + "/linux/lib_FoundationICU.a"
    }

    private static func missing(_ message: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            code: "noToolchain",
            message,
            hint: "install a Swift 6.3 toolchain, and put its 'swiftc' on the PATH"
        )
    }
}
