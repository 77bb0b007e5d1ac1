import IntentFleet
import IntentProtocol
import Testing

/// The expiry of certificates that openssl(1ssl) created.
@Suite struct CertificateTests {
    /// Valid until Feb 29 12:34:56 2028 GMT, as UTCTime.
    private let short = """
        -----BEGIN CERTIFICATE-----
        MIIBpDCCAUqgAwIBAgIUFNcxzGEcl6r+gCORq/uI7pFH2gswCgYIKoZIzj0EAwIw
        HjEcMBoGA1UEAwwTaW50ZW50ZCBmbGVldCBmbGVldDAeFw0yNjAxMDEwMDAwMDBa
        Fw0yODAyMjkxMjM0NTZaMA8xDTALBgNVBAMMBHdlYjEwWTATBgcqhkjOPQIBBggq
        hkjOPQMBBwNCAAT33383HfRExYWthz5XqKar5YjmO57dqzV2ZGSc4EMZaoKpsTRy
        bshhYWepWDcIKZNDH3yyQckFMIy+Ixtr+s2Lo3UwczAMBgNVHRMBAf8EAjAAMA4G
        A1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDAjAdBgNVHQ4EFgQUo6sP
        ODPnvexLa+6BEnXZYnydBN8wHwYDVR0jBBgwFoAUHW8sBkzW1F+wSUd3QJBpUUAI
        byMwCgYIKoZIzj0EAwIDSAAwRQIhANcl6BiK4f24OWqIZ54VvMDs5ldkn32QnpnH
        6vWVhMsqAiA5jQT8TacG0DSLa7OvU7BacZbRW7FJhjbaBb2G/tXIhQ==
        -----END CERTIFICATE-----
        """

    /// Valid until Dec 31 23:59:59 2055 GMT, as GeneralizedTime.
    private let long = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAUygAwIBAgIUFHoHVKD88kGDdr12lNUtCUF5wBAwCgYIKoZIzj0EAwIw
        HjEcMBoGA1UEAwwTaW50ZW50ZCBmbGVldCBmbGVldDAgFw0yNjAxMDEwMDAwMDBa
        GA8yMDU1MTIzMTIzNTk1OVowDzENMAsGA1UEAwwEd2ViMTBZMBMGByqGSM49AgEG
        CCqGSM49AwEHA0IABPfffzcd9ETFha2HPleopqvliOY7nt2rNXZkZJzgQxlqgqmx
        NHJuyGFhZ6lYNwgpk0MffLJByQUwjL4jG2v6zYujdTBzMAwGA1UdEwEB/wQCMAAw
        DgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMCMB0GA1UdDgQWBBSj
        qw84M+e97Etr7oESddlifJ0E3zAfBgNVHSMEGDAWgBQdbywGTNbUX7BJR3dAkGlR
        QAhvIzAKBggqhkjOPQQDAgNJADBGAiEA1dR7U/Mj/8VB4naNIfxXciBK8PcTkgq6
        2EJyDFZ6FpcCIQD4ZBCnEMGqJwvByMos/h3LXgQvr3ef+rhez4mC/B+/Cg==
        -----END CERTIFICATE-----
        """

    @Test func `the expiry of the first certificate is read, with years of two and of four digits`() {
        #expect(Certificate.expiry(ofPEM: short)?.millisecondsSince1970 == 1_835_440_496_000)
        #expect(Certificate.expiry(ofPEM: "web1\n\(long)\n\(short)")?.millisecondsSince1970 == 2_713_910_399_000)
    }

    @Test func `a malformed certificate has no expiry`() {
        let lines = short.split(separator: "\n")
        for count in 0..<lines.count - 9 {
            #expect(Certificate.expiry(ofPEM: lines.prefix(count).joined(separator: "\n")) == nil, "\(count) lines")
        }
        #expect(Certificate.expiry(ofPEM: short.replacing("MIIB", with: "MIIZ")) == nil)
        #expect(Certificate.expiry(ofPEM: short.replacing("MIIB", with: "M-IB")) == nil)
    }
}
