import IntentSystemd

/// The objects that most parts of the launcher use.
struct LauncherContext {
    let loop: EventLoop
    let journal: Journal
    let supervisor: SupervisorConnection
    let children: ChildTable
    let folders: RunFolders
    let states: StateFolders
    let files: AppFiles
    let socketCloser: SocketCloser
    let sources: SourceWatch
    let egress: EgressLink
}
