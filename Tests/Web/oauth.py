"""Access tokens of an issuer at the HTTP service: oauth.py SCENARIO ISSUER SERVICE FOLDER. FOLDER has ca.pem, and
server-ca.pem if the service has a certificate of another authority. Exits with an error when a promise does not hold."""

import asyncio
import base64
import json
import pathlib
import ssl
import sys
import time
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

SCENARIO, ISSUER, SERVICE, FOLDER = sys.argv[1:5]
CONTROL = ISSUER.removesuffix("/realm") + "/control"
TLS = ssl.create_default_context()
for file in pathlib.Path(FOLDER).glob("*ca.pem"):
    TLS.load_verify_locations(file)
HTTP = httpx2.Client(verify=TLS, timeout=60)
START = time.monotonic()


def token(claims={}, **options):
    return HTTP.post(f"{CONTROL}/token", json={"claims": {"aud": SERVICE} | claims} | options).json()["token"]


def check_fetches():
    """Tokens with unknown keys cause at most one fetch in ten seconds."""
    count = HTTP.get(f"{CONTROL}/fetches").json()["count"]
    assert 1 <= count <= 2 + (time.monotonic() - START) / 10, count
    return count


def ask(text, path="/v1/apps", method="GET", headers={}, **options):
    headers = headers | ({"Authorization": f"Bearer {text}"} if text is not None else {})
    while True:
        response = HTTP.request(method, SERVICE + path, headers=headers, **options)
        # An address that sends wrong tokens waits for a second.
        if response.status_code != 429:
            return response
        time.sleep(float(response.headers["Retry-After"]))


def refused(text, error="invalid_token", status=401):
    response = ask(text)
    assert response.status_code == status, (response.status_code, response.text)
    challenge = response.headers["WWW-Authenticate"]
    assert challenge.startswith(f'Bearer resource_metadata="{SERVICE}/.well-known/oauth-protected-resource"'), challenge
    assert f'error="{error}"' in challenge, challenge
    # The client does not learn the reason.
    return response.json()["detail"]


def metadata():
    """A client without a token learns where to obtain one."""
    response = ask(None, "/mcp", "POST", json={})
    assert response.status_code == 401, (response.status_code, response.text)
    challenge = response.headers["WWW-Authenticate"]
    address = challenge.split('resource_metadata="')[1].split('"')[0]
    assert "error" not in challenge and 'scope="probe archive"' in challenge, challenge
    for address, resource in [(address, f"{SERVICE}/mcp"), (SERVICE + "/.well-known/oauth-protected-resource", SERVICE)]:
        document = HTTP.get(address).json()
        assert document["resource"] == resource and document["authorization_servers"] == [ISSUER], document
        assert document["scopes_supported"] == ["probe", "archive"], document
    assert HTTP.get(SERVICE + "/.well-known/oauth-protected-resource/v1").status_code == 404
    assert HTTP.post(SERVICE + "/.well-known/oauth-protected-resource").status_code == 405


def permitted():
    """A token acts for the account of its subject, in the intents of its scopes."""
    echo = "/v1/apps/Probe/intents/Echo/runs"
    for algorithm, key in [("RS256", "rsa"), ("RS512", "rsa"), ("PS256", "rsa"), ("ES256", "ec")]:
        assert ask(token(algorithm=algorithm, key=key)).status_code == 200, algorithm
    probe = token({"aud": [SERVICE + "/mcp", "https://other.example"]})
    headers = {"Authorization": f"Bearer {probe}", "Prefer": "wait=60"}
    end = HTTP.post(SERVICE + echo, headers=headers, json={"values": {"text": "a"}})
    assert end.status_code == 200 and end.json()["outcome"]["value"] == "a", end.text
    story = ask(probe, f"/v1/runs/{end.json()['run']}").json()["story"]
    assert story["summary"]["userName"] == "games" and story["software"].endswith(", subject ada"), story
    archive = token({"scope": "archive other"})
    assert [app["name"] for app in ask(archive).json()["apps"]] == ["Archive"]
    assert ask(archive, echo, "POST", json={}).status_code == 403
    assert ask(archive, f"/v1/runs/{end.json()['run']}").status_code == 404
    assert {app["name"] for app in ask(token({"scp": ["probe", "archive"], "scope": None})).json()["apps"]} == {"Probe", "Archive"}
    assert ask(token({"aud": "api://intents"})).status_code == 200
    assert ask(token({"nbf": time.time() - 60})).status_code == 200
    # No request has caused a fetch, because the keys were known.
    assert check_fetches() == 1


