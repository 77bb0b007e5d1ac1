#!/usr/bin/env python3
"""A client of intentd in Python's standard library alone, written from Protocol.md. A module, and a command:

    intentd_client.py list
    intentd_client.py run APP/INTENT [NAME=VALUE]... [NAME=@FILE]...
    intentd_client.py cancel RUN
    intentd_client.py ps

VALUE is JSON where it can be read as such (3, true, "3"), else text. $INTENTD_SOCKET names another socket.
"""
import json
import os
import re
import secrets
import socket
import struct
import sys

PAYLOAD_LIMIT = 1 << 20


class Refused(Exception):
    """The daemon's answer to a request that failed."""

    def __init__(self, error):
        super().__init__(" ".join(filter(None, [error["message"], error.get("hint")])))
        self.code = error["code"]


class Client:
    def __init__(self, path=None):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path or os.environ.get("INTENTD_SOCKET") or "/run/intentd/intentd.sock")
        self.buffer, self.descriptors, self.last_id = b"", [], 0
        version = self.ask("hello", protocolVersion=1, software="intentd_client.py")["protocolVersion"]
        if version != 1:
            raise ConnectionError("intentd speaks version %s of the protocol" % version)

    def send(self, kind, riding=(), **fields):
        """Sends a request, its files with the frame's first byte; returns its number."""
        self.last_id += 1
        payload = json.dumps({"id": self.last_id, "type": kind, **fields}).encode()
        if len(payload) > PAYLOAD_LIMIT:
            raise ValueError("the request is too large: pass large values as files")
        frame = struct.pack(">I", len(payload)) + payload
        sent = socket.send_fds(self.socket, [frame], [file.fileno() for file in riding]) if riding else 0
        self.socket.sendall(frame[sent:])
        return self.last_id

    def receive(self):
        """The next message and its files, as open file objects."""
        while len(self.buffer) < 4 or len(self.buffer) < 4 + struct.unpack(">I", self.buffer[:4])[0]:
            data, descriptors, _, _ = socket.recv_fds(self.socket, 65536, 16, socket.MSG_CMSG_CLOEXEC)
            if not data:
                raise ConnectionError("intentd ended the connection")
            self.buffer += data
            self.descriptors += descriptors
        end = 4 + struct.unpack(">I", self.buffer[:4])[0]
        message, self.buffer = json.loads(self.buffer[4:end]), self.buffer[end:]
        count = message.get("files", 0)
        files = [os.fdopen(fd, "rb") for fd in self.descriptors[:count]]
        del self.descriptors[:count]
        if message["type"] == "error" and "id" not in message:
            raise Refused(message["error"])
        return message, files

    def ask(self, kind, riding=(), **fields):
        """Sends a request and waits for its answer; events that come before are dropped."""
        number = self.send(kind, riding, **fields)
        while True:
            message, _ = self.receive()
            if message.get("id") == number:
                if message["type"] == "error":
                    raise Refused(message["error"])
                return message

    def perform(self, app, intent, values, files=()):
        """Starts a run; a value of {"file": {"index": 0, "name": "a.txt"}} stands for files[0]."""
        return self.ask("perform", riding=files, request=secrets.token_hex(16), app=app, intent=intent,
                        values=values, files=len(files))["run"]

    def follow(self, run):
        """Yields the run's events as (event, files); the last one is `finished`."""
        while True:
            message, files = self.receive()
            if message.get("run") == run and "serial" in message:
                yield message, files
                if message["type"] == "finished":
                    return


def save(name, source):
    """Writes a result file into the current folder under a safe name, never over another."""
    name = re.sub(r"[^\w. -]", "_", name.split("/")[-1]).lstrip(".-")[:100] or "result"
    path, attempt = name, 0
    while os.path.lexists(path):
        path, attempt = "%s.%d" % (name, attempt + 1), attempt + 1
    with open(path, "xb") as target:
        # The open file is shared with whoever sent it, and so is its offset: read by position.
        while piece := os.pread(source.fileno(), 1 << 18, target.tell()):
            target.write(piece)
    return path


def show(text):
    """An app's text without the control characters that could steer a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def run(client, target, words):
    app, _, intent = target.partition("/")
    values, files = {}, []
    for name, _, text in (word.partition("=") for word in words):
        if text.startswith("@"):
            values[name] = {"file": {"index": len(files), "name": os.path.basename(text[1:])}}
            files.append(open(text[1:], "rb"))
        else:
            try:
                values[name] = json.loads(text)
            except ValueError:
                values[name] = text
    number = client.perform(app, intent, values, files)
    while True:
        try:
            for event, received in client.follow(number):
                if event["type"] == "progress":
                    progress = event["progress"]
                    print("%3d%%  %s" % (progress["fraction"] * 100, show(progress.get("title") or "")), file=sys.stderr)
                elif event["type"] == "output":
                    print(show(event["text"]), end="", file=sys.stderr)
            return finish(event["outcome"], received)
        except KeyboardInterrupt:
            # Asked for, not waited for: the end comes as an event, when nothing of the run is left.
            client.send("cancel", run=number)


def finish(outcome, files):
    if outcome["kind"] != "done":
        why = outcome.get("reason") or outcome.get("message") or outcome.get("end")
        print("%s: %s" % (outcome["kind"], show(str(why))), file=sys.stderr)
        return 130 if outcome["kind"] == "cancelled" else 1
    if outcome.get("dialog"):
        print(show(outcome["dialog"]), file=sys.stderr)
    value = outcome.get("value")
    for value in value if isinstance(value, list) else [value]:
        if isinstance(value, dict):
            print(save(value["file"]["name"], files[value["file"]["index"]]))
        elif value is not None:
            print(value if isinstance(value, str) else json.dumps(value))
    return 0


def main(words):
    client = Client()
    if words[0] == "run":
        return run(client, words[1], words[2:])
    if words[0] == "cancel":
        print(json.dumps(client.ask("cancel", run=words[1])["outcome"]))
    for item in client.ask("runs")["runs"] if words[0] == "ps" else []:
        print(item["run"], "%s/%s" % (item["app"], item["intent"]), item["state"])
    for app in client.ask("list")["apps"] if words[0] == "list" else []:
        for intent in (app.get("catalog") or {"intents": []})["intents"]:
            print("%s/%s  %s" % (app["name"], intent["name"], show(intent["title"])))
    return 0


if __name__ == "__main__":
    if not (sys.argv[1:] in (["list"], ["ps"]) or (sys.argv[1:2] in (["run"], ["cancel"]) and len(sys.argv) > 2)):
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, Refused, ValueError) as error:
        sys.exit("intentd_client: " + show(str(error)))
