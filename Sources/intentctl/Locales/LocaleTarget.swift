/// The target that links chosen languages into an app: C code that defines the symbol of ICU's data.
///
/// The linker takes the symbol from the app's own objects before it looks for it in the toolchain's library.
package struct LocaleTarget: Sendable {
    package static let name = "LocaleData"
    /// The folder in a package.
    package static let folder = "Sources/\(name)"
    private static let dataFile = "locales.dat"
    /// A line for .gitignore: the data fits only one version of the toolchain.
    package static let ignored = "\(folder)/\(dataFile)\n"

    /// ICU's name of its data, with the version: `icudt76`.
    private let symbol: String
    package let languages: [String]
    private let data: [UInt8]

    /// - Parameter locales: The data that the target replaces.
    package init(replacing locales: LocalePackage, with selection: LocaleSelection) {
        symbol = locales.name + "_dat"
        languages = selection.languages.sorted()
        data = locales.keeping(selection)
    }

    package var dataByteCount: Int { data.count }

    /// The files, relative to the target's folder. The source comes last: a build in between finds the new data with it.
    package var files: [(path: String, bytes: [UInt8])] {
        [
            ("include/\(Self.name).h", Array("// \(Self.name) has nothing to call.\n".utf8)),
            (Self.dataFile, data),
            ("\(Self.name).c", Array(source.utf8)),
        ]
    }

    private var source: String {
        """
        // ICU's data for \(languages.joined(separator: ", ")), in place of the toolchain's data for all languages.
        // 'intentctl locales' wrote this file and \(Self.dataFile): do so again after an update of the toolchain.
        #if defined(__linux__) && defined(__has_embed)
        #if __has_embed("\(Self.dataFile)")
        #pragma clang diagnostic ignored "-Wc23-extensions"
        // Hidden, and in a section of its own: the linker removes it if ICU has another version and does not use it.
        __attribute__((section(".rodata.\(symbol)"), visibility("hidden"), aligned(16)))
        const unsigned char \(symbol)[] = {
        #embed "\(Self.dataFile)"
        };
        #else
        #pragma message("\(Self.dataFile) is missing: the app has all languages. Run: intentctl locales \(languages.joined(separator: ","))")
        #endif
        #endif

        """
    }
}
