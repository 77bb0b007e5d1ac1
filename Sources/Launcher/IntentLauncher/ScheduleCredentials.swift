import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux

extension LauncherContext {
    /// Opens the credentials of the schedule that has started a run, for a repetition of the run (`Retry=`).
    ///
    /// systemd has passed these files to the first run, which belongs to the user in the schedule's unit. Only root writes a
    /// unit of the system, so the request of another user leads to no secret.
    func openCredentials(of run: ScheduledRun) {
        let folder = files.scheduleFolder
        let target = ScheduleFile.target(run.schedule, in: folder, on: .kernel)
        let owner: String? = folder == ScheduleFile.systemFolder ? run.account : nil
        var names: [String] = []
        var problem: String?
        var opened: [SharedFileDescriptor] = []
        if let target, target.app == run.app.text, target.user == owner {
            let paths = (target.credentials ?? [:]).sorted { $0.key < $1.key }
            for (name, path) in paths.prefix(ScheduleFile.credentialLimit) {
                var path = path
                do throws(UnmetRequirement) {
                    let source = CredentialSource(name: name, location: .path(path))
                    opened.append(SharedFileDescriptor(try source.open(at: &path)))
                    names.append(name)
                } catch {
                    problem = String(error.description.prefix(scalars: 1000))
                }
            }
        }
        supervisor.send(.credentials(run: run.run, names: names, problem: problem), descriptors: opened)
    }
}
