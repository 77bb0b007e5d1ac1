"""Scenarios of the HTTP API: api.py SCENARIO SOCKET HEADER-FILE FOLDER. Exits with an error when a promise does not hold."""
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

SCENARIO, SOCKET, HEADER, FOLDER = sys.argv[1:5]
NAME, VALUE = (pathlib.Path(HEADER).read_text().strip() or "Authorization: none").split(": ", 1)


class Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("localhost", timeout=120)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        # A connection with a limit of time is refused while the queue of the socket is full.
        self.sock.connect(SOCKET)
        self.sock.settimeout(120)


def call(method, path, body=None, headers={}, token=True):
    """The status, headers and body of a response."""
    connection = Connection()
    headers = ({NAME: VALUE} if token else {}) | headers
    if isinstance(body, (dict, list)):
        body, headers = json.dumps(body), {"Content-Type": "application/json"} | headers
    connection.request(method, path, body=body, headers=headers)
    response = connection.getresponse()
    return response.status, response.headers, response.read()


def get(path):
    status, headers, body = call("GET", path)
    assert status == 200, (path, status, body)
    return json.loads(body)


def problem(expected, code, *request, **options):
    status, headers, body = call(*request, **options)
    assert status == expected, (request, status, body)
    assert headers["Content-Type"] == "application/problem+json", headers["Content-Type"]
    report = json.loads(body)
    assert report["code"] == code and report["status"] == expected and report["detail"], report
    return report


def perform(intent, values={}, app="Probe", headers={}, **members):
    path = f"/v1/apps/{app}/intents/{intent}/runs"
    status, headers, body = call("POST", path, {"values": values} | members, headers)
    assert status in (200, 202), (status, body)
    return json.loads(body)


