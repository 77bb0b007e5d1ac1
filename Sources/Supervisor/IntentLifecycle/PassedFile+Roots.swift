package import IntentLauncherMessages

extension PassedFile {
    /// Returns the reason why an agent may not pass these files, or nil if it may.
    ///
    /// - Parameter roots: The folders of `AllowRoots=`; nil for no restriction.
    package static func refusal(of files: [PassedFile], below roots: [String]?) -> ErrorReport? {
        guard let roots, let file = files.first(where: { !$0.isBelow(roots) }) else { return nil }
        let folders = "permitted folders (AllowRoots=): \(roots.joined(separator: ", "))"
        return switch file.name {
        case .none: ErrorReport(.notPermitted, "agents may not pass a file without a path", hint: folders)
        case .verified(let path): ErrorReport(.notPermitted, "agents may not pass '\(path)'", hint: folders)
        case .unverified(let path):
            ErrorReport(
                .notPermitted,
                "agents may not pass '\(path)': intentd does not reach the file by this path",
                hint: "an operator can open the folder to intentd (BindReadOnlyPaths= in a drop-in); \(folders)"
            )
        }
    }

    /// Returns true if the file is verified to be below one of these folders.
    package func isBelow(_ roots: [String]) -> Bool {
        guard case .verified(let path) = name else { return false }
        return roots.contains { root in
            let folder = root.hasSuffix(utf8: "/") ? root : root + "/"
            return path.hasPrefix(utf8: folder)
        }
    }
}
