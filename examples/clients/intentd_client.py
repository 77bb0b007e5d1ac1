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
DESCRIPTOR_LIMIT = 16


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
        self.server = self.ask("hello", protocolVersion=1, software="intentd_client.py")
        if self.server["protocolVersion"] != 1:
            raise ConnectionError("intentd speaks version %s of the protocol" % self.server["protocolVersion"])

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
        while True:
            if len(self.buffer) >= 4:
                (count,) = struct.unpack(">I", self.buffer[:4])
                if count > PAYLOAD_LIMIT:
                    raise ConnectionError("a frame is too large")
                if len(self.buffer) >= 4 + count:
                    message = json.loads(self.buffer[4 : 4 + count])
                    self.buffer = self.buffer[4 + count :]
                    announced = message.get("files", 0)
                    files = [os.fdopen(fd, "rb") for fd in self.descriptors[:announced]]
                    del self.descriptors[:announced]
                    return message, files
            data, descriptors, _, _ = socket.recv_fds(self.socket, 65536, DESCRIPTOR_LIMIT)
            if not data:
                raise ConnectionError("intentd ended the connection")
            self.buffer += data
            self.descriptors += descriptors

    def ask(self, kind, riding=(), **fields):
        """Sends a request and waits for its answer; events that come before are dropped."""
        number = self.send(kind, riding, **fields)
        while True:
            message, _ = self.receive()
            if message["type"] == "error" and message.get("id") in (number, None):
                raise Refused(message["error"])
            if message.get("id") == number:
                return message

    def perform(self, app, intent, values, files=()):
        """Starts a run; a value of {"file": {"index": 0, "name": "a.txt"}} stands for files[0]."""
        return self.ask("perform", riding=files, request=secrets.token_hex(16), app=app, intent=intent,
                        values=values, files=len(files))["run"]

    def follow(self, run):
        """Yields the run's events as (event, files); the last one is `finished`."""
        while True:
            message, files = self.receive()
            if message["type"] == "error" and "id" not in message:
                raise Refused(message["error"])
            if message.get("run") == run and "serial" in message:
                yield message, files
                if message["type"] == "finished":
                    return


def save(name, source):
    """Writes a result file into the current folder under a safe name, never over another."""
    name = re.sub(r"[^\w. -]", "_", name.split("/")[-1]).lstrip(".-")[:100] or "result"
    for attempt in range(1000):
        path = name if attempt == 0 else "%s.%d" % (name, attempt)
        try:
            with open(path, "xb") as target:
                while True:
                    # The open file is shared with whoever sent it, and so is its offset: read by position.
                    piece = os.pread(source.fileno(), 1 << 18, target.tell())
                    if not piece:
                        return path
                    target.write(piece)
        except FileExistsError:
            continue
    raise FileExistsError(name)


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
            continue
        try:
            values[name] = json.loads(text)
        except ValueError:
            values[name] = text
    number = client.perform(app, intent, values, files)
    events = client.follow(number)
    while True:
        try:
            event, received = next(events)
        except KeyboardInterrupt:
            # Asked for, not waited for: the end comes as an event, when nothing of the run is left.
            client.send("cancel", run=number)
            events = client.follow(number)
            continue
        if event["type"] == "progress":
            progress = event["progress"]
            print("%3d%%  %s" % (progress["fraction"] * 100, show(progress.get("title") or "")), file=sys.stderr)
        elif event["type"] == "output":
            print(show(event["text"]), end="", file=sys.stderr)
        elif event["type"] == "finished":
            return finish(event["outcome"], received)


def finish(outcome, files):
    if outcome["kind"] != "done":
        detail = outcome.get("reason") or outcome.get("message") or outcome.get("end")
        print("%s: %s" % (outcome["kind"], show(str(detail))), file=sys.stderr)
        return 130 if outcome["kind"] == "cancelled" else 1
    if outcome.get("dialog"):
        print(show(outcome["dialog"]), file=sys.stderr)
    values = outcome.get("value")
    for value in values if isinstance(values, list) else [values]:
        if isinstance(value, dict):
            print(save(value["file"]["name"], files[value["file"]["index"]]))
        elif value is not None:
            print(value if isinstance(value, str) else json.dumps(value))
    return 0


def main(words):
    if not words or words[0] not in ("list", "run", "cancel", "ps") or (words[0] in ("run", "cancel")) > (len(words) > 1):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        client = Client()
        if words[0] == "run":
            return run(client, words[1], words[2:])
        if words[0] == "cancel":
            print(json.dumps(client.ask("cancel", run=words[1])["outcome"]))
        elif words[0] == "ps":
            for item in client.ask("runs")["runs"]:
                print(item["run"], "%s/%s" % (item["app"], item["intent"]), item["state"])
        else:
            for app in client.ask("list")["apps"]:
                for intent in (app.get("catalog") or {"intents": []})["intents"]:
                    print("%s/%s  %s" % (app["name"], intent["name"], show(intent["title"])))
        return 0
    except (OSError, Refused, ValueError) as error:
        print("intentd_client: %s" % show(str(error)), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
