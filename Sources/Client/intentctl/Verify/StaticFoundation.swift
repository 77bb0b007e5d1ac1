import IntentLinux

/// The libraries of the host that parts of Foundation use.
///
/// A build with `--static-swift-stdlib` links them, and therefore needs their development files.
package enum StaticFoundation {
    private struct Part {
        /// The part, as a dynamically linked program names it.
        var foundation: String
        /// The file for which the linker searches.
        var linked: String
        /// The package with this file.
        var development: String
        /// The names of the library at run time, by its packages.
        var installed: [String: String]
    }

    private static let parts = [
        Part(
            foundation: "libFoundationNetworking.so",
            linked: "libcurl.so",
            development: "libcurl4-openssl-dev",
            installed: ["libcurl.so.4": "libcurl4", "libcurl-gnutls.so.4": "libcurl3-gnutls"]
        ),
        Part(
            foundation: "libFoundationXML.so",
            linked: "libxml2.so",
            development: "libxml2-dev",
            installed: ["libxml2.so.2": "libxml2"]
        ),
    ]

    /// The packages with the development files.
    package static var developmentPackages: [String] { parts.map(\.development) }

    /// Returns a warning for each library that a static build of a program would not find.
    ///
    /// - Parameter exists: Returns true if there is a file at the path.
    package static func warnings(
        for libraries: [SharedLibraries.Entry],
        exists: (String) -> Bool
    ) -> [AppVerdict.Problem] {
        let names = Set(libraries.map(\.name))
        return parts.filter { part in
            names.contains(part.foundation)
                && !SharedLibraries.standardFolders.contains { exists("\($0)/\(part.linked)") }
        }.map { part in
            AppVerdict.Problem(
                "a build with --static-swift-stdlib would not link: '\(part.linked)' is missing",
                hint: "install its package: apt install \(part.development)"
            )
        }
    }

    /// Returns the command that installs missing libraries, or nil if the table lacks a library.
    package static func installation(of missing: [String]) -> String? {
        let packages = missing.compactMap { name in parts.lazy.compactMap { $0.installed[name] }.first }
        guard packages.count == missing.count else { return nil }
        return "apt install \(packages.joined(separator: " "))"
    }
}
