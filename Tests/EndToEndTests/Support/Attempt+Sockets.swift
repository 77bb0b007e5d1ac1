extension Attempt {
    private static let otherFamilies = [
        "raw", "ping", "sctp", "mptcp", "packet", "netlink", "netlink audit", "vsock", "algorithms", "bluetooth",
        "unix datagrams", "unix packets",
    ]

    static let sockets =
        refused("EPERM", "socket", otherFamilies + ["tcp", "tcp 6", "udp", "unix"])
        + refused("EPERM", in: .network, "socket", otherFamilies + ["unix"])
        + refused("EPERM", in: .ports, "socket", otherFamilies + ["unix"])
        + refused("EPERM", in: .socket, "socket", otherFamilies)
        + refused("EPERM", in: .subprocesses, "socket", ["tcp", "unix", "netlink"])
        + refused("EPERM", "connect", ["{port}"]) + refused("EPERM", "bind", ["0"]) + refused("EPERM", "listen")
        + refused("EPERM", "unix connect", ["{abstract}", "{socket}", "/run/systemd/notify"])
        // A socket of a pair stays connected to its peer.
        + refused("EISCONN|EPERM|ENOENT|ECONNREFUSED", "pair connect", ["{abstract}", "{socket}"])
        + refused("EINVAL|EPERM", "pair listen", ["@attacker"])
        + refused("EPERM", "pair of datagrams", ["{abstract}"])
        + refused("EISCONN|EINVAL|ENOENT|ECONNREFUSED|EPERM", "own socket", ["{abstract}", "{socket}"])
        + refused("EPERM|EINVAL", "credentials", ["1", "2"])
        // The granted sockets connect, which proves that the host listens. The others do not.
        + done("done", in: .network, "connect", "{port}")
        + done("done", in: .socket, "unix connect", "{folder}/granted.sock")
        + refused(
            "ENOENT",
            in: .socket,
            "unix connect",
            ["{folder}/refused.sock", "{socket}", "/run/dbus/system_bus_socket"]
        )
        + refused("EPERM", in: .socket, "unix connect", ["{abstract}"])
        + refused("EISCONN|EPERM", in: .network, "pair connect", ["{abstract}"])
        + refused("EACCES", in: .ports, "connect", ["{port}"])
        + refused("EACCES", in: .ports, "bind", ["0"])
        // TCP fast open connects without a hook that Landlock checks.
        + refused("EACCES|EPERM", in: .ports, "fast open", ["{port}"])
        + refused("EACCES|EPERM", in: .ports, "fast open by sendmsg", ["{port}"])
        + refused("EACCES|EPERM", in: .ports, "fast open by sendmmsg", ["{port}"])
        + refused("EACCES|EPERM", in: .ports, "listen")
}
