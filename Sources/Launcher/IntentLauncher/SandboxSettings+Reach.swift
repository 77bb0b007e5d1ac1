import IntentConfiguration
import IntentLauncherMessages
import IntentSandbox

extension SandboxSettings {
    /// The ports and addresses of `AllowHosts=` and `Credential=` for the sandbox's network namespace; nil without any, and for an app that
    /// uses the host's network.
    var reach: NetworkReach? {
        guard !network, !hosts.isEmpty else { return nil }
        let addresses = hosts.compactMap { grant -> [UInt8]? in
            guard case .address(let address) = grant.host else { return nil }
            return address.array
        }
        return NetworkReach(ports: Set(hosts.flatMap(\.ports)).sorted(), addresses: Array(Set(addresses)))
    }
}
