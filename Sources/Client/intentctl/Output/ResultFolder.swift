import Glibc

/// Saves result files in a folder. Never overwrites an existing file.
struct ResultFolder {
    private let path: String
    /// The name of the subfolder for this host's files. Nil if the command acts on only one host.
    private let hostFolder = environmentText(FanOutCommand.hostVariable)
        .flatMap { try? HostName($0).folderName }

    /// - Throws: ``CommandFailure`` if the user cannot create files in the folder.
    init(path: String) throws(CommandFailure) {
        self.path = path
        // Check with the effective ids, because 'schedule add' checks the folder as the user who will write into it.
        guard faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 else {
            throw Self.failure(
                "cannot write into '\(path)'",
                errno,
                .usage,
                hint: "create the folder first, or specify another folder with --out"
            )
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Self.failure("'\(path)' is not a folder", ENOTDIR, .usage, hint: "specify a folder with --out")
        }
    }

    /// Copies a file into the folder, and to the disk: intentd discards its copy afterwards.
    ///
    /// - Returns: The path of the copy.
    func save(_ file: RunFile) throws(CommandFailure) -> String {
        let (target, path) = try create(SafeFileName.of(file.name, contentType: file.contentType))
        do throws(CommandFailure) {
            do throws(IntentClientError) {
                try file.copyContents(to: target)
                try RunFile.synchronize(target, at: path)
            } catch {
                throw CommandFailure.output(
                    "cannot write '\(path)': \(error.message)",
                    hint: "free some space, or specify another folder with --out"
                )
            }
        } catch {
            close(target)
            // Do not leave an incomplete file behind.
            unlink(path)
            throw error
        }
        // Some file systems do not report a full disk before close(2).
        guard close(target) == 0 else {
            throw Self.failure("cannot write '\(path)'", errno, hint: "free some space")
        }
        return path
    }

    private func create(_ name: String) throws(CommandFailure) -> (descriptor: Int32, path: String) {
        let path = try folderOfFiles()
        for attempt in 0..<1000 {
            let candidate = SafeFileName.numbered(name, attempt)
            let path = path == "." ? candidate : "\(path)/\(candidate)"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, path) }
            if errno != EEXIST {
                throw Self.failure("cannot create '\(path)'", errno)
            }
        }
        throw Self.failure("'\(name)' and all of its numbered variants exist", EEXIST)
    }

    /// Returns the folder for the files. Creates the subfolder if the command acts on several hosts.
    private func folderOfFiles() throws(CommandFailure) -> String {
        guard let hostFolder else { return path }
        let folder = path == "." ? hostFolder : "\(path)/\(hostFolder)"
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw Self.failure("cannot create the folder '\(folder)'", errno)
        }
        return folder
    }

    private static func failure(
        _ message: String,
        _ number: Int32,
        _ code: ExitCode = .resourceLimit,
        hint: String = "specify another folder with --out"
    ) -> CommandFailure {
        CommandFailure(code, code: "output", "\(message): \(String(foreign: strerror(number)))", hint: hint)
    }
}
