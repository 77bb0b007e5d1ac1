#!/usr/bin/env python3
"""A client of intentd, written from Protocol.md with only Python's standard library. It is a module and a command:

    intentd_client.py list | ps
    intentd_client.py run APP/INTENT [NAME=VALUE]... [NAME=@FILE]...
    intentd_client.py plan FILE.shortcut [NAME=VALUE]... [NAME=@FILE]...
    intentd_client.py watch RUN | cancel RUN | answer RUN [VALUE] | fetch RUN | undo RUN | steps RUN

VALUE is JSON (3, true, "3", ["a", "b"]), or plain text if it is not valid JSON. A NAME with several VALUEs or FILEs has a list. $INTENTD_SOCKET names another socket.
"""
import json, os, re, secrets, socket, struct, sys

class Refused(Exception):
    """An error that intentd returned for a request."""

    def __init__(self, error):
        super().__init__("\n  ".join(filter(None, [error["message"], error.get("hint")])))
        self.code = error["code"]

class Client:
    def __init__(self, path=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path or os.environ.get("INTENTD_SOCKET") or "/run/intentd/intentd.sock")
        self.buffer, self.descriptors, self.last_id = b"", [], 0
        if self.ask("hello", protocolVersion=1, software="intentd_client.py")["protocolVersion"] != 1:
            raise ConnectionError("this intentd uses another version of the protocol")

    def send(self, kind, attached=(), **fields):
        """Sends a request with its files attached to the first byte. Returns its id."""
        self.last_id += 1
        payload = json.dumps({"id": self.last_id, "type": kind, **fields}).encode()
        frame = struct.pack(">I", len(payload)) + payload
        self.socket.sendall(frame[socket.send_fds(self.socket, [frame], [file.fileno() for file in attached]):])
        return self.last_id

    def receive(self):
        """Returns the next message and its files, as open file objects."""
        while len(self.buffer) < 4 or len(self.buffer) < 4 + struct.unpack(">I", self.buffer[:4])[0]:
            data, descriptors, _, _ = socket.recv_fds(self.socket, 65536, 16, socket.MSG_CMSG_CLOEXEC)
            if not data:
                raise ConnectionError("intentd closed the connection")
            self.buffer += data
            self.descriptors += descriptors
        end = 4 + struct.unpack(">I", self.buffer[:4])[0]
        message, self.buffer = json.loads(self.buffer[4:end]), self.buffer[end:]
        files = [os.fdopen(self.descriptors.pop(0), "rb") for _ in range(message.get("files", 0))]
        if message["type"] == "error":
            raise Refused(message["error"])
        return message, files

    def ask(self, kind, attached=(), **fields):
        """Sends a request and waits for its answer. Events received before it are dropped."""
        number = self.send(kind, attached, **fields)
        while (message := self.receive()[0]).get("id") != number:
            pass
        return message

    def perform(self, app, intent, values, files=(), **more):
        """Starts a run. The value {"file": {"index": 0, "name": "a.txt"}} refers to files[0]. plan="..." is a shortcut's text."""
        request = {"request": secrets.token_hex(16), "app": app, "intent": intent, "values": values, **more}
        return self.ask("perform", attached=files, files=len(files), **request)["run"]

    def steps(self, run):
        """Returns the runs of a shortcut's steps, and the runs that undo them, in the order in which they began."""
        return list(reversed(self.ask("history", shortcut=run)["history"]["runs"]))

    def fetch(self, run):
        """Returns the kept result files as (name, open file)."""
        found, total = [], 1
        while len(found) < total:
            number = self.send("fetch", run=run, **{"from": len(found)})
            while (answer := self.receive())[0].get("id") != number:
                pass
            total = answer[0]["totalCount"] if answer[1] else 0
            found += [(reference["name"], file) for reference, file in zip(answer[0]["references"], answer[1])]
        return found

    def follow(self, run):
        """Yields the run's events as (event, files); the last one is `finished`."""
        message = {}
        while message.get("run") != run or message["type"] != "finished":
            message, files = self.receive()
            if message.get("run") == run and "serial" in message:
                yield message, files

def save(name, source):
    """Writes a result file to the current directory under a safe name, without overwriting a file."""
    name = re.sub(r"[^\w. -]", "_", name.split("/")[-1]).lstrip(".-")[:100] or "result"
    path, attempt = name, 0
    while os.path.lexists(path):
        path, attempt = "%s.%d" % (name, attempt + 1), attempt + 1
    with open(path, "xb") as target:
        # The sender shares the open file and its offset, so read at explicit offsets.
        while piece := os.pread(source.fileno(), 1 << 18, target.tell()):
            target.write(piece)
    return path

