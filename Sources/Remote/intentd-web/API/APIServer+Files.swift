import IntentLinux
import IntentProtocol

extension APIServer {
    /// Opens stored files that a request names.
    func open(
        _ names: [String],
        writable: [Int] = [],
        for exchange: APIExchange
    ) throws(ErrorReport) -> [SharedFileDescriptor] {
        let writable = Set(writable)
        var opened: [SharedFileDescriptor] = []
        for (index, name) in names.enumerated() {
            opened.append(try files.open(name, isWritable: writable.contains(index), for: exchange.caller.name))
        }
        return opened
    }

    /// Removes stored files that intentd has received.
    func removeUsed(_ names: [String], except writable: [Int] = [], for exchange: APIExchange) {
        guard limits.removesUsedFiles else { return }
        for (index, name) in names.enumerated() where !writable.contains(index) {
            // A file that two requests name is removed by the first.
            try? files.remove(name, for: exchange.caller.name)
        }
    }

    func sendResultFile(_ exchange: APIExchange) throws(ErrorReport) {
        let run = try run(of: exchange)
        let text = exchange.request.path["index"] ?? ""
        guard let index = Int(text), (0..<FileReference.countLimit).contains(index) else {
            throw ErrorReport(.unknownFile, "expected the index of a file, got '\(SafeText.line(text))'")
        }
        link(of: exchange.caller).send(.fetch(run: run.text, from: index)) { [weak exchange] result in
            guard let exchange else { return }
            switch result {
            case .success((.files(let part), let files)):
                guard let file = files.first, let reference = part.references.first else {
                    let error = ErrorReport(.unknownFile, "the result of run \(run) has \(part.totalCount) files")
                    return exchange.respond(error)
                }
                exchange.respond { () throws(ErrorReport) in
                    try .file(file, type: reference.contentType, for: exchange.request)
                }
            case .success: exchange.respond(Self.unexpected)
            case .failure(let error): exchange.respond(error)
            }
        }
    }
}
