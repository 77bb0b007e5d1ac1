import IntentSystemd

/// The values and services that every part of the launcher uses.
struct Surroundings {
    let loop: EventLoop
    let journal: Journal
    let supervisor: SupervisorConnection
    let children: ChildTable
    let folders: RunFolders
}
