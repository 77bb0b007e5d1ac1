"""What a compromised front could try: front.py SOCKET WEB-USER... sends hello for each user, as its own process's user, and
prints the answers. An empty name sends no webUser."""
import json
import socket
import struct
import sys


def receive(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            return None
        data += part
    return data


def exchange(connection, message):
    payload = json.dumps(message).encode()
    connection.sendall(struct.pack(">I", len(payload)) + payload)
    header = receive(connection, 4)
    return json.loads(receive(connection, struct.unpack(">I", header)[0])) if header else None


for user in sys.argv[2:]:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    hello = {"id": 1, "type": "hello", "protocolVersion": 1, "software": "front"} | ({"webUser": user} if user else {})
    answer = exchange(connection, hello)
    if answer and answer["type"] == "hello":
        metrics = exchange(connection, {"id": 2, "type": "metrics"})
        everybody = exchange(connection, {"id": 3, "type": "history", "everybody": True})
        print(user, "accepted", metrics["error"]["code"], everybody.get("error", {}).get("code"))
    else:
        print(user, answer["error"]["code"])
        assert connection.recv(1) == b"", "the connection continues"
