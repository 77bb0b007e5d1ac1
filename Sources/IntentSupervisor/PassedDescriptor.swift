import IntentLinux

/// A descriptor that a client passed. One that cannot be a file of a run is closed on receipt, and only the reason is kept.
///
/// A descriptor that waits for its frame keeps alive all that it refers to: a client's own socket that waited here would
/// keep the connection open for ever, with no client left.
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
    /// All of them as files.
    ///
    /// - Throws: Why one of them is not a file.
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
