import IntentSystemd

/// What every part of the launcher works with.
struct Surroundings {
    let loop: EventLoop
    let journal: Journal
    let supervisor: SupervisorConnection
    let children: ChildTable
    let folders: RunFolders
}
