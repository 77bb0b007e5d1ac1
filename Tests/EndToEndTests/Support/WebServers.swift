import Foundation
import Testing

/// Servers on loopback addresses of this host for HTTP on port 80, HTTPS on port 443 and lines on port 7777, which answer
/// with the host that the client named, and count what they receive.
final class WebServers {
    let folder: TemporaryFolder
    private let command: Command

    /// The file with the servers' certificate.
    var certificate: String { folder.appending("certificate.pem").path }

    /// - Parameters:
    ///   - address: An address of 127.0.0.0/8 that no other test uses.
    ///   - names: The names for which the certificate is valid.
    init(on address: String, names: [String]) throws {
        folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let made = try Command(
            URL(filePath: "/usr/bin/openssl"),
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext",
                "subjectAltName=" + names.map { "DNS:\($0)" }.joined(separator: ","), "-keyout",
                folder.appending("key.pem").path, "-out", folder.appending("certificate.pem").path,
            ]
        )
        try #require(made.exitCode() == 0, "\(made.errors)")
        chmod(folder.appending("certificate.pem").path, 0o644)
        command = try Command(URL(filePath: "/usr/bin/python3"), ["-u", "-c", Self.program, address, folder.url.path])
        try eventually("the servers listen; they say: \(command.errors)") { command.output.contains("ready") }
    }

    /// The requests that the servers have received: the method, the path, and the values of their headers for credentials.
    var requests: [String] {
        command.output.split(separator: "\n").filter { $0.hasPrefix("request ") }.map { String($0.dropFirst(8)) }
    }

    /// The lines that the servers have printed: one for each accepted connection.
    var connections: Int { command.output.split(separator: "\n").filter { $0.hasPrefix("connection") }.count }

    private static let program = """
        import http.server, os, socketserver, ssl, sys, threading
        address, folder = sys.argv[1:]
        os.chdir(folder)
        class Page(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def parse_request(self):
                parsed = super().parse_request()
                if parsed: print("request", self.command, self.path, *self.headers.get_all("Authorization", []), flush=True)
                return parsed
            def do_GET(self):
                print("connection", self.path)
                if self.path == "/moved":
                    self.send_response(302)
                    self.send_header("Location", "https://tracker.example/")
                    self.send_header("Content-Length", "0")
                    return self.end_headers()
                if self.path.startswith("/files/"):
                    return http.server.SimpleHTTPRequestHandler.do_GET(self)
                body = ("host " + self.headers.get("Host", "none")).encode()
                if self.path.startswith("/big/"): body = b"x" * int(self.path[5:])
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_POST(self):
                got = 0
                if self.headers.get("Transfer-Encoding") == "chunked":
                    while size := int(self.rfile.readline(), 16): got += len(self.rfile.read(size + 2)) - 2
                    self.rfile.readline()
                else:
                    length = int(self.headers["Content-Length"])
                    got = sum(len(self.rfile.read(min(65536, length - at))) for at in range(0, length, 65536))
                body = str(got).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *words): pass
        class Echo(socketserver.BaseRequestHandler):
            def handle(self):
                print("connection")
                data = b""
                while part := self.request.recv(65536): data += part
                self.request.sendall(b"%d bytes" % len(data))
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
            request_queue_size = 256
        class EchoServer(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
        plain, secure = Server((address, 80), Page), Server((address, 443), Page)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        for server in [plain, secure, EchoServer((address, 7777), Echo)]:
            threading.Thread(target=server.serve_forever).start()
        print("ready")
        """
}