def unpermitted():
    """Every other token is refused."""
    good = token()
    header, claims, signature = good.split(".")
    changed = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"sub": "bob"}
    changed = base64.urlsafe_b64encode(json.dumps(changed).encode()).rstrip(b"=").decode()
    details = {refused(text) for text in [
        token({"aud": "https://other.example"}), token({"aud": None}), token({"aud": SERVICE + "/other"}),
        token({"iss": "https://other.example"}), token({"iss": ISSUER + "/"}), token({"iss": None}),
        token({"exp": time.time() - 60}), token({"exp": None}), token({"exp": "tomorrow"}),
        token({"nbf": time.time() + 120}), token({"nbf": "now"}), token({"sub": None}),
        token(algorithm="none", key="rsa"), token(algorithm="HS256", key="rsa"), token(algorithm="EdDSA", key="ed"),
        token(key="short"), token(key="hidden"), token(key="hidden", headers={"kid": "rsa"}), token(headers={"kid": "ec"}),
        token(headers={"typ": "logout+jwt"}), token(headers={"crit": ["b64"], "b64": True}),
        token({"cnf": {"jkt": "x"}}), f"{header}.{changed}.{signature}", f"{header}.{claims}.", f"{header}.{claims}",
        f"{header}.{claims}.{signature[:-4]}AAAA", good + ".", "..", "a.b.c", good[:200],
    ]}
    assert details == {"the request has no valid token."}, details
    details = {refused(token(claims), "insufficient_scope", 403) for claims in [
        {"sub": "mallory"}, {"sub": "Ada"}, {"scope": None}, {"scope": "other"}, {"scope": "probe2"}]}
    assert details == {"the token does not permit this."}, details
    # The account must be in Users=, too: intentd itself refuses another one.
    assert ask(token({"sub": "root"})).status_code == 403
    check_fetches()


def ending():
    """The streams of a subject end with the last token of these scopes."""
    # The clocks may differ by 30 seconds, so this token is valid for ten more.
    headers = {"Authorization": "Bearer " + token({"exp": time.time() - 20, "scope": "probe archive"}), "Accept": "text/event-stream"}
    with HTTP.stream("POST", SERVICE + "/v1/apps/Probe/intents/AwaitFile/runs", headers=headers, json={}) as response:
        assert response.status_code == 200, response.status_code
        assert "finished" not in response.read().decode()


