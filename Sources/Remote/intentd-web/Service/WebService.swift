import CIntentHTTP
import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The service of several users (intentd-web.service): its settings, certificate and tokens.
final class WebService {
    var access: ServiceAccess
    /// Ends slow requests.
    var clock = RequestClock()
    /// The certificate with its chain, and its private key, as PEM with a zero byte at the end; nil behind a proxy.
    let certificate: [CChar]?
    let privateKey: [CChar]?
    private let tokens: String
    /// Fetches the keys of issuers; nil without any.
    let fetcher: KeyFetcher?
    /// Connections with a request that waits for the keys of an issuer.
    private var waiting: [OpaquePointer] = []

    /// The maximum number of connections of one address; 0 for no limit.
    var perAddressCount: UInt32 { certificate == nil ? 0 : WebLimits.addressConnectionCount }

    /// - Throws: ``WebUsageError`` if `[Web]` does not permit the service.
    init(_ arguments: WebArguments, on listener: WebListener) throws {
        var installation = Installation.system(user: nil)
        if !arguments.configuration.isEmpty { installation.configurationFolders = arguments.configuration }
        let settings = installation.daemon(on: .kernel).web
        guard let user = settings.user, !settings.isBroken else {
            throw WebServiceError(
                description: settings.isBroken
                    ? "a line of [Web] of intentd.conf is invalid: see 'intentctl reload'"
                    : "intentd.conf has no User= in [Web], so there is no service"
            )
        }
        guard Accounts.user(user) == getuid() else {
            throw WebServiceError(description: "User= in [Web] names '\(user)', but this process has uid \(getuid())")
        }
        switch (settings.certificate, settings.privateKey) {
        case (let certificate?, let key?):
            self.certificate = try Self.text(at: certificate)
            privateKey = try Self.text(at: key)
        case (nil, nil): (certificate, privateKey) = (nil, nil)
        default: throw WebServiceError(description: "[Web] needs both of Certificate= and PrivateKey=, or none")
        }
        guard certificate != nil || listener.isLocal else {
            throw WebServiceError(
                description: "without Certificate= in [Web], the socket must be on 127.0.0.1, on ::1 or a Unix socket"
            )
        }
        guard settings.issuers.isEmpty || settings.address != nil else {
            throw WebServiceError(description: "[Web] has Issuers=, which needs Resource= or Hosts=")
        }
        access = ServiceAccess(settings)
        tokens = arguments.tokens
        fetcher = settings.issuers.isEmpty ? nil : try KeyFetcher(authorities: arguments.authorities)
    }

    /// Decides about a request. Suspends its connection while the keys of an issuer are being fetched.
    func decide(_ request: WebRequest, from address: String, on connection: OpaquePointer) -> WebAccess.Decision {
        let tokens = ServiceAccess.Tokens(
            own: token,
            isSigned: KeyFetcher.isSigned,
            fetch: { [fetcher] in fetcher?.fetch($0) }
        )
        switch access.decide(request, from: address, at: WebServer.now, Self.time, tokens) {
        case .act(let caller): return .api(caller)
        case .wait:
            waiting.append(connection)
            MHD_suspend_connection(connection)
            return .wait
        case .refuse(let refusal, let reason):
            if case .tooManyRequests = refusal {} else { WebConsole.note("refused a request: \(reason)") }
            return .refuse(refusal)
        }
    }

    /// Notes the keys that have arrived, and resumes the requests that wait for them.
    func keysArrived() {
        for (issuer, result) in fetcher?.outcomes.removeOutcomes() ?? [] {
            let keys = try? result.get()
            access.keys.fetched(keys, of: issuer, at: WebServer.now)
            if case .failure(let problem) = result {
                WebConsole.note("cannot fetch the keys of \(issuer), continuing with earlier ones: \(problem)")
            }
        }
        for connection in waiting { MHD_resume_connection(connection) }
        waiting = []
    }

    /// Does the regular work.
    func review() {
        access.forgetExpired(Self.time)
        access.keys.refresh(at: WebServer.now) { [fetcher] in fetcher?.fetch($0) }
    }

    func isValid(_ caller: APICaller) -> Bool { access.isValid(caller, Self.time, token: token) }

    private static func text(at path: String) throws(SystemError) -> [CChar] {
        try File.bytes(at: path).map { CChar(bitPattern: $0) } + [0]
    }

    /// Reads a token, for each request, so that a revoked token is refused at once.
    func token(_ name: String) -> WebToken? {
        // A missing or damaged file permits nothing.
        guard let bytes = try? File.bytes(at: "\(tokens)/\(name)\(WebToken.suffix)", limit: 64 << 10) else {
            return nil
        }
        return try? WireCoding.decodeFile(WebToken.self, from: bytes)
    }

    static var time: Timestamp { Timestamp(millisecondsSince1970: ClockReading.realtimeNanoseconds() / 1_000_000) }
}

/// A reason why the service does not start, which the operator must correct.
struct WebServiceError: Error, CustomStringConvertible {
    let description: String
}

extension WebServer {
    /// Decides about a request to the service, or to the server of one user.
    func decide(_ request: WebRequest, on connection: OpaquePointer) -> WebAccess.Decision {
        if WebRequest.hasAmbiguousLength(fields(of: connection, .HEADER_KIND)) { return .refuse(.ambiguousLength) }
        guard let service else { return access.decide(request, at: Self.now) }
        return service.decide(request, from: address(of: connection, of: service), on: connection)
    }

    /// The address of the client. Behind a proxy on this host, it is the last one of `X-Forwarded-For`, which the proxy
    /// has added.
    private func address(of connection: OpaquePointer, of service: WebService) -> String {
        let forwarded = MHD_lookup_connection_value(connection, .HEADER_KIND, "X-Forwarded-For").map {
            String(foreign: $0)
        }
        if service.certificate == nil, let last = forwarded?.split(scalar: ",").last {
            return String(last.prefix(scalars: 60))
        }
        guard let info = cmicrohttpd_address(connection) else { return "" }
        var storage = sockaddr_storage()
        let size =
            info.pointee.sa_family == sa_family_t(AF_INET)
            ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        memcpy(&storage, info, size)
        return ClientAddress(storage).text
    }

    /// A connection waits for a request, or no longer.
    func changed(_ connection: OpaquePointer?, isWaiting: Bool) {
        if isWaiting { service?.clock.begin(connection, at: Self.now) } else { service?.clock.end(connection) }
    }

    /// Ends streams of tokens that were revoked or have expired, and closes unused connections to intentd.
    func startService() throws(SystemError) {
        if let fetcher = service?.fetcher {
            sources.append(
                try loop.descriptor(fetcher.outcomes.counter.rawValue, [.readable]) { [weak self] _ in
                    self?.service?.keysArrived()
                    self?.serveSoon()
                }
            )
            service?.review()
        }
        ServiceNotification.ready.send()
        try armReview()
    }

    private func armReview() throws(SystemError) {
        let instant = ClockReading.monotonicNanoseconds() + 1_000_000_000
        let timer = try loop.timer(atNanoseconds: instant) { [weak self] in
            guard let self, let service else { return }
            service.review()
            api.review(isPermitted: service.isValid)
            for connection in service.clock.overdue(at: Self.now) {
                _ = shutdown(cmicrohttpd_descriptor(connection), Int32(SHUT_RDWR))
            }
            do throws(SystemError) {
                try armReview()
            } catch {
                loop.exit(1)
            }
        }
        review = timer
    }
}
