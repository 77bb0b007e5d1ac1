"""The clients of Tests/fleet-loop, and the verdict about their runs."""
import collections, ctypes, glob, json, math, os, re, secrets, socket, sys, tempfile, threading, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "clients"))
from intentd_client import Client, Refused
from machine import PATIENCE, wait


class RemoteClient(Client):
    """A client in a network namespace of its own, which reaches a host by TCP."""

    def __init__(self, space, address):
        with open(f"/run/netns/{space}") as file:
            # Only this thread enters the namespace.
            if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0x40000000):
                raise OSError(ctypes.get_errno(), "setns")
        self.socket = socket.create_connection((address, 7000), timeout=5)
        self.buffer, self.descriptors, self.last_id = b"", [], 0
        self.ask("hello", protocolVersion=1, software="fleet-loop")


class Load(threading.Thread):
    """Submits runs one after the other on a host, and repeats each with its key until it is accepted."""

    def __init__(self, fleet, host, first, stop, is_remote=False):
        super().__init__(daemon=True)
        self.fleet, self.host, self.number, self.stop, self.is_remote = fleet, host, first, stop, is_remote
        self.accepted, self.problems = {}, []

    def connect(self):
        if self.is_remote:
            return RemoteClient(self.fleet.space("client"), self.fleet.host_address(self.host))
        client = Client(self.fleet.path(self.host, "fleet.sock"))
        client.socket.settimeout(30)
        return client

    def ask(self, client, intent):
        """Submits a run. The number is in a file if the intent reads one; files cannot be passed by TCP."""
        fields = {"request": secrets.token_hex(16), "app": "numbers", "intent": intent, "onDisconnect": "continue",
                  "key": f"number {self.number}"}
        if intent != "Read":
            return client.ask("perform", files=0, values={"number": self.number}, **fields)
        with tempfile.TemporaryFile() as file:
            file.write(str(self.number).encode())
            file.flush()
            with open(f"/proc/self/fd/{file.fileno()}", "rb") as reading:
                value = {"file": {"index": 0, "name": str(self.number)}}
                return client.ask("perform", attached=[reading], files=1, values={"file": value}, **fields)

    def run(self):
        client = None
        while not self.stop.is_set():
            intent = "Once" if self.number % 4 == 0 else "Read" if self.number % 4 == 1 and not self.is_remote else "Square"
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    client = client or self.connect()
                    answer = self.ask(client, intent)
                    self.accepted[self.number] = (intent, answer["run"])
                    break
                except (OSError, Refused, ValueError) as error:
                    client = None
                    if time.monotonic() > end:
                        self.problems.append(f"{self.host} {self.number}: {error}")
                        return
                    time.sleep(0.1)
            self.number += 1
            time.sleep(0.02)


def judge(fleet, loads):
    """Returns the counts of the verdict, after every run has ended."""
    accepted = {number: given for load in loads for number, given in load.accepted.items()}
    try:
        # A slow machine needs longer for the runs that are queued, so the limit is for the next end.
        left = math.inf
        while left:
            before = left

            def has_ended():
                nonlocal left
                left = int(fleet.query("select count(*) from fleet.run"))
                return left < before

            wait("the end of all runs", has_ended)
    except RuntimeError:
        print("runs that have not ended, and hosts:")
        print(fleet.query("select (r).* from (select r from fleet.run r order by id limit 20) x"))
        print(fleet.query("select name, epoch, free, seen, clock_timestamp() - seen, lease, draining, intents from fleet.node"))
        raise
    rows = json.loads(fleet.query(
        "select coalesce(json_agg(json_build_array(id, coalesce(args #>> '{values,number}', args #>> '{values,file,file,name}'), intent, state, reason, result #>> "
        "'{outcome,value}', attempt, result #>> '{outcome,kind}', result #>> '{outcome,message}')), '[]') from fleet.history "
        "where intent like 'numbers/%'"))
    by_number = collections.defaultdict(list)
    for row in rows:
        by_number[int(row[1])].append(row)
    lost = doubled = host_lost = 0
    for number, (intent, _) in accepted.items():
        found = by_number[number]
        doubled += max(0, len(found) - 1)
        good = [row for row in found if row[3] == "done" and row[5] == str(number * number)]
        # A run that may be performed once is not repeated, and its owner is told. So is the owner of a run that intentd lost:
        # the launcher of a private intentd ends with it.
        # A run is not started, and its owner is told, if the host with its file was cut off.
        told = [row for row in found if intent == "Once" and row[4] == "hostLost" or row[7] == "lost"
                or intent == "Read" and row[7] == "notStarted" and re.search("was lost|does not answer", row[8])]
        host_lost += len(told)
        if not good and not told:
            lost += 1
            print(f"lost: number {number}: {found}", flush=True)
    doubled += sum(1 for row in rows if row[2].endswith("Once") and row[6] > 1)
    orphaned = leaked = 0
    for host in fleet.hosts:
        try:
            wait("the end of runs", lambda: live_runs(fleet, host) == 0, 30)
        except RuntimeError:
            orphaned += live_runs(fleet, host)
        files = lambda: [path for name in ["ends", "inputs", "received"] for path in glob.glob(fleet.path(host, "ends", name, "*"))]
        try:
            # Files of a submission without an answer are kept for a minute.
            wait("no files", lambda: not files(), 150)
        except RuntimeError:
            print(f"leaked on {host}: {files()}", flush=True)
            leaked += len(files())
    leaked += int(fleet.query("select (select count(*) from fleet.progress) + (select count(*) from fleet.errand)"))
    problems = [problem for load in loads for problem in load.problems]
    for problem in problems:
        print(problem, flush=True)
    attempts = sum(row[6] - 1 for row in rows)
    print(f"accepted {len(accepted)}, attempted again {attempts}, hostLost {host_lost}, problems {len(problems)}", flush=True)
    return lost + len(problems), doubled, orphaned, leaked


def live_runs(fleet, host):
    client = Client(fleet.path(host, "intentd.sock"))
    try:
        status = client.ask("status")["status"]
    except Refused as error:
        raise RuntimeError(error) from error
    finally:
        client.socket.close()
    return status["runningCount"] + status["queuedCount"]
