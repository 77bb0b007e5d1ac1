import CIntentJOSE
import IntentLinux
import IntentProtocol

/// Fetches the keys of issuers.
final class KeyFetcher: Sendable {
    /// The keys of an issuer, or the reason why they could not be fetched.
    typealias Outcome = (issuer: String, keys: Result<[IssuerKey], FetchProblem>)

    let outcomes: Background<Outcome>
    private let authorities: String?

    /// - Parameter authorities: A file with the certificates of authorities; nil for the certificates of the system.
    init(authorities: String?) throws(SystemError) {
        self.authorities = authorities
        outcomes = try Background()
    }

    /// Begins to fetch. ``IssuerKeys`` permits one fetch of an issuer at a time.
    func fetch(_ issuer: String) {
        do throws(SystemError) {
            try outcomes.start { [self] in
                do throws(FetchProblem) {
                    return (issuer, .success(try keys(of: issuer)))
                } catch {
                    return (issuer, .failure(error))
                }
            }
        } catch {
            outcomes.add((issuer, .failure(FetchProblem(description: "\(error)"))))
        }
    }

    private func keys(of issuer: String) throws(FetchProblem) -> [IssuerKey] {
        var address: String?
        var problem = FetchProblem(description: "")
        for place in IssuerKey.descriptions(of: issuer) where address == nil {
            do throws(FetchProblem) {
                address = IssuerKey.address(in: try document(at: place), of: issuer)
                problem = FetchProblem(description: "\(place) has no jwks_uri with https, or describes another issuer")
            } catch {
                problem = error
            }
        }
        guard let address else { throw problem }
        guard let keys = IssuerKey.keys(in: try document(at: address)), !keys.isEmpty else {
            throw FetchProblem(description: "\(address) has no keys for RSA or ECDSA signatures")
        }
        return keys
    }

    private func document(at address: String) throws(FetchProblem) -> [UInt8] {
        let response: HTTPRequest.Response
        do throws(FetchProblem) {
            response = try HTTPRequest.send(
                to: address,
                protocols: "https",
                authorities: authorities,
                limit: IssuerKey.documentByteLimit
            )
        } catch {
            throw FetchProblem(description: "\(address): \(error)")
        }
        guard response.status == 200 else { throw FetchProblem(description: "\(address): status \(response.status)") }
        return response.body
    }

    /// Returns true if the token was signed with the key.
    static func isSigned(_ token: AccessToken, by key: IssuerKey) -> Bool {
        cjose_is_signed(token.text, token.text.utf8.count, token.algorithm, key.text, key.text.utf8.count)
    }
}
