import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

extension Launcher {
    /// Starts a worker of an app that the operator installed; `intentd` names it and nothing more.
    func launch(_ request: LaunchRequest) {
        guard slots[request.slot] == nil else {
            report(.launchFailed(slot: request.slot, LaunchFailure(message: "slot \(request.slot.number) is taken")))
            return
        }
        switch installation.app(request.app, on: .kernel) {
        case .missing: fail(request, "there is no app '\(request.app)' any more")
        case .refused(let reason): fail(request, reason)
        case .found(let app):
            do {
                try start(app, request)
            } catch let error as LaunchError {
                fail(request, "\(error)")
            } catch {
                fail(request, "cannot start a worker: \(error)")
            }
        }
    }

    private func fail(_ request: LaunchRequest, _ message: String) {
        journal.write(.error, "\(request.app): \(message)", [("INTENT_APP", request.app.text)])
        report(.launchFailed(slot: request.slot, LaunchFailure(message: String(message.prefix(2000)))))
    }

    private func start(_ app: AppSettings, _ request: LaunchRequest) throws {
        let name = "\(request.run?.text ?? request.mode.rawValue)-\(request.slot.number)"
        let directory = try RunDirectory(at: "\(runsFolder)/\(name)", for: workerUser)
        let leaf: CgroupLeaf?
        let process: Int32
        let sockets: (first: SharedFileDescriptor, second: SharedFileDescriptor)
        let output: Pipe
        let error: Pipe
        do {
            leaf = try cgroups?.makeLeaf(named: "run-\(name)")
            leaf?.limit(memoryByteCount: 1 << 30, processCount: 64)
            sockets = try UnixSocket.Pair(.sequencedPacket).take()
            output = try Pipe()
            error = try Pipe()
            do {
                process = try LaunchPlan(
                    executable: app.executable,
                    environment: environment(of: app, request, directory: directory.path),
                    directory: directory.path,
                    output: output.writing,
                    error: error.writing,
                    socket: sockets.second,
                    leaf: leaf,
                    user: workerUser
                ).start()
            } catch {
                leaf?.remove()
                throw error
            }
        } catch {
            directory.remove()
            throw error
        }
        let slot = Slot(id: request.slot, process: process, directory: directory, leaf: leaf)
        do {
            try add(slot)
        } catch {
            slot.signal(.kill)
            throw error
        }
        report(
            .launched(slot: request.slot, process: process),
            descriptors: [sockets.first, output.reading, error.reading]
        )
    }

    /// What a worker finds in its environment: nothing of the launcher's own but the language and the time zone.
    private func environment(of app: AppSettings, _ request: LaunchRequest, directory: String) -> [String: String] {
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            // A crash tells its place in some lines, not in some hundred.
            "SWIFT_BACKTRACE": "color=no,threads=crashed,registers=none,images=none,limit=12",
        ]
        for name in ["LANG", "TZ"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        environment.merge(app.environment) { _, operators in operators }
        // Last: these are the worker's protocol, and not the operator's to change.
        environment["HOME"] = directory
        environment["TMPDIR"] = directory
        environment["INTENTD_MODE"] = request.mode.rawValue
        environment["INTENTD_RUN"] = request.run?.text
        return environment
    }
}
