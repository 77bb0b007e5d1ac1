"""The machine of Tests/fleet-loop: network namespaces, certificates, two database servers and the hosts."""
import glob, os, pwd, random, shutil, signal, subprocess, tempfile, time

LEASE = 3
PATIENCE = 120
APP = """\
[App]
Description=Numbers

[Intent Square]
Title=Square a number
Exec=/bin/sh -c 'sleep 0.05; expr "$1" "*" "$1"' sh %{number}
Result=text

[Intent Square.Parameter number]
Type=integer

[Intent Once]
Title=Square a number once
Exec=/bin/sh -c 'sleep 0.05; expr "$1" "*" "$1"' sh %{number}
Result=text

[Intent Once.Parameter number]
Type=integer

[Intent Read]
Title=Square the number in a file
Exec=/bin/sh -c 'sleep 0.05; n=$(cat "$1"); expr "$n" "*" "$n"' sh %{file}
Result=text

[Intent Read.Parameter file]
Type=file
"""
UNIT = "[App]\nState=no\n[Fleet]\nFleet=retryable\n[Limits]\nRetry=19\n[Intent Once]\nFleet=once\n"


def run(*words, check=True, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr}{done.stdout}")
    return done.stdout.strip() if check else done


def wait(what, condition, seconds=PATIENCE):
    end, problem = time.monotonic() + seconds, ""
    while True:
        try:
            if condition():
                return
        except (RuntimeError, OSError) as error:
            problem = f" ({error})"
        if time.monotonic() > end:
            raise RuntimeError(f"waited in vain for {what}{problem}")
        time.sleep(0.05)


def write(path, text, mode=0o644, owner=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)
    if owner:
        os.chown(path, owner.pw_uid, owner.pw_gid)


# Connects a TCP port of a host to a Unix socket.
FORWARDER = """
import asyncio, sys
async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
async def serve(reader, writer):
    try:
        other = await asyncio.open_unix_connection(sys.argv[2])
    except OSError:
        return writer.close()
    await asyncio.gather(copy(reader, other[1]), copy(other[0], writer))
async def main():
    await (await asyncio.start_server(serve, sys.argv[1], 7000)).serve_forever()
asyncio.run(main())
"""


