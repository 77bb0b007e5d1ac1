import IntentConfiguration
import Testing

@Suite struct SystemLinksTests {
    private let links = [
        "/var/run": "/run", "/var/lock": "../run/lock", "/bin": "usr/bin", "/dev/video": "v4l/one",
        "/dev/v4l/one": "../video0",
        "/srv/in": "/etc", "/home/ada/in": "/etc", "/dev/shm/in": "/etc", "/var/lib/in": "/etc", "/run/loop": "loop",
    ]

    @Test(arguments: [
        ("/var/run/db/socket", "/run/db/socket"), ("/var/lock", "/run/lock"), ("/bin/sh", "/usr/bin/sh"),
        ("/dev/video", "/dev/video0"), ("/srv/in/x", "/srv/in/x"), ("/home/ada/in", "/home/ada/in"),
        ("/dev/shm/in", "/dev/shm/in"), ("/var/lib/in/x", "/var/lib/in/x"), ("/run/loop/x", "/run/loop/x"),
    ])
    func `only links in folders where only root can create files are resolved`(path: String, resolved: String) {
        let disk = DiskView(facts: { _ in nil }, bytes: { _ in nil }, names: { _ in [] }, link: { links[$0] })
        #expect(SystemLinks.resolve(path, on: disk) == resolved)
    }
}
