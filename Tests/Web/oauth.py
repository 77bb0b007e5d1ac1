"""Access tokens of an issuer at the HTTP service: oauth.py ISSUER SERVICE FOLDER. FOLDER has ca.pem. Exits with an error when a
promise does not hold."""

import asyncio
import base64
import json
import ssl
import sys
import time
import urllib.parse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

ISSUER, SERVICE, FOLDER = sys.argv[1:4]
CONTROL = ISSUER.removesuffix("/realm") + "/control"
TLS = ssl.create_default_context(cafile=f"{FOLDER}/ca.pem")
HTTP = httpx2.Client(verify=TLS, timeout=60)
START = time.monotonic()


def token(claims={}, **options):
    return HTTP.post(f"{CONTROL}/token", json={"claims": {"aud": SERVICE} | claims} | options).json()["token"]


def check_fetches():
    """Tokens with unknown keys cause at most one fetch in ten seconds."""
    count = HTTP.get(f"{CONTROL}/fetches").json()["count"]
    assert 1 <= count <= 2 + (time.monotonic() - START) / 10, count
    return count


def ask(text, path="/v1/apps", method="GET", **options):
    headers = {"Authorization": f"Bearer {text}"} if text is not None else {}
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


metadata()
ending()
permitted()
unpermitted()
asyncio.run(flow())
rotation()
