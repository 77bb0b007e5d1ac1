import IntentDaemon
import IntentFleet
import IntentHash
import IntentLinux
import IntentProtocol
import IntentSystemd

/// This host's answer to one errand: a message, the contents of a file, and a digest, in parts that the requesting host
/// collects from the database.
///
/// Use an instance only on the loop's thread.
final class ErrandReply {
    private static let patience: Duration = .seconds(30)

    private let errand: Errand
    private let socket: String
    private let database: DatabaseRequests
    private let loop: EventLoop
    private var client: DaemonClient?
    /// The bytes of the answer that have been read but not sent.
    private var bytes: [UInt8] = []
    private var file: SharedFileDescriptor?
    private var offset: Int64 = 0
    private var byteCount: Int64 = 0
    private var hash = SHA256()
    private var isComplete = false
    private var window = ParcelWindow()

    init(_ errand: Errand, socket: String, database: DatabaseRequests, on loop: EventLoop) {
        self.errand = errand
        self.socket = socket
        self.database = database
        self.loop = loop
        window.collected(errand.collected)
    }

    /// Answers with a file that a run receives.
    ///
    /// - Parameter file: nil if this host does not store the file.
    func start(withInput file: SharedFileDescriptor?) {
        guard let file else {
            return refuse(.unknownRun, "the host on which the run was submitted no longer has its files")
        }
        let part = FilePart(run: RunID(fleet: errand.run), references: [], totalCount: 1)
        send(file, after: WireCoding.encode(ClientMessage.answer(id: 2, .files(part))))
    }

    /// Answers with intentd's answer.
    ///
    /// - Parameter run: intentd's identifier for the run; nil if intentd has not accepted the run yet.
    func start(_ run: RunID?) {
        guard let run else {
            return refuse(.busy, "the run has not begun", hint: "try again when the run has begun")
        }
        let user = HostedRun.user(of: errand.owner)
        client = DaemonClient(for: user, socket: socket, files: .kept, within: Self.patience, on: loop) { [weak self] in
            self?.received($0, run)
        }
    }

    /// Sends the next parts after the requesting host has collected earlier parts.
    func collected(_ count: Int) {
        window.collected(count)
        sendParcels()
    }

    private func received(_ event: DaemonClient.Event, _ run: RunID) {
        switch event {
        case .greeted: client?.send(errand.request(about: run))
        case .refused(let error): refuse(error)
        case .ended(let reason): refuse(ErrorReport(.busy, "the host that performed the run: \(reason)"))
        case .received(.answer(_, let answer), let payload):
            let files = client?.takeFiles() ?? []
            client?.close()
            guard case .files = answer, let file = files.first else { return self.answer(payload, nil) }
            send(file, after: payload)
        case .received: break
        }
    }

    private func send(_ file: SharedFileDescriptor, after message: [UInt8]) {
        do {
            byteCount = try File.status(of: file.rawValue).byteCount
            guard byteCount <= ErrandBytes.contentLimit else {
                return refuse(.tooLarge, "the file has \(byteCount) bytes; the limit is \(ErrandBytes.contentLimit)")
            }
            answer(message, file)
        } catch {
            refuse(.historyUnavailable, "cannot read the file on the host: \(error)")
        }
    }

    private func refuse(_ code: ErrorReport.Code, _ message: String, hint: String? = nil) {
        refuse(ErrorReport(code, message, hint: hint))
    }

    private func refuse(_ error: ErrorReport) {
        guard !isComplete, bytes.isEmpty, file == nil else { return }
        client?.close()
        answer(WireCoding.encode(ClientMessage.answer(id: 2, .refused(error))), nil)
    }

    private func answer(_ message: [UInt8], _ file: SharedFileDescriptor?) {
        bytes = ErrandBytes.head(message)
        hash.add(bytes)
        self.file = file
        sendParcels()
    }

    // MARK: Parts

    private func sendParcels() {
        var isSent = false
        while !isComplete, !bytes.isEmpty || file != nil, let number = window.next {
            do {
                try fill()
            } catch {
                // The requesting host stops waiting when no more parts arrive.
                file = nil
                bytes = []
                return
            }
            let part = Parcel(number: number, bytes: Array(bytes.prefix(Parcel.byteLimit)), isLast: isComplete)
            bytes.removeFirst(part.bytes.count)
            isSent = true
            window.sent()
            database.ask(.deliver(errand: errand.id, part)) { _ in }
        }
        if isSent { database.hint(errandsOf: errand.asker) }
    }

    /// Reads the file until the next part is full. At the end of the file, appends the digest if it fits into the part.
    private func fill() throws(SystemError) {
        while bytes.count < Parcel.byteLimit, let file {
            let wanted = min(Int64(Parcel.byteLimit), byteCount - offset)
            let read = wanted > 0 ? try File.read(file.rawValue, upTo: Int(wanted), at: Int(offset)) : []
            guard !read.isEmpty else {
                self.file = nil
                break
            }
            offset += Int64(read.count)
            hash.add(read)
            bytes += read
        }
        guard file == nil, bytes.count + ErrandBytes.digestByteCount <= Parcel.byteLimit else { return }
        bytes += hash.finish()
        isComplete = true
    }
}
