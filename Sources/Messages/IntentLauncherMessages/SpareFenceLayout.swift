/// The memory in which the launcher tells intentd whether it is comparing sandboxes with the host. The launcher writes it,
/// and passes it with the descriptor of its events of files.
package enum SpareFenceLayout {
    package static let byteCount = 16
    /// The offset of a number that is 1 while the launcher handles events that it has read, and otherwise 0.
    package static let isComparing = 0
    /// The offset of the number of reports `outdated` that the launcher has sent to this intentd.
    package static let reportCount = 8
}
