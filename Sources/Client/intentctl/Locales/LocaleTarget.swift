/// The target that links selected languages into an app: C code that defines the symbol of ICU's data.
///
/// The linker uses the symbol from the app's own objects before it searches the toolchain's library.
package struct LocaleTarget: Sendable {
    package static let name = "LocaleData"
    /// The target's folder in a package.
    package static let folder = "Sources/\(name)"
    private static let dataFile = "locales.dat"
    /// The line in .gitignore that excludes the data. The data matches only one version of the toolchain.
    package static let ignored = "\(folder)/\(dataFile)\n"

    /// ICU's name for its data, including the version: `icudt76`.
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

    /// The files, relative to the target's folder. The source is last, so that a concurrent build compiles it with the
    /// new data.
    package var files: [(path: String, bytes: [UInt8])] {
        [
            ("include/\(Self.name).h", Array("// \(Self.name) declares no functions.\n".utf8)),
            (Self.dataFile, data),
            ("\(Self.name).c", Array(source.utf8)),
        ]
    }

    private var source: String {
        """
        // ICU's data for \(languages.joined(separator: ", ")), instead of the toolchain's data for all languages.
        // 'intentctl locales' wrote this file and \(Self.dataFile). Run it again after an update of the toolchain.
        #if defined(__linux__) && defined(__has_embed)
        #if __has_embed("\(Self.dataFile)")
        #pragma clang diagnostic ignored "-Wc23-extensions"
        // The array is hidden and has its own section, so that the linker removes it if the linked ICU does not use it.
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
