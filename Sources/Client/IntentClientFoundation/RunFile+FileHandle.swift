public import Foundation
@_exported public import IntentClient

extension RunFile {
    /// Returns a handle for reading the content. The handle closes its descriptor when it is released.
    ///
    /// All handles of a file share one file offset.
    ///
    /// - Throws: ``IntentClientError`` with code `system` when the process has too many open files.
    public func fileHandle() throws(IntentClientError) -> FileHandle {
        FileHandle(fileDescriptor: try duplicateDescriptor(), closeOnDealloc: true)
    }

    /// Duplicates the descriptor of an open handle. The handle stays open.
    ///
    /// - Throws: ``IntentClientError`` with code `unreadableFile` when the handle is closed, or refers to a folder, a
    ///   socket or a device.
    public init(_ handle: FileHandle, name: String, contentType: String? = nil) throws(IntentClientError) {
        try self.init(duplicating: handle.fileDescriptor, name: name, contentType: contentType)
    }
}