class Storage:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def flow():
    """The official client obtains a token: metadata, registration, authorization with PKCE, token."""
    storage, answers = Storage(), []
    http = httpx2.AsyncClient(verify=TLS)

    async def redirect(address):
        response = await http.get(address)
        answers.append(urllib.parse.parse_qs(urllib.parse.urlparse(response.headers["Location"]).query))

    async def callback():
        [answer] = answers
        return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0], iss=answer["iss"][0])

    registration = OAuthClientMetadata(client_name="test", redirect_uris=["http://127.0.0.1:1/callback"])
    auth = OAuthClientProvider(SERVICE + "/mcp", registration, storage, redirect, callback)
    async with httpx2.AsyncClient(auth=auth, verify=TLS, timeout=60) as authorized:
        async with Client(streamable_http_client(SERVICE + "/mcp", http_client=authorized)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert "Probe_Echo" in tools and "Archive_Compress" in tools, tools
            result = await client.call_tool("Probe_Echo", {"text": "through OAuth"})
            assert "through OAuth" in str(result), result
    assert storage.tokens and len(answers) == 1
    claims = json.loads(base64.urlsafe_b64decode(storage.tokens.access_token.split(".")[1] + "=="))
    assert claims["aud"] == SERVICE + "/mcp" and claims["scope"] == "probe archive", claims


def rotation():
    """A new key is fetched with the first token that names it, and an unknown one causes no more fetches."""
    old = token()
    HTTP.post(f"{CONTROL}/rotate")
    # The keys may have been fetched less than ten seconds ago. Until then, the new one is unknown.
    new = token(key="rsa-2")
    while (status := ask(new).status_code) == 401:
        check_fetches()
        time.sleep(1)
    assert status == 200, status
    refused(old)
    for _ in range(5):
        refused(token(headers={"kid": "unknown"}, key="rsa-2"))
    check_fetches()


def accounts():
    """Subjects that stand for accounts of the service's host."""
    metadata()
    ending()
    permitted()
    unpermitted()
    asyncio.run(flow())
    rotation()


PROBE = "/v1/apps/Probe/intents"


class Caller:
    """A caller of the realm 'home', with a token for every intent."""

    def __init__(self, subject):
        self.name, self.token = f"{subject}@home", token({"sub": subject, "scope": "all"})

    def ask(self, path, method="GET", **options):
        response = ask(self.token, path, method, **options)
        return response.status_code, response.json() if response.content else None

    def get(self, path):
        status, answer = self.ask(path)
        assert status == 200, (self.name, path, status, answer)
        return answer

    def start(self, intent, values={}):
        status, answer = self.ask(f"{PROBE}/{intent}/runs", "POST", json={"values": values})
        assert status == 202, (self.name, intent, status, answer)
        return answer["run"]

    def value(self, intent, values={}):
        end = self.end(self.start(intent, values))
        assert end["outcome"]["kind"] == "done", (self.name, intent, end)
        return end["outcome"]["value"]

    def end(self, run):
        while "end" not in (story := self.get(f"/v1/runs/{run}")["story"]):
            time.sleep(0.05)
        return story["end"]["event"]

    def history(self, query=""):
        return self.get("/v1/history" + query)["history"]["runs"]


def own_runs(alice, bob, games):
    """A caller has runs, state and stored files of its own, and sees no other's."""
    runs = {caller.name: caller.start("Echo", {"text": caller.name}) for caller in (alice, bob, games)}
    for caller in (alice, bob, games):
        run = runs[caller.name]
        assert caller.end(run)["outcome"]["value"] == caller.name
        story = caller.get(f"/v1/runs/{run}")["story"]
        assert story["summary"]["userName"] == caller.name and story["software"].endswith(f", {caller.name}"), story
        assert [entry["run"] for entry in caller.history()] == [run], caller.history()
        for query in ["?everybody=true", "?user=0", "?account=alice@home", "?account=games"]:
            assert [entry["run"] for entry in caller.history(query)] == [run], query
        for other in (set(runs.values()) - {run}):
            for method, path in [("GET", ""), ("GET", "/events"), ("GET", "/logs"), ("POST", "/cancel"), ("GET", "/question"),
                                 ("POST", "/undo"), ("GET", "/files"), ("DELETE", "/files")]:
                body = {"json": {}} if method == "POST" else {}
                assert caller.ask(f"/v1/runs/{other}{path}", method, **body)[0] == 404, (caller.name, method, path)
    # The state of an app is that of one caller.
    assert alice.value("Remember", {"key": "k1"}) == ["k1=1+1"] + ["note-k1"] * 3
    assert bob.value("Remember", {"key": "k2"}) == ["k2=1+1"] + ["note-k2"] * 3
    assert games.value("Remember", {"key": "k3"}) == ["k3=1+1"] + ["note-k3"] * 3
    assert alice.value("Remember", {"key": "k1"})[0] == "k1=2+2"
    file = ask(alice.token, "/v1/files", "POST", content=b"a").json()["file"]
    assert ask(alice.token, f"/v1/files/{file}").status_code == 200
    assert ask(bob.token, f"/v1/files/{file}").status_code == 404
    shortcut = {"name": "Mine", "text": "[Shortcut Mine]\n[Step one]\nIntent=Probe/Echo\nValues=text=a\n"}
    status, answer = alice.ask("/v1/shortcuts", "POST", json=shortcut)
    assert status == 200, answer
    assert [entry["name"] for entry in alice.get("/v1/shortcuts")["shortcuts"]] == ["Mine"]
    assert bob.get("/v1/shortcuts")["shortcuts"] == []
    # The steps of a shortcut belong to its caller.
    status, answer = alice.ask("/v1/runs", "POST", json={"plan": shortcut["text"]}, headers={"Prefer": "wait=60"})
    assert status == 200 and answer["outcome"]["kind"] == "done", answer
    assert len(alice.history("?intent=Echo")) == 2 and len(bob.history("?intent=Echo")) == 1


def own_questions(alice, bob):
    """Only the caller sees and answers the questions of its runs."""
    run = alice.start("AskSomething", {"way": "confirm"})
    while alice.ask(f"/v1/runs/{run}/question")[0] != 200:
        time.sleep(0.05)
    answer = {"question": 1, "value": True}
    assert bob.ask(f"/v1/runs/{run}/question")[0] == 404
    assert bob.ask(f"/v1/runs/{run}/answer", "POST", json=answer)[0] == 404
    ticket = {"run": run, "question": 1, "digest": "a"}
    assert bob.ask("/v1/tickets", "POST", json=ticket)[0] == 404
    status, issued = alice.ask("/v1/tickets", "POST", json=ticket)
    assert status == 200, issued
    redeem = {"ticket": issued["ticket"], "digest": "a"}
    assert bob.ask("/v1/tickets/redeem", "POST", json=redeem)[0] == 404
    status, refusal = alice.ask(f"/v1/runs/{run}/answer", "POST", json=answer)
    assert status == 200, refusal
    assert alice.end(run)["outcome"]["kind"] == "done"


def own_limits(alice, bob):
    """MaxRunsPerUser=1 applies to each caller: the second run of one waits, the run of another does not."""
    first, second = alice.start("AwaitFile"), alice.start("AwaitFile")
    assert bob.value("Echo", {"text": "a"}) == "a"
    states = {entry["run"]: entry["state"] for entry in alice.get("/v1/runs")["runs"]}
    assert states[second] == "queued" and states[first] != "queued", states
    listed = bob.get("/v1/runs")["runs"]
    assert not {first, second} & {entry["run"] for entry in listed}, listed
    for run in (second, first):
        assert alice.ask(f"/v1/runs/{run}/cancel", "POST", json={})[0] == 200


def rights(alice, bob):
    """A caller has what [Access] permits everybody, or names, and nothing of operators."""
    assert alice.end(alice.start("Prints", {"text": "a"}))["outcome"]["kind"] == "done"
    # The number of the service's account is in AllowUsers=, and does not permit its callers.
    status, answer = bob.ask(f"{PROBE}/Prints/runs", "POST", json={"values": {"text": "a"}})
    assert status == 403 and answer["code"] == "notPermitted", answer
    for caller in (alice, bob):
        for method, path in [("GET", "/v1/metrics"), ("POST", "/v1/reload"), ("POST", "/v1/upgrade")]:
            body = {"json": {}} if method == "POST" else {}
            status, answer = caller.ask(path, method, **body)
            assert status == 403 and answer["code"] == "notPermitted", (path, status, answer)
        status, answer = caller.ask("/v1/prune", "POST", json={"olderThanMilliseconds": 0, "count": 0})
        assert status in (400, 403), (status, answer)
        # Neither the caller nor the service's account has the permissions of a session at the machine.
        assert caller.ask(f"{PROBE}/NeedsPresence/runs", "POST", json={})[0] == 403
    # A failed run is repeated as its caller.
    alice.start("Throws", {"kind": "plain"})
    while len(alice.history("?intent=Throws")) < 2:
        time.sleep(0.05)
    assert bob.history("?intent=Throws") == []


def hostile():
    """A subject that cannot be part of a name is refused, not changed."""
    for subject in ["alice@home", "root@home", "../alice", "a/b", ".", "..", "-x", "--only", "a b", "a\n", "a\0b", "a\u0301", "\u0430lice",
                    "al\u0131ce", "\uff41lice", "a\u200b", "\u202eecila", "auth0|alice", "a:b", "a'b", "a\"b", "a$b", "a%40home", "x" * 65]:
        refused(token({"sub": subject, "scope": "all"}), "insufficient_scope", 403)
    # Another name is another caller, and so is an account of the host with this name.
    for subject in ["Alice", "root", "0", "man"]:
        assert Caller(subject).history() == [], subject


async def tools(bob):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {bob.token}"}, verify=TLS, timeout=60) as http:
        async with Client(streamable_http_client(SERVICE + "/mcp", http_client=http)) as client:
            result = await client.call_tool("Probe_Echo", {"text": "through MCP"})
            assert "through MCP" in str(result), result
    assert [run["userName"] for run in bob.history("?count=1")] == ["bob@home"]


def realm():
    """The other subjects of an issuer with Realm=home are callers of their own."""
    alice, bob, games = Caller("alice"), Caller("bob"), Caller("games")
    own_runs(alice, bob, games)
    own_questions(alice, bob)
    own_limits(alice, bob)
    rights(alice, bob)
    hostile()
    asyncio.run(tools(bob))
    # Subject= states an account for this subject, which has the name of no caller.
    ada = Caller("ada")
    run = ada.start("Echo", {"text": "a"})
    assert ada.get(f"/v1/runs/{run}")["story"]["summary"]["userName"] == "games"
    assert games.ask(f"/v1/runs/{run}")[0] == 404


def account():
    """The host has an account with the name carol@home."""
    status, answer = Caller("carol").ask("/v1/apps")
    assert status == 403 and answer["code"] == "notPermitted", (status, answer)


RUN = pathlib.Path(FOLDER) / "run"


def begin():
    """Starts a run, and another one that waits for it."""
    alice = Caller("alice")
    runs = [alice.start("AwaitFile"), alice.start("AwaitFile")]
    while [entry["state"] for entry in alice.get("/v1/runs")["runs"]].count("running") == 0:
        time.sleep(0.05)
    RUN.write_text(" ".join(runs))


def resume():
    """After a crash of intentd, both runs are still those of their caller."""
    alice, bob = Caller("alice"), Caller("bob")
    first, second = RUN.read_text().split()
    states = {entry["run"]: entry["state"] for entry in alice.get("/v1/runs")["runs"]}
    assert states[first] == "running" and states[second] == "queued", states
    for run in (second, first):
        assert bob.ask(f"/v1/runs/{run}/cancel", "POST", json={})[0] == 404
        assert alice.ask(f"/v1/runs/{run}/cancel", "POST", json={})[0] == 200


SCENARIOS = {"accounts": accounts, "realm": realm, "account": account, "begin": begin, "resume": resume}
SCENARIOS[SCENARIO]()