class Events:
    """A stream of Server-Sent Events, read one by one."""

    def __init__(self, method, path, body=None, headers={}):
        self.connection = Connection()
        headers = {NAME: VALUE, "Accept": "text/event-stream", "Content-Type": "application/json"} | headers
        self.connection.request(method, path, body=body and json.dumps(body), headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        assert self.response.headers["Content-Type"] == "text/event-stream"

    def next(self):
        """The number, the name and the message of the next event; None at the end."""
        fields = {}
        while line := self.response.readline().decode():
            if line == "\n" and "data" in fields:
                number = fields.get("id")
                return number and int(number), fields["event"], json.loads(fields["data"])
            if not line.startswith(":") and line != "\n":
                name, value = line.rstrip("\n").split(": ", 1)
                fields[name] = value

    def all(self):
        events = []
        while event := self.next():
            events.append(event)
        return events

    def until(self, name):
        events = []
        while event := self.next():
            events.append(event)
            if event[1] == name:
                return events
        raise AssertionError(f"no event {name}: {events}")

    def close(self):
        self.response.close()
        self.connection.close()


def create(path):
    """Creates a file in the run folder of the only run that waits for it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for folder in pathlib.Path(FOLDER).rglob(f"{path}.awaited"):
            (folder.parent / path).touch()
            return
        time.sleep(0.02)
    raise AssertionError(f"no run waits for {path}")


def basics():
    assert any(app["name"] == "Probe" for app in get("/v1/apps")["apps"])
    assert get("/v1/apps/Probe")["app"]["name"] == "Probe"
    end = perform("Echo", {"text": "Hej ☕️"}, headers={"Prefer": "wait=60"})
    assert end["type"] == "ended" and end["outcome"]["kind"] == "done" and end["outcome"]["value"] == "Hej ☕️", end
    story = get(f"/v1/runs/{end['run']}")["story"]
    assert story["summary"]["entryPoint"] == "http" and story["values"] == {"text": "Hej ☕️"}, story
    first = perform("Echo", {"text": "a"}, headers={"Idempotency-Key": '"key-1"'})
    assert perform("Echo", {"text": "a"}, headers={"Idempotency-Key": "key-1"}) == first
    path = "/v1/apps/Probe/intents/Echo/runs"
    problem(409, "keyConflict", "POST", path, {"values": {"text": "b"}}, {"Idempotency-Key": "key-1"})
    runs = get("/v1/history?app=Probe&count=1")["history"]["runs"]
    assert len(runs) == 1 and runs[0]["run"] == first["run"], runs
    text = "[Shortcut Shout]\n[Step one]\nIntent=Probe/Echo\nValues=text=a\n"
    status, _, body = call("POST", "/v1/shortcuts", {"name": "Mine", "text": text})
    assert status == 200 and json.loads(body)["shortcut"]["name"] == "Mine", body
    assert [entry["name"] for entry in get("/v1/shortcuts")["shortcuts"]] == ["Mine"]
    assert call("DELETE", "/v1/shortcuts/Mine")[0] == 200 and get("/v1/shortcuts")["shortcuts"] == []
    status, _, body = call("POST", "/v1/runs", {"plan": text}, {"Prefer": "wait=60"})
    assert status == 200 and json.loads(body)["outcome"]["kind"] == "done", body
    run = perform("AwaitFile")["run"]
    assert run in [entry["run"] for entry in get("/v1/runs")["runs"]]
    status, _, body = call("POST", f"/v1/runs/{run}/cancel")
    assert status == 200 and json.loads(body)["outcome"] == {"kind": "cancelled", "reason": "userCancelled"}, body


def questions():
    stream = Events("POST", "/v1/apps/Probe/intents/AskSomething/runs", {"values": {"way": "value"}})
    run = stream.next()[2]["run"]
    question = stream.until("question")[-1][2]["question"]
    assert get(f"/v1/runs/{run}/question")["question"]["text"] == question["text"]
    problem(422, "badAnswer", "POST", f"/v1/runs/{run}/answer", {"question": question["number"], "value": "many"})
    status, _, body = call("POST", f"/v1/runs/{run}/answer", {"question": question["number"], "value": 3})
    assert status == 200 and json.loads(body)["type"] == "answerAccepted", body
    files = perform("AskForFile")["run"]
    Events("GET", f"/v1/runs/{files}/events").until("question")
    stored = json.loads(call("POST", "/v1/files", b"the contents")[2])["file"]
    value = {"file": {"index": 0, "name": "answer.txt", "contentType": "text/plain"}}
    problem(404, "unknownFile", "POST", f"/v1/runs/{files}/answer", {"value": value, "files": ["0" * 32]})
    assert call("POST", f"/v1/runs/{files}/answer", {"value": value, "files": [stored]})[0] == 200
    assert Events("GET", f"/v1/runs/{files}/events").until("finished")[-1][2]["outcome"]["value"] == "answer.txt=the contents"
    end = stream.until("finished")[-1][2]
    assert end["outcome"]["value"] == "3", end
    problem(409, "noQuestion", "POST", f"/v1/runs/{run}/answer", {"value": 3})
    answer = [change["event"] for change in get(f"/v1/runs/{run}")["story"]["changes"] if change["event"]["type"] == "answer"]
    assert answer[0]["entryPoint"] == "http", answer


def private():
    """A server for the program that starts it: no other program has its socket and its secret, and it exits with the program."""
    global SOCKET, VALUE
    server = subprocess.Popen([os.environ["INTENTCTL"], "web", "--private"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    given = json.loads(server.stdout.readline())
    SOCKET, VALUE = given["socket"], given["authorization"]
    folder = os.stat(os.path.dirname(SOCKET))
    assert folder.st_mode & 0o777 == 0o700 and folder.st_uid == os.getuid(), oct(folder.st_mode)
    assert os.stat(SOCKET).st_mode & 0o777 == 0o600
    assert perform("Echo", {"text": "hi"}, headers={"Prefer": "wait=60"})["outcome"]["value"] == "hi"
    assert call("GET", "/report/schedules")[0] == 200
    for path in ["/v1/runs", "/report/schedules"]:
        assert call("GET", path, token=False)[0] == 403
    assert call("GET", "/")[0] == 403
    server.stdin.close()
    assert server.wait(60) == 0
    assert not os.path.exists(os.path.dirname(SOCKET))


def events():
    stream = Events("POST", "/v1/apps/Probe/intents/StepByFile/runs", {"values": {"count": 3}})
    run = stream.next()[2]["run"]
    other = Events("GET", f"/v1/runs/{run}/events")
    create("1")
    seen = stream.until("progress")
    stream.close()
    last = max(number for number, _, _ in seen if number)
    create("2")
    assert other.next()[2]["type"] == "watching"
    while other.next()[2].get("progress", {}).get("completedUnitCount") != 2:
        pass
    again = Events("GET", f"/v1/runs/{run}/events", headers={"Last-Event-ID": str(last)})
    create("3")
    rest = again.all()
    serials = [message["serial"] for _, name, message in rest if name != "answer"]
    assert serials and min(serials) > last and len(set(serials)) == len(serials), (last, rest)
    assert rest[-1][1] == "finished" and rest[-1][2]["outcome"] == {"kind": "done"}, rest
    all_of_other = [message["serial"] for _, name, message in other.all() if name != "answer"]
    assert len(set(all_of_other)) == len(all_of_other), all_of_other
    late = Events("GET", f"/v1/runs/{run}/events").all()
    assert [name for _, name, _ in late] == ["answer", "finished"], late
    problem(404, "unknownRun", "GET", "/v1/runs/0000000000/events")
    problem(404, "unknownRun", "GET", "/v1/runs/x/events")
    problem(400, "badRequest", "GET", f"/v1/runs/{run}/events", headers={"Last-Event-ID": "soon"})


def restart():
    """Continues while the test kills intentd and starts another one."""
    stream = Events("POST", "/v1/apps/Probe/intents/StepByFile/runs", {"values": {"count": 2}})
    create("1")
    stream.until("progress")
    print("running", flush=True)
    while not (pathlib.Path(FOLDER) / "restarted").exists():
        time.sleep(0.02)
    create("2")
    assert stream.all()[-1][2]["outcome"] == {"kind": "done"}


def files():
    contents = os.urandom(3_000_000)
    status, headers, body = call("POST", "/v1/files", contents[:1_000_000])
    file = json.loads(body)["file"]
    assert status == 201 and headers["Location"] == f"/v1/files/{file}", (status, headers)
    problem(409, "wrongOffset", "PATCH", f"/v1/files/{file}", b"x", {"Upload-Offset": "5"})
    assert call("HEAD", f"/v1/files/{file}")[1]["Content-Length"] == "1000000"
    status, headers, _ = call("PATCH", f"/v1/files/{file}", contents[1_000_000:], {"Upload-Offset": "1000000"})
    assert status == 204 and headers["Upload-Offset"] == "3000000"
    value = {"file": {"file": {"index": 0, "name": "a.bin"}}}
    end = perform("Compress", value, app="Archive", headers={"Prefer": "wait=60"}, files=[file])
    assert end["outcome"]["kind"] == "done", end
    listed = get(f"/v1/runs/{end['run']}/files")
    assert listed["totalCount"] == 1 and listed["references"][0]["name"].endswith(".gz"), listed
    path = f"/v1/runs/{end['run']}/files/0"
    status, headers, whole = call("GET", path)
    assert status == 200 and headers["Content-Disposition"] == "attachment"
    import gzip
    assert gzip.decompress(whole) == contents
    status, headers, part = call("GET", path, headers={"Range": "bytes=10-19"})
    assert (status, part) == (206, whole[10:20]), status
    assert headers["Content-Range"] == f"bytes 10-19/{len(whole)}"
    assert call("GET", path, headers={"Range": "bytes=-5"})[2] == whole[-5:]
    assert call("GET", path, headers={"Range": f"bytes={len(whole) - 3}-"})[2] == whole[-3:]
    problem(416, "badRange", "GET", path, headers={"Range": f"bytes={len(whole)}-"})
    problem(404, "unknownFile", "GET", f"/v1/runs/{end['run']}/files/x")
    assert call("DELETE", f"/v1/runs/{end['run']}/files")[0] == 200
    while call("HEAD", path)[0] == 200:  # A thread of intentd removes the files.
        time.sleep(0.02)
    problem(404, "unknownRun", "GET", path)
    assert call("DELETE", f"/v1/files/{file}")[0] == 204
    problem(404, "unknownFile", "GET", f"/v1/files/{file}")
    problem(404, "unknownFile", "POST", "/v1/apps/Archive/intents/Compress/runs", {"values": value, "files": [file]})
    many = [json.loads(call("POST", "/v1/files", b"%d" % index)[2])["file"] for index in range(40)]
    end = perform("ReadFiles", {"files": [{"file": {"index": index, "name": f"{index}.txt"}} for index in range(40)]},
                  headers={"Prefer": "wait=60"}, files=many)
    assert end["outcome"]["value"] == " ".join(f"{index}.txt={index}" for index in range(40)), end


def refusals():
    path = "/v1/apps/Probe/intents/Echo/runs"
    for headers in ({}, {NAME: VALUE[:-1] + ("0" if VALUE[-1] != "0" else "1")}, {NAME: "Bearer "}, {"Cookie": "intentd=0"}):
        status, _, body = call("GET", "/v1/apps", headers=headers, token=False)
        assert status == 403, (headers, status, body)
    assert call("GET", "/v1/apps", headers={"Host": "evil.example"})[0] == 403
    assert call("GET", "/v1/apps", headers={"Origin": "http://evil.example"})[0] == 403
    problem(404, "unknownPath", "GET", "/v1/nothing")
    problem(404, "unknownPath", "GET", "/v1/apps/../apps")
    assert "POST" in call("PUT", path)[1]["Allow"]
    problem(405, "unknownMethod", "PUT", path, {"values": {}})
    # A client that sends the body after the server has read the head receives the refusal, too.
    for expected, method, target, value in [
        (405, "PUT", path, VALUE), (404, "POST", "/v1/nothing", VALUE), (403, "POST", path, "Bearer no"),
    ]:
        late = Connection()
        late.putrequest(method, target)
        late.putheader(NAME, value)
        late.putheader("Content-Length", "2")
        late.endheaders()
        get("/v1/apps")
        late.send(b"{}")
        assert late.getresponse().status == expected, (method, target)
    problem(404, "unknownApp", "GET", "/v1/apps/Prob")
    problem(404, "unknownIntent", "POST", "/v1/apps/Probe/intents/Ecko/runs", {})
    problem(422, "missingParameter", "POST", path, {})
    problem(422, "badParameter", "POST", path, {"values": {"text": 1}})
    problem(422, "unknownParameter", "POST", path, {"values": {"text": "a", "tezt": "b"}})
    problem(400, "badRequest", "POST", path, "{", {"Content-Type": "application/json"})
    problem(400, "badRequest", "POST", path, "[]", {"Content-Type": "application/json"})
    problem(400, "badRequest", "POST", path, '{"values":{},"values":{}}', {"Content-Type": "application/json"})
    problem(400, "badRequest", "POST", path, "a=b", {"Content-Type": "application/x-www-form-urlencoded"})
    problem(400, "badRequest", "GET", "/v1/history?count=all")
    problem(400, "badRequest", "GET", "/v1/history?colour=red")
    problem(400, "badRequest", "POST", path, {"values": {"text": "a"}, "files": 3})
    problem(413, "tooLarge", "POST", path, "{" + " " * (2 << 20) + "}", {"Content-Type": "application/json"})
    # A body cannot name another app, and its text cannot become a field of the response.
    body = {"values": {"text": "a\r\nSet-Cookie: x"}, "app": "Archive", "intent": "Crash"}
    end = json.loads(call("POST", path, body, {"Prefer": "wait=60"})[2])
    assert end["outcome"]["value"] == "a\r\nSet-Cookie: x", end


def attached():
    stream = Events("POST", "/v1/apps/Probe/intents/AwaitFile/runs", {"onDisconnect": "cancel"})
    run = stream.next()[2]["run"]
    stream.until("state")
    stream.close()
    again = Events("GET", f"/v1/runs/{run}/events")
    again.next()
    again.close()
    began = time.monotonic()
    while "end" not in (story := get(f"/v1/runs/{run}")["story"]):
        assert time.monotonic() - began < 100, story
        time.sleep(0.2)
    assert time.monotonic() - began > 25, "the run ended before its client could return"
    disconnected = {"kind": "cancelled", "reason": "clientDisconnected"}
    assert story["end"]["event"]["outcome"] == disconnected, story["end"]
    # A client that leaves for good says so.
    stream = Events("POST", "/v1/apps/Probe/intents/AwaitFile/runs", {"onDisconnect": "cancel"})
    run = stream.next()[2]["run"]
    stream.until("state")
    assert call("POST", f"/v1/runs/{run}/leave")[0] == 204
    again = Events("GET", f"/v1/runs/{run}/events")
    assert again.until("finished")[-1][2]["outcome"] == disconnected


def description():
    from openapi_spec_validator import validate
    import jsonschema
    document = get("/v1/openapi.json")
    assert document["openapi"].startswith("3.1")
    validate(document)
    schemas = document["components"]["schemas"]

    def fits(value, name):
        schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
        jsonschema.Draft202012Validator(schema).validate(value)

    # What the API answers fits the description.
    stream = Events("POST", "/v1/apps/Probe/intents/AskSomething/runs", {"values": {"way": "value"}})
    run = stream.next()[2]["run"]
    events = stream.until("question")
    fits(get(f"/v1/runs/{run}/question"), "ClientAnswer")
    fits(get("/v1/runs"), "ClientAnswer")
    call("POST", f"/v1/runs/{run}/answer", {"question": 1, "value": 3})
    events += stream.all()
    for _, _, message in events:
        fits(message, "NumberedEvent")
    for path in ("/v1/status", "/v1/apps", "/v1/apps/Probe", "/v1/history", f"/v1/runs/{run}", f"/v1/runs/{run}/logs"):
        fits(get(path), "ClientAnswer")
    fits(problem(404, "unknownApp", "GET", "/v1/apps/None"), "Problem")
    fits(json.loads(call("POST", "/v1/files", b"x")[2]), "StoredFile")
    # The operation of an intent accepts what the intent accepts, and nothing else.
    operation = document["paths"]["/v1/apps/Probe/intents/AddIntent/runs"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"] | {"components": {"schemas": schemas}}
    check = jsonschema.Draft202012Validator(schema)
    names = list(schema["allOf"][1]["properties"]["values"]["properties"])
    assert check.is_valid({"values": {name: 1 for name in names}}), names
    assert not check.is_valid({"values": {name: "one" for name in names}}), names


def raw():
    """Requests that a proxy and a server could read differently: the one in the body is not performed."""
    def exchange(head, body=b""):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(SOCKET)
        data = b""
        try:
            connection.sendall(head.encode().replace(b"\n", b"\r\n") + body)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                data += part
        except (ConnectionResetError, BrokenPipeError):
            pass  # The server does not read what it refuses.
        return data

    start = f"POST /v1/runs/0000000000/cancel HTTP/1.1\nHost: localhost\n{NAME}: {VALUE}\n"
    hidden = f"GET /v1/status HTTP/1.1\nHost: localhost\n{NAME}: {VALUE}\n\n".replace("\n", "\r\n").encode()
    chunked = b"0\r\n\r\n" + hidden
    for fields, body in [
        (f"Content-Length: {len(chunked)}\nTransfer-Encoding: chunked\n", chunked),
        (f"Transfer-Encoding: chunked\nContent-Length: {len(chunked)}\n", chunked),
        (f"Content-Length: 0\nContent-Length: {len(hidden)}\n", hidden),
        (f"Content-Length: {len(hidden)}\nContent-Length: 0\n", hidden),
        ("Transfer-Encoding: chunked\nTransfer-Encoding: identity\n", chunked),
        ("Transfer-Encoding: xchunked\n", chunked), ("Transfer-Encoding: chunked, identity\n", chunked),
        ("Content-Length: -1\n", hidden), ("Content-Length: 0x0\n", hidden), ("Content-Length: +0\n", hidden),
        ("Content-Length : 0\n", hidden), ("Transfer-Encoding: chunked\n", b"zz\r\n\r\n" + hidden),
    ]:
        answer = exchange(start + fields + "\n", body)
        assert b"200 OK" not in answer, (fields, answer)
    # A well-formed request has its answer.
    answer = exchange(start + "Content-Length: 0\n\n", hidden)
    assert answer.count(b"HTTP/1.1 ") == 2 and b"200 OK" in answer, answer
    answer = exchange(start + "Transfer-Encoding: chunked\nContent-Type: application/json\n\n", b"2\r\n{}\r\n0\r\n\r\n")
    assert b"HTTP/1.1 404" in answer, answer
    # A body is not decompressed.
    import gzip
    body = gzip.compress(b" " * (50 << 20))
    fields = f"Content-Encoding: gzip\nContent-Type: application/json\nContent-Length: {len(body)}\n\n"
    assert b"HTTP/1.1 400" in exchange(start + fields, body)
    # Headers that are too large.
    assert b" 404 " not in exchange(start + "X: " + "a" * 60000 + "\n\n")
    # Many idle connections leave room for others.
    idle = []
    for _ in range(900):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(SOCKET)
        idle.append(connection)
    get("/v1/status")


def service():
    """Several users with tokens, which WebServiceTests have made."""
    def bearer(name):
        return {"Authorization": f"Bearer {os.environ[name]}"}

    def ask(name, method, path, body=None, headers={}):
        status, fields, answer = call(method, path, body, bearer(name) | headers, token=False)
        return status, json.loads(answer) if answer else None, fields

    echo = "/v1/apps/Probe/intents/Echo/runs"
    status, end, _ = ask("PROBE", "POST", echo, {"values": {"text": "a"}}, {"Prefer": "wait=60"})
    assert status == 200 and end["outcome"]["value"] == "a", end
    run = end["run"]
    status, story, _ = ask("PROBE", "GET", f"/v1/runs/{run}")
    assert story["story"]["summary"]["userName"] == "games", story
    assert story["story"]["software"].endswith(", token laptop"), story["story"]["software"]
    # Another token of the account sees what its patterns permit.
    apps = ask("ARCHIVE", "GET", "/v1/apps")[1]["apps"]
    assert [app["name"] for app in apps] == ["Archive"], apps
    [app] = ask("ARCHIVE", "GET", "/v1/apps")[1]["apps"]
    assert [intent["name"].removesuffix("Intent") for intent in app["catalog"]["intents"]] == ["Compress"], app
    assert ask("ARCHIVE", "POST", echo, {"values": {"text": "a"}})[0] == 403
    assert ask("ARCHIVE", "GET", f"/v1/runs/{run}")[0] == 404
    assert ask("ARCHIVE", "GET", f"/v1/runs/{run}/events")[0] == 404
    assert ask("ARCHIVE", "GET", "/v1/history")[1]["history"]["runs"] == []
    assert ask("ARCHIVE", "GET", "/v1/apps/Probe")[0] == 403
    assert ask("ARCHIVE", "POST", "/v1/tickets", {"run": run, "question": 1, "digest": "a"})[0] == 403
    paths = ask("ARCHIVE", "GET", "/v1/openapi.json")[1]["paths"]
    assert not [path for path in paths if path.startswith("/v1/apps/Probe")], list(paths)
    # Another account sees nothing of it, and intentd refuses an account that [Web] does not name.
    assert ask("OTHER", "GET", f"/v1/runs/{run}")[0] == 404
    assert ask("OTHER", "GET", "/v1/history")[1]["history"]["runs"] == []
    assert ask("OTHER", "GET", "/v1/metrics")[0] == 403
    assert ask("OTHER", "GET", "/v1/history?everybody=true")[1]["history"]["runs"] == []
    assert ask("UNLISTED", "GET", "/v1/apps")[0] == 403
    file = ask("PROBE", "POST", "/v1/files")[1]["file"]
    assert ask("OTHER", "GET", f"/v1/files/{file}")[0] == 404
    # Wrong tokens: one answer for all of them.
    for wrong in (os.environ["PROBE"][:-1] + "x", "intentd_unknown_" + "0" * 64, "intentd_laptop_", "x", ""):
        status, fields, answer = call("GET", "/v1/apps", headers={"Authorization": f"Bearer {wrong}"}, token=False)
        assert status == 401 and fields["WWW-Authenticate"] == "Bearer", (wrong, status)
        assert json.loads(answer)["detail"] == "the request has no valid token.", answer
    assert ask("PROBE", "GET", "/v1/apps", None, {"Host": "elsewhere.example"})[0] == 403
    assert ask("PROBE", "GET", "/v1/apps", None, {"Origin": "https://elsewhere.example"})[0] == 403
    assert ask("PROBE", "GET", "/")[0] == 404
    while ask("SHORT", "GET", "/v1/status")[0] != 401:
        time.sleep(0.1)
    # A revoked token ends its streams.
    global NAME, VALUE
    NAME, VALUE = "Authorization", f"Bearer {os.environ['PROBE']}"
    stream = Events("POST", "/v1/apps/Probe/intents/AwaitFile/runs", {})
    stream.until("state")
    import subprocess
    revoking = [os.environ["INTENTCTL"], "token", "revoke", "laptop", "--tokens", os.environ["TOKENS"]]
    subprocess.run(revoking, check=True, stderr=subprocess.DEVNULL)
    assert ask("PROBE", "GET", "/v1/apps")[0] == 401
    assert not any(event[1] == "finished" for event in stream.all())
    listed = subprocess.run(revoking[:2] + ["list"] + revoking[4:], capture_output=True, text=True, check=True).stdout
    assert "archive" in listed and "laptop" not in listed and os.environ["ARCHIVE"] not in listed, listed
    # A hook performs its intent once for each signed body, and answers everything else with 404.
    import hashlib
    import hmac
    secret = (pathlib.Path(FOLDER) / "hooks/echo.secret").read_bytes().strip()

    def hook(name, document, key=secret, headers=None):
        body = json.dumps(document).encode()
        signature = "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()
        headers = headers or {"X-Hub-Signature-256": signature}
        status, _, answer = call("POST", f"/hooks/{name}", body, headers | {"Content-Type": "application/json"}, token=False)
        return status, answer

    status, answer = hook("echo", {"action": "opened", "issue": {"title": "a\nb"}})
    assert status == 202, (status, answer)
    while "end" not in (story := ask("OTHER", "GET", f"/v1/runs/{json.loads(answer)['run']}")[1]["story"]):
        time.sleep(0.05)
    assert story["end"]["event"]["outcome"]["value"] == "a\nb" and story["software"].endswith(", hook echo"), story
    refusals = {hook("echo", {"action": "opened", "issue": {"title": "a\nb"}}), hook("echo", {}, b"wrong"), hook("none", {}),
                hook("echo", {"action": "opened", "issue": {"title": 1}}), hook("root", {"action": "opened", "issue": {"title": "a"}})}
    assert len(refusals) == 1 and refusals.pop()[0] == 404, refusals
    assert hook("echo", {"action": "closed"})[0] == 204
    # Ten thousand idle connections, if this process may have as many, leave room for others.
    import resource
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    idle = []
    for _ in range(min(10_000, limit[1] - 200)):
        idle.append(Connection())
        idle[-1].connect()
    assert ask("OTHER", "GET", "/v1/apps")[0] == 200
    # The last one was accepted, too, and waits for its request.
    idle[-1].request("GET", "/v1/apps", headers=bearer("OTHER"))
    assert idle[-1].getresponse().status == 200
    print(f"{len(idle)} idle connections")
    for connection in idle:
        connection.close()
    # Too many failures of one address are refused before the token is read.
    statuses = {call("GET", "/v1/apps", headers={"Authorization": "Bearer x"}, token=False)[0] for _ in range(60)}
    assert 429 in statuses, statuses


def mcp():
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    both = {"Accept": "application/json, text/event-stream"}

    def post(message, headers={}):
        status, fields, body = call("POST", "/mcp", message, both | headers)
        return status, fields, json.loads(body) if body else None

    def stateless(method, headers=None, **params):
        fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        if "name" in params:
            fields["Mcp-Name"] = params["name"]
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params | {"_meta": meta}}
        return post(message, fields if headers is None else headers)

    status, _, answer = stateless("tools/call", name="Probe_Echo", arguments={"text": "a"})
    assert status == 200 and answer["id"] == 7 and not answer["result"].get("isError"), answer
    for headers in ({}, {"MCP-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/list"},
                    {"MCP-Protocol-Version": "2026-07-28"}, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"}):
        status, _, answer = stateless("tools/list", headers)
        assert (status, answer["error"]["code"]) == (400, -32020), (headers, answer)
    status, _, answer = stateless("nothing/here")
    assert (status, answer["error"]["code"]) == (404, -32601), answer
    for wrong in ("{", "[]", "[{}]", '"a"'):
        status, _, body = call("POST", "/mcp", wrong, both | {"Content-Type": "application/json"})
        assert status == 400 and json.loads(body)["error"]["code"] == -32700, (wrong, status, body)
    # These are refused before the body, so none is sent.
    assert call("POST", "/mcp", None, {"Origin": "http://evil.example"})[0] == 403
    assert call("POST", "/mcp", token=False)[0] == 403
    # A client that closes the connection cancels its call.
    fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "Probe_AwaitFile"}
    connection = Connection()
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "Probe_AwaitFile", "arguments": {}, "_meta": meta}}
    connection.request("POST", "/mcp", json.dumps(body), {NAME: VALUE, "Content-Type": "application/json"} | both | fields)
    while not (runs := [run for run in get("/v1/runs")["runs"] if run["intent"] == "AwaitFile"]):
        time.sleep(0.05)
    connection.close()
    while get("/v1/runs")["runs"]:
        time.sleep(0.1)
    outcome = get(f"/v1/runs/{runs[0]['run']}")["story"]["end"]["event"]["outcome"]
    assert outcome == {"kind": "cancelled", "reason": "userCancelled"}, outcome

    # A session of an earlier revision.
    def message(method, number=None, **params):
        return {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})

    start = message("initialize", 1, protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
    status, fields, answer = post(start)
    assert status == 200 and answer["result"]["protocolVersion"] == "2025-11-25", answer
    session = {"Mcp-Session-Id": fields["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}
    assert post(message("notifications/initialized"), session)[0] == 202
    assert post(message("tools/list", 2), session)[2]["result"]["tools"]
    assert post(message("tools/list", 3))[0] == 400
    assert post(message("tools/list", 3), {"Mcp-Session-Id": "0" * 32})[0] == 404
    assert call("GET", "/mcp", headers={"Accept": "text/event-stream"})[0] == 405
    assert call("GET", "/mcp", headers=session)[0] == 406

    # A call with progress is a stream. After a cut, GET continues it from the last event.
    params = {"name": "Probe_StepByFile", "arguments": {"count": 2}, "_meta": {"progressToken": "p"}}
    stream = EventsOfMCP(message("tools/call", 4, **params), session)
    create("1")
    number, first = stream.next()
    assert first["method"] == "notifications/progress" and first["params"]["progressToken"] == "p", first
    stream.close()
    create("2")
    rest = EventsOfMCP(None, session | {"Last-Event-ID": number})
    while "result" not in (event := rest.next()[1]):
        pass
    assert event["id"] == 4 and not event["result"].get("isError"), event
    assert rest.next() is None

    # A call that its client cancels has no answer, whether its response is a stream already or not.
    for number, progress in ((6, {}), (7, {"_meta": {"progressToken": "q"}})):
        call_of = message("tools/call", number, name="Probe_StepByFile", arguments={"count": 3}, **progress)
        connection = Connection()
        fields = {NAME: VALUE, "Content-Type": "application/json"} | both | session
        connection.request("POST", "/mcp", json.dumps(call_of), fields)
        while not (runs := [run for run in get("/v1/runs")["runs"] if run["intent"] == "StepByFile"]):
            time.sleep(0.05)
        response = connection.getresponse() if progress else None
        assert post(message("notifications/cancelled", requestId=number), session)[0] == 202
        response = response or connection.getresponse()
        assert response.status == (200 if progress else 202) and b'"result":' not in response.read()
        connection.close()
        while get("/v1/runs")["runs"]:
            time.sleep(0.1)
    assert call("DELETE", "/mcp", headers=session)[0] == 204
    assert post(message("tools/list", 5), session)[0] == 404


class EventsOfMCP:
    """A stream of messages: the response to a POST, or of GET without a message."""

    def __init__(self, message, headers):
        self.connection = Connection()
        headers = {NAME: VALUE, "Accept": "application/json, text/event-stream", "Content-Type": "application/json"} | headers
        method = "POST" if message else "GET"
        self.connection.request(method, "/mcp", body=message and json.dumps(message), headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()

    def next(self):
        fields = {}
        while line := self.response.readline().decode():
            if line == "\n" and "data" in fields:
                return fields.get("id"), json.loads(fields["data"])
            if not line.startswith(":") and line != "\n":
                name, value = line.rstrip("\n").split(": ", 1)
                fields[name] = value

    def close(self):
        self.response.close()
        self.connection.close()


globals()[SCENARIO]()