def show(text):
    """Returns an app's text with control characters replaced, so that a terminal cannot interpret them."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)

def value_of(text, files):
    if text.startswith("@") and files is not None:
        files.append(open(text[1:], "rb"))
        return {"file": {"index": len(files) - 1, "name": os.path.basename(text[1:])}}
    try:
        return json.loads(text)
    except ValueError:
        return text

def follow(client, run, on_interrupt):
    while True:
        try:
            for event, files in client.follow(run):
                if event["type"] == "progress":
                    title, fraction = event["progress"].get("title") or "", event["progress"]["fraction"]
                    print("%3d%%  %s" % (fraction * 100, show(title)), file=sys.stderr, flush=True)
                elif event["type"] == "question":
                    print(question_text(event["question"], run), file=sys.stderr, flush=True)
                elif event["type"] == "answered":
                    print("answered by user %d" % event["user"], file=sys.stderr, flush=True)
                elif event["type"] == "output":
                    print(show(event["text"]), end="", file=sys.stderr)
            return finish(event["outcome"], files)
        except KeyboardInterrupt:
            on_interrupt()

def question_text(question, run):
    """Returns a run's question with the possible answers."""
    kind = question["type"]
    cases = ["  %s: %s" % (case["value"], case["title"]) for case in kind["enum"]] if "enum" in kind else []
    if question.get("kind") == "confirmation":
        cases = ["  true: %s" % question.get("acceptLabel", "yes"), "  false: %s" % question.get("denyLabel", "no")]
    expected = cases or ["  takes %s" % json.dumps(kind)]
    return show("\n".join(["asks: " + question["text"], *expected, "  answer it with: answer %s VALUE" % run]))

def step_line(item):
    """Returns a line about the run of a step, or of the undo of one."""
    name = item["step"]["name"] if "step" in item else "undo " + item["undoOf"]
    return "%s %s %s" % (item["run"], name, item.get("outcome", "live"))

def finish(outcome, files):
    if outcome["kind"] != "done":
        why = outcome.get("reason") or outcome.get("message") or outcome.get("end")
        print("%s: %s" % (outcome["kind"], show(str(why))), file=sys.stderr)
        return {"cancelled": 130, "exceeded": 71}.get(outcome["kind"], 1)
    value = outcome.get("value")
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            print(save(item["file"]["name"], files[item["file"]["index"]]) if files else item["file"]["name"])
        elif item is not None:
            print(item if isinstance(item, str) else json.dumps(item))
    return 0

def main(verb, target="", *words):
    client = Client()
    if verb in ("run", "plan"):
        files, lists = [], {}
        for name, _, text in (word.partition("=") for word in words):
            lists.setdefault(name, []).append(value_of(text, files))
        values = {name: items[0] if len(items) == 1 else items for name, items in lists.items()}
        more = {"plan": open(target, encoding="utf-8").read()} if verb == "plan" else {}
        app, intent = ("", "") if more else target.split("/", 1)
        run = client.perform(app, intent, values, files, **more)
        # Do not wait for the answer to the cancellation: the outcome arrives as an event, after the worker has exited.
        code = follow(client, run, on_interrupt=lambda: client.send("cancel", run=run))
        for step in client.steps(run) if verb == "plan" else []:
            print(step_line(step), file=sys.stderr)
        return code
    if verb == "undo":
        request = {"request": secrets.token_hex(16), "app": "", "intent": "", "values": {}, "files": 0}
        run = client.ask("perform", undoOf=target, **request)["run"]
        return follow(client, run, on_interrupt=lambda: client.send("cancel", run=run))
    if verb == "fetch":
        for name, file in client.fetch(target):
            print(save(name, file))
    if verb == "watch":
        return follow(client, client.ask("watch", run=target)["run"], on_interrupt=lambda: sys.exit(0))
    if verb == "answer":
        asking = client.ask("question", run=target)["question"]
        if words:
            # The number ensures that the answer belongs to the question that was read.
            client.ask("answer", run=target, question=asking["number"], value=value_of(" ".join(words), None))
        else:
            print(question_text(asking, target))
    if verb == "cancel":
        print(json.dumps(client.ask("cancel", run=target)["outcome"]))
    for item in client.steps(target) if verb == "steps" else []:
        print(step_line(item))
    for item in client.ask("runs")["runs"] if verb == "ps" else []:
        print(item["run"], "%s/%s" % (item["app"], item["intent"]), item["state"])
    for app in client.ask("list")["apps"] if verb == "list" else []:
        if "catalog" not in app and "problem" not in app:  # The list has no room for it.
            app = client.ask("describe", app=app["name"])["app"]
        for intent in (app.get("catalog") or {"intents": []})["intents"]:
            print("%s/%s  %s" % (app["name"], intent["name"], show(intent["title"])))
    return 0

VERBS = ("run", "plan", "watch", "cancel", "answer", "fetch", "undo", "steps")

if __name__ == "__main__":
    words = sys.argv[1:]
    if words not in (["list"], ["ps"]) and (words[:1] not in ([verb] for verb in VERBS) or len(words) < 2) or (
            words[0] == "run" and "/" not in words[1]):
        sys.exit(__doc__)
    try:
        sys.exit(main(*words))
    except (OSError, Refused, ValueError) as error:
        sys.exit("intentd_client: " + show(str(error)))
