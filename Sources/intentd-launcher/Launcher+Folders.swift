import Glibc
import IntentLinux
import IntentSandbox

/// The folders of runs and of kept results.
extension Launcher {
    func makeRunsFolder() throws(SystemError) {
        // Workers of another user must be able to walk to their own directory, and see nothing on the way.
        for folder in [cacheFolder, runsFolder] {
            do {
                try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
            } catch {
                if error.code.rawValue != EEXIST { throw error }
            }
        }
        do {
            try syscall("mkdir", on: resultsPath) { mkdir(resultsPath, 0o700) }
        } catch {
            if error.code.rawValue != EEXIST { throw error }
        }
        let folder = SharedFileDescriptor(try File.open(resultsPath, O_RDONLY | O_DIRECTORY))
        resultsFolder = folder
        switch door {
        case .listen, .connected: break
        case .handed: try shareResults(in: folder)
        }
    }

    /// Lets an `intentd` of another user at results, which is in our group: what an earlier version kept, too.
    private func shareResults(in folder: SharedFileDescriptor) throws(SystemError) {
        guard try File.status(of: folder.rawValue).permissions & 0o070 != 0o070 else { return }
        try syscall("fchmod") { fchmod(folder.rawValue, 0o770) }
        let path = "/proc/self/fd/\(folder.rawValue)"
        for run in (try? File.names(in: path)) ?? [] {
            // What cannot be shared can be fetched no more, and goes in its time.
            guard let place = try? File.openFolder(run, in: folder.rawValue) else { continue }
            for name in (try? File.names(in: "/proc/self/fd/\(place.rawValue)")) ?? [] {
                guard let file = try? File.open(name, in: place.rawValue) else { continue }
                try? File.share(file.rawValue, as: folder.rawValue)
            }
            try? File.share(place.rawValue, as: folder.rawValue)
        }
    }
}
