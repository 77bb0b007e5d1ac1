import Foundation
package import IntentLinux
package import IntentSharedTypes
import IntentWorkerMessages

/// Encodes and decodes values of an app's types outside the app's worker.
extension _IntentValue {
    /// Returns the encoded value with the descriptors of its files.
    ///
    /// - Parameter directory: A folder for the files that are sent by path.
    package func encodedForSending(in directory: String) throws -> (IntentValue, [SharedFileDescriptor]) {
        var outgoing = OutgoingFiles(directory: directory)
        do {
            let value = try Self._intentValueCoding.encode(self, &outgoing)
            return (value, try outgoing.readOnlyDescriptors())
        } catch let invalid as InvalidValue {
            throw RunError("the value \(invalid.text)")
        }
    }

    /// Decodes a received value.
    package static func decoded(from value: IntentValue, files: [SharedFileDescriptor] = []) throws -> Self {
        guard _intentValueCoding.resolve == nil else {
            throw RunError("only the app's query can look up an entity: decode its identifier instead")
        }
        do {
            return try _intentValueCoding.decode(value, IncomingFiles(files))
        } catch let invalid as InvalidValue {
            throw RunError("the value \(invalid.text)")
        }
    }
}

extension OutgoingFiles {
    /// Opens the files as a client passes them: read-only, each with its own offset.
    func readOnlyDescriptors() throws -> [SharedFileDescriptor] {
        var memory = descriptors.makeIterator()
        return try files.map { file throws(SystemError) -> SharedFileDescriptor in
            switch file {
            case .path(let path): SharedFileDescriptor(try File.open("\(directory ?? ".")/\(path)"))
            case .memory: SharedFileDescriptor(try File.open("/proc/self/fd/\(memory.next()?.rawValue ?? -1)"))
            }
        }
    }
}
