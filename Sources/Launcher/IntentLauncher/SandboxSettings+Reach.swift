import IntentConfiguration
import IntentLauncherMessages
import IntentSandbox

extension SandboxSettings {
    /// The ports and addresses of `AllowHosts=` for the sandbox's network namespace; nil without any, and for an app that
    /// uses the host's network.
    var reach: NetworkReach? {
        guard !network, !allowHosts.isEmpty else { return nil }
        let addresses = allowHosts.compactMap { grant -> [UInt8]? in
            guard case .address(let address) = grant.host else { return nil }
            return address.array
        }
        return NetworkReach(ports: Set(allowHosts.map(\.port)).sorted(), addresses: Array(Set(addresses)))
    }
}
