import IntentLinux

/// A descriptor that a client passed. A descriptor that cannot be a file of a run is closed on receipt, and only the
/// reason for the refusal is stored.
///
/// A descriptor keeps its file open. If a client passed its own socket and intentd kept it, the connection would stay
/// open even after the client had exited.
enum PassedDescriptor {
    case kept(SharedFileDescriptor)
    case closed(InputFileError)

    init(_ descriptor: SharedFileDescriptor) {
        switch File.kindWithoutWaiting(of: descriptor.rawValue) {
        case .regular, .pipe: self = .kept(descriptor)
        case .directory: self = .closed(.directory)
        case .socket: self = .closed(.socket)
        case .device: self = .closed(.device)
        case .other, nil: self = .closed(.noFile)
        }
    }
}

extension [PassedDescriptor] {
    /// Returns the descriptors as files.
    ///
    /// - Throws: The reason why one of the descriptors is not a file.
    func files() throws(InputFileError) -> [SharedFileDescriptor] {
        var files: [SharedFileDescriptor] = []
        for passed in self {
            switch passed {
            case .kept(let file): files.append(file)
            case .closed(let reason): throw reason
            }
        }
        return files
    }
}