class Machine:
    """The network, the database and the hosts of a fleet on this machine."""

    def __init__(self, programs, host_count, ended_count):
        self.programs, self.ended_count = programs, ended_count
        self.hosts = [f"web{number}" for number in range(1, host_count + 1)]
        self.tools = os.path.dirname(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))[-1])
        self.user = pwd.getpwnam("postgres")
        self.folder = tempfile.mkdtemp(prefix="intentd-fleet-loop.", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.processes, self.mounts, self.spaces = {}, [], []
        self.primary, self.standby = "a", "b"
        self.net = f"10.{random.randrange(64, 128)}.{random.randrange(256)}"

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def as_postgres(self, *words, **more):
        return run("setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups", "--reset-env",
                   *words, cwd="/", **more)

    # Namespaces: the database and the pooler are in the machine's own, each host in another.

    def make_network(self):
        self.bridge = f"fl{os.getpid() % 100000}"
        run("ip", "link", "add", self.bridge, "type", "bridge")
        for last in (1, 2):
            run("ip", "address", "add", f"{self.net}.{last}/24", "dev", self.bridge)
        run("ip", "link", "set", self.bridge, "up")
        for space in self.hosts + ["client"]:
            run("ip", "netns", "add", self.space(space))
            self.spaces.append(self.space(space))
            run("ip", "link", "add", self.link(space), "type", "veth", "peer", "name", "eth0", "netns", self.space(space))
            run("ip", "link", "set", self.link(space), "master", self.bridge, "up")
            for words in [["link", "set", "lo", "up"], ["address", "add", f"{self.host_address(space)}/24", "dev", "eth0"],
                          ["link", "set", "eth0", "up"]]:
                run("ip", "-n", self.space(space), *words)

    def space(self, name):
        return f"{self.bridge}-{name}"

    def number(self, name):
        return len(self.hosts) if name == "client" else self.hosts.index(name)

    def link(self, name):
        return f"{self.bridge}{self.number(name)}"

    def host_address(self, name):
        return f"{self.net}.{10 + self.number(name)}"

    def cut(self, name, is_cut):
        """Cuts a host, or the client, off from everything."""
        run("ip", "link", "set", self.link(name), "down" if is_cut else "up")

    def cut_between(self, one, other, is_cut):
        """Cuts two hosts off from each other. Both still reach the database and the client."""
        for space, peer in [(one, other), (other, one)]:
            run("ip", "-n", self.space(space), "route", "add" if is_cut else "del", "blackhole", f"{self.host_address(peer)}/32")

    def make_clock(self):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
        run(shutil.which("clang") or "cc", "-shared", "-fPIC", "-O1", "-o", self.path("clock.so"), source)

    # Certificates

    def make_certificates(self):
        def authority(name):
            run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout",
                self.path(f"{name}.key"), "-out", self.path(f"{name}.crt"))

        def certificate(file, subject, ca="ca", days="2", more=()):
            run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={subject}", "-keyout", self.path(f"{file}.key"),
                "-out", self.path(f"{file}.csr"))
            run("openssl", "x509", "-req", "-in", self.path(f"{file}.csr"), "-CA", self.path(f"{ca}.crt"), "-CAkey",
                self.path(f"{ca}.key"), "-CAcreateserial", "-days", days, "-out", self.path(f"{file}.crt"), *more)
            os.chown(self.path(f"{file}.key"), self.user.pw_uid, self.user.pw_gid)
            os.chmod(self.path(f"{file}.key"), 0o600)

        authority("ca")
        authority("foreign-ca")
        certificate("server", "db1")
        for host in self.hosts:
            certificate(host, host)
        certificate("foreign", "web1", ca="foreign-ca")
        certificate("expired", "web1", days="-1")

    def connection(self, role, address, port=5432, file=None, ca="ca"):
        file = file or role
        return (f"hostaddr={address} host=db1 port={port} dbname=fleet user={role} sslmode=verify-full "
                f"sslrootcert={self.path(ca + '.crt')} sslcert={self.path(file + '.crt')} sslkey={self.path(file + '.key')}")

    def try_certificates(self):
        address = self.address(self.primary)
        for name, connection, is_good in [
            ("its own certificate", self.connection("web1", address), True),
            ("another host's certificate", self.connection("web1", address, file="web2"), False),
            ("a certificate of another authority", self.connection("web1", address, file="foreign"), False),
            ("an expired certificate", self.connection("web1", address, file="expired"), False),
            ("a server of another authority", self.connection("web1", address, ca="foreign-ca"), False),
        ]:
            # From a host's address: the pooler's own is trusted.
            done = run("ip", "netns", "exec", f"{self.bridge}-web1", "setpriv", f"--reuid={self.user.pw_uid}",
                       f"--regid={self.user.pw_gid}", "--clear-groups", "--reset-env", "psql", "-XqAt", "-d", connection, "-c",
                       "select 1", cwd="/", check=False)
            if (done.returncode == 0) != is_good:
                raise RuntimeError(f"{name}: expected {'success' if is_good else 'a refusal'}: {done.stdout}{done.stderr}")
            print(f"{name}: {'accepted' if is_good else 'refused'}", flush=True)

    # The database

    def address(self, server):
        return f"{self.net}.{1 if server == 'a' else 2}"

    def make_server(self):
        for server in "ab":
            # A file system of its own, which a round fills.
            os.makedirs(self.path(server))
            run("mount", "-t", "tmpfs", "-o", f"size={400 + self.ended_count // 1000}m,uid={self.user.pw_uid},gid={self.user.pw_gid},mode=700", "tmpfs",
                self.path(server))
            self.mounts.append(self.path(server))
        self.as_postgres(f"{self.tools}/initdb", "-D", self.path("a/data"), "-A", "trust", "-U", "admin", "--no-sync")
        write(self.path("a/data/pg_hba.conf"), f"local all all trust\nlocal replication all trust\nhost fleet +fleet_node {self.net}.0/30 trust\n"
              f"hostssl fleet +fleet_node {self.net}.0/24 cert\n", owner=self.user)
        self.start_server("a")
        self.as_postgres("createdb", "-h", self.path("a"), "-U", "admin", "fleet")
        self.fleet("init")
        for host in self.hosts:
            self.fleet("add-host", host)
        self.add_ended_runs()
        self.make_standby()

    def add_ended_runs(self):
        """Fills the history as if the fleet had performed these runs before, over the days that have partitions."""
        if self.ended_count:
            self.query(f"""insert into fleet.history (id, owner, intent, args, state, result, node, attempt, submitted, started, finished)
                select -n, 'old' || n % 100 || '@web1', 'old/Run', '{{"values": {{}}}}', 'done', '{{"outcome": {{"kind": "done"}}}}', 'web1', 1,
                t, t, t from generate_series(1, {self.ended_count}) n, lateral (select now() - n % 2 * interval '1 s' t) at;
                insert into fleet.receipt (owner, key, run, digest) select 'old' || n % 100 || '@web1', 'key ' || n, -n,
                sha256(n::text::bytea) from generate_series(1, {self.ended_count}) n; analyze fleet.history; analyze fleet.receipt""", 600)
            print(f"ended runs in the history: {self.query('select count(*) from fleet.history')}", flush=True)

    def start_server(self, server):
        options = (f"-c listen_addresses={self.address(server)} -k {self.path(server)} -c wal_retrieve_retry_interval=200ms "
                   f"-c ssl=on -c ssl_cert_file={self.path('server.crt')} -c ssl_key_file={self.path('server.key')} "
                   f"-c ssl_ca_file={self.path('ca.crt')} -c max_wal_size=64MB -c min_wal_size=32MB -c wal_keep_size=48MB "
                   f"-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_user_timeout=4000")
        self.as_postgres(f"{self.tools}/pg_ctl", "-D", self.path(server, "data"), "-w", "-l", self.path(server, "log"), "-o",
                         options, "start", stdin=subprocess.DEVNULL)

    def make_standby(self):
        shutil.rmtree(self.path(self.standby, "data"), ignore_errors=True)
        self.as_postgres(f"{self.tools}/pg_basebackup", "-h", self.path(self.primary), "-U", "admin", "-D",
                         self.path(self.standby, "data"), "-R", "-c", "fast", "--no-sync")
        # The processes of a killed server hold its address for a moment.
        wait("the standby", lambda: self.start_server(self.standby) or True, 30)
        self.query("alter system set synchronous_standby_names = '*'")
        self.query("select pg_reload_conf()")
        wait("a synchronous standby", lambda: self.query("select sync_state from pg_stat_replication") == "sync")

    def query(self, statement, timeout=60):
        return self.as_postgres("psql", "-XqAt", "-h", self.path(self.primary), "-U", "admin", "-d", "fleet", "-c", statement,
                                timeout=timeout)

    def server_processes(self, server):
        with open(self.path(server, "data", "postmaster.pid")) as file:
            postmaster = int(file.readline())
        with open(f"/proc/{postmaster}/task/{postmaster}/children") as file:
            return [postmaster] + [int(child) for child in file.read().split()]

    def signal_server(self, server, number):
        for process in self.server_processes(server):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def fail_over(self, freezes):
        if freezes:
            self.signal_server(self.primary, signal.SIGSTOP)
        else:
            self.signal_server(self.primary, signal.SIGKILL)
        old, new = self.primary, self.standby
        self.as_postgres(f"{self.tools}/pg_ctl", "-D", self.path(new, "data"), "-w", "promote")
        self.primary, self.standby = new, old
        wait("the promoted server", lambda: self.query("select pg_is_in_recovery()") == "f")
        self.query("alter system reset synchronous_standby_names")
        self.query("select pg_reload_conf()")
        if "pgbouncer" in self.processes:
            self.write_pooler()
            self.processes["pgbouncer"].send_signal(signal.SIGHUP)
        time.sleep(random.uniform(0, 2))
        if freezes:
            # Fenced: a former primary that continues would be a second queue.
            self.signal_server(old, signal.SIGKILL)
        self.make_standby()

    def fleet(self, *words):
        environment = dict(os.environ, INTENTD_FLEET_DATABASE=f"host={self.path(self.primary)} dbname=fleet user=admin")
        return run(f"{self.programs}/intentctl", "fleet", *words, env=environment)

    # Processes

    def start(self, name, *words, space=None, variables=()):
        log = open(self.path(f"{name}.log"), "a")
        prefix = ["ip", "netns", "exec", self.space(space)] if space else []
        prefix += ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        prefix += ["env", *variables]
        self.processes[name] = subprocess.Popen(prefix + list(words), stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
        log.close()

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def start_pooler(self):
        program = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            print("without a pooler: pgbouncer is not installed", flush=True)
            return False
        self.write_pooler()
        self.start("pgbouncer", program, self.path("pgbouncer.ini"))
        return True

    def write_pooler(self):
        """A pooler must know the primary: it would reuse a connection to a standby for every client."""
        users = "".join(f'"{host}" ""\n' for host in self.hosts)
        write(self.path("users"), users, owner=self.user)
        write(self.path("pgbouncer.ini"), f"""\
[databases]
fleet = host={self.address(self.primary)} port=5432
[pgbouncer]
listen_addr = {self.net}.1
listen_port = 6432
pool_mode = session
auth_type = cert
auth_file = {self.path('users')}
client_tls_sslmode = verify-full
client_tls_ca_file = {self.path('ca.crt')}
client_tls_cert_file = {self.path('server.crt')}
client_tls_key_file = {self.path('server.key')}
ignore_startup_parameters = extra_float_digits
server_login_retry = 0.2
server_connect_timeout = 2
query_wait_timeout = 3
unix_socket_dir =
""", owner=self.user)

    def make_host(self, host, is_pooled):
        own = self.path(host)
        write(f"{own}/commands/numbers.intents", APP)
        write(f"{own}/units/numbers.conf", UNIT)
        write(f"{own}/etc/intentd.conf", f"[Fleet]\nUser={self.user.pw_uid}\n[Limits]\nMaxRunsPerUser=16\n")
        for folder in ["apps", "state", "cache", "ends"]:
            os.makedirs(f"{own}/{folder}", exist_ok=True)
            os.chown(f"{own}/{folder}", self.user.pw_uid, self.user.pw_gid)
        run("mount", "-t", "tmpfs", "-o", f"size=4m,uid={self.user.pw_uid},gid={self.user.pw_gid},mode=700", "tmpfs", f"{own}/ends")
        self.mounts.append(f"{own}/ends")
        addresses = [(self.net + ".1", 6432)] if is_pooled else [(self.address(server), 5432) for server in "ab"]
        databases = "".join(f"Database={self.connection(host, address, port)}\n" for address, port in addresses)
        write(f"{own}/fleet.conf", f"[Fleet]\nName={host}\n{databases}Slots=4\nLease={LEASE}s\n")
        os.chown(own, self.user.pw_uid, self.user.pw_gid)
        self.start_intentd(host)
        self.set_clock(host, 0)
        self.start_service(host)
        # A client on another machine reaches the socket of the service through a port.
        self.start(f"{host}-port", "python3", "-c", FORWARDER, self.host_address(host), f"{own}/fleet.sock", space=host)

    def set_clock(self, host, seconds):
        """Sets the wall clock of a host's service. Its monotonic clock is the machine's."""
        write(self.path(host, "clock"), f"{seconds:+d}\n")

    def start_intentd(self, host):
        own = self.path(host)
        self.start(f"{host}-intentd", f"{self.programs}/intentd", "--socket", f"{own}/intentd.sock", "--state", f"{own}/state",
                   "--apps", f"{own}/apps", "--units", f"{own}/units", "--commands", f"{own}/commands", "--configuration",
                   f"{own}/etc", "--cache", f"{own}/cache", space=host)

    def start_service(self, host):
        own = self.path(host)
        self.start(f"{host}-fleet", f"{self.programs}/intentd-fleet", "--configuration", f"{own}/fleet.conf", "--intentd-socket",
                   f"{own}/intentd.sock", "--socket", f"{own}/fleet.sock", "--state", f"{own}/ends",
                   space=host, variables=[f"LD_PRELOAD={self.path('clock.so')}", f"CLOCK_OFFSET_FILE={own}/clock"])

    def end(self):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for server in "ab":
            try:
                self.signal_server(server, signal.SIGKILL)
            except OSError:
                pass
        for mount in reversed(self.mounts):
            for _ in range(50):
                if subprocess.run(["umount", mount], capture_output=True).returncode == 0:
                    break
                time.sleep(0.1)
        for space in self.spaces:
            subprocess.run(["ip", "netns", "delete", space], capture_output=True)
        if hasattr(self, "bridge"):
            subprocess.run(["ip", "link", "delete", self.bridge], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)
