"""An authorization server: the one of the official MCP SDK, with the tokens and keys of PyJWT, over HTTPS.
issuer.py FOLDER. Writes FOLDER/ca.pem, FOLDER/server.pem and FOLDER/server-key.pem for 127.0.0.1, and prints its address.
The paths below /control are for tests: they make tokens of any kind, and change the keys."""

import base64
import datetime
import hmac
import ipaddress
import json
import pathlib
import secrets
import socket
import sys
import time

import jwt
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from mcp.server.auth.provider import AccessToken, AuthorizationCode, construct_redirect_uri
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

FOLDER = pathlib.Path(sys.argv[1])
SOCKET = socket.socket()
SOCKET.bind(("127.0.0.1", 0))
ISSUER = f"https://127.0.0.1:{SOCKET.getsockname()[1]}/realm"
# A host can trust several of these authorities, which OpenSSL finds by their names.
AUTHORITY = f"authority of {ISSUER}"


def write_certificates():
    def name(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    def certificate(subject, key, issuer, issuer_key, extensions):
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(hours=1))
        builder = builder.not_valid_after(now + datetime.timedelta(days=2))
        for extension in extensions:
            builder = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        return builder.sign(issuer_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    constraints = x509.BasicConstraints(ca=True, path_length=None)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (FOLDER / "ca.pem").write_bytes(certificate(AUTHORITY, authority, AUTHORITY, authority, [constraints]))
    (FOLDER / "server.pem").write_bytes(certificate("server", key, AUTHORITY, authority, [address]))
    (FOLDER / "server-key.pem").write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()))


class Keys:
    """The keys of the issuer. Those that it publishes have a number."""

    def __init__(self):
        self.all, self.published, self.fetches = {}, [], 0
        for name, key in [("rsa", rsa.generate_private_key(65537, 2048)), ("ec", ec.generate_private_key(ec.SECP256R1()))]:
            self.add(name, key, True)
        self.add("short", rsa.generate_private_key(65537, 1024), True)
        self.add("ed", ed25519.Ed25519PrivateKey.generate(), True)
        self.add("hidden", rsa.generate_private_key(65537, 2048), False)

    def add(self, name, key, is_published):
        self.all[name] = key
        if is_published:
            self.published = [other for other in self.published if other != name] + [name]

    def document(self):
        self.fetches += 1
        keys = []
        for name in self.published:
            key = self.all[name]
            algorithm = {"rsa": "RS256", "short": "RS256", "ec": "ES256", "ed": "EdDSA"}[name.split("-")[0]]
            public = jwt.get_algorithm_by_name(algorithm).to_jwk(key.public_key(), as_dict=True)
            keys.append(public | {"kid": name, "use": "sig"})
        return JSONResponse({"keys": keys + [{"kty": "oct", "k": "AAAA", "kid": "oct"}]})


KEYS = Keys()


def token(claims={}, headers={}, algorithm="RS256", key="rsa"):
    now = time.time()
    claims = {"iss": ISSUER, "sub": "ada", "exp": now + 600, "scope": "probe"} | claims
    claims = {name: value for name, value in claims.items() if value is not None}
    headers = {"kid": key, "typ": "at+jwt"} | headers
    if algorithm == "HS256":
        # The attack that confuses algorithms: the public key as the secret of an HMAC. PyJWT refuses to sign so.
        pem, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        secret = KEYS.all[key].public_key().public_bytes(pem, form)
        parts = [json.dumps(part).encode() for part in (headers | {"alg": algorithm}, claims)]
        text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
        code = base64.urlsafe_b64encode(hmac.digest(secret, text, "sha256")).rstrip(b"=")
        return (text + b"." + code).decode()
    if algorithm == "none":
        return jwt.encode(claims, None, algorithm, headers)
    return jwt.encode(claims, KEYS.all[key], algorithm, headers)


class Provider:
    """What the SDK's server asks: one user, who consents to everything."""

    def __init__(self):
        self.clients, self.codes = {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32), client_id=client.client_id, scopes=params.scopes or [],
            expires_at=time.time() + 60, code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource)
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state, iss=ISSUER)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        scope = " ".join(code.scopes)
        text = token({"aud": code.resource, "scope": scope, "client_id": client.client_id})
        return OAuthToken(access_token=text, token_type="Bearer", expires_in=600, scope=scope)

    async def load_refresh_token(self, client, text):
        return None

    async def load_access_token(self, text):
        return None


async def make(request):
    return JSONResponse({"token": token(**json.loads(await request.body()))})


async def rotate(request):
    KEYS.add("rsa-2", rsa.generate_private_key(65537, 2048), True)
    KEYS.published.remove("rsa")
    return JSONResponse({})


async def fetches(request):
    return JSONResponse({"count": KEYS.fetches})


async def metadata(request):
    return JSONResponse({
        "issuer": ISSUER, "authorization_endpoint": f"{ISSUER}/authorize", "token_endpoint": f"{ISSUER}/token",
        "registration_endpoint": f"{ISSUER}/register", "jwks_uri": f"{ISSUER}/keys", "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"], "scopes_supported": ["probe", "archive"],
        "authorization_response_iss_parameter_supported": True})


async def keys(request):
    return KEYS.document()


write_certificates()
registration = ClientRegistrationOptions(enabled=True, valid_scopes=["probe", "archive"], default_scopes=["probe"])
routes = [
    Route("/.well-known/oauth-authorization-server/realm", metadata),
    Route("/realm/keys", keys),
    Route("/control/token", make, methods=["POST"]),
    Route("/control/rotate", rotate, methods=["POST"]),
    Route("/control/fetches", fetches),
    Mount("/realm", routes=create_auth_routes(Provider(), AnyHttpUrl(ISSUER), client_registration_options=registration)),
]
config = uvicorn.Config(
    Starlette(routes=routes), log_level="error", ssl_certfile=FOLDER / "server.pem", ssl_keyfile=FOLDER / "server-key.pem")
print(ISSUER, flush=True)
uvicorn.Server(config).run([SOCKET])
