#!/bin/bash
# Inside a booted systemd: intentd-web.service behind nginx, which ends TLS, as units/http.md describes it. Every line that begins
# with "ok" or "not ok" is one check.
#
#   front.sh PROJECT BUILT PYTHON
#
# PYTHON has the packages of Tests/MCP/mcp-2.3.txt.
set -euo pipefail

project=$1
built=$2
python=$3
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"
export PYTHONDONTWRITEBYTECODE=1

install_programs "$project" "$built"
mkdir -m 755 /tmp/work && cd /tmp/work
install -m 755 "$built/Probe" "$built/Archive" /usr/local/lib/intentd/apps/
printf '[Sandbox]\nSubprocesses=yes\n' >/etc/intentd/apps.d/Probe.conf

# start_issuer FOLDER: writes the address of a new issuer to FOLDER/address. The service trusts what this host trusts.
start_issuer() {
    mkdir -p "$1"
    : >"$1/address"
    "$python" "$project/Tests/Web/issuer.py" "$1" >"$1/address" 2>"$1/errors" &
    until grep -q '/realm$' "$1/address"; do
        kill -0 $! || { cat "$1/errors"; exit 1; }
        sleep 0.1
    done
    cp "$1/ca.pem" "/usr/local/share/ca-certificates/tests-$(basename "$1").crt"
    update-ca-certificates >/dev/null 2>&1
}
start_issuer /tmp/work
issuer=$(cat /tmp/work/address)

service=https://127.0.0.1:8443
mkdir -p /etc/intentd/intentd.conf.d /etc/intentd/hooks.d
cat >/etc/intentd/intentd.conf.d/web.conf <<END
[Web]
User=intentd-web
Users=games
Hosts=127.0.0.1
Issuers=$issuer
Resource=$service
Audience=api://intents
Subject=games $issuer ada
Subject=mail $issuer root
Scope=probe Probe/*
Scope=archive Archive/*
[Agents]
Allow=all
Ask=never
END
printf 'the secret of a webhook' >/etc/intentd/hooks.d/echo.secret
cat >/etc/intentd/hooks.d/echo.hook <<END
[Hook]
Scheme=github
SecretFile=/etc/intentd/hooks.d/echo.secret
User=games
Intent=Probe/Echo
[Values]
text=/issue/title
END
systemctl start intentd.socket intentd-web.socket

# nginx has the lines of the guide.
usermod -aG intentd-web www-data
{
    echo 'user www-data; pid /run/nginx.pid; error_log stderr; events {} http { access_log off; server {'
    echo "listen 127.0.0.1:8443 ssl; ssl_certificate /tmp/work/server.pem; ssl_certificate_key /tmp/work/server-key.pem;"
    sed -n '/^```nginx$/,/^```$/{//!p}' "$project/units/http.md"
    echo '} }'
} >/etc/nginx/nginx.conf
systemctl start nginx.service

request() { curl --silent --show-error --max-time 60 "$@"; }
status() { request --output /dev/null --write-out '%{http_code}' "$@"; }
token=$(intentctl token new laptop --as games --allow 'Probe/*' --expires 1d | tail -n 1)
bearer="Authorization: Bearer $token"

echo_runs() {
    request -H "$bearer" -H 'Prefer: wait=60' --json '{"values":{"text":"through nginx"}}' $service/v1/apps/Probe/intents/Echo/runs >echoed
    grep -F '"value":"through nginx"' echoed
}
check "curl performs an intent with a token, and receives its result" echo_runs
refuses() { [ "$(status "$@")" = 401 ]; }
check "a wrong token is refused" refuses -H 'Authorization: Bearer idt_wrong' $service/v1/apps
other_app() { [ "$(status -H "$bearer" --json '{}' $service/v1/apps/Archive/intents/Compress/runs)" = 403 ]; }
check "an intent that the token does not allow is refused" other_app

# The proxy must pass on each event when it comes, also while the run is live.
streams() {
    local run
    request -H "$bearer" -H 'Accept: text/event-stream' --json '{}' --no-buffer \
        $service/v1/apps/Probe/intents/TickUntilFile/runs >events &
    timeout 60 sh -c 'until grep -q "^event: progress" events; do sleep 0.1; done' || { cat events; return 1; }
    run=$(sed -n 's/.*"run":"\([a-z0-9]*\)".*/\1/p' events | head -n 1)
    [ "$(status -X POST -H "$bearer" "$service/v1/runs/$run/cancel")" = 200 ] || { cat events; return 1; }
    wait $! && grep -q '^event: finished' events
}
check "the events of a live run arrive at once, and the stream of a cancelled run ends" streams

body='{"issue":{"title":"from a webhook"}}'
hook() { # SECRET
    local signature
    signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$1" | sed 's/.* //')
    status -H 'Content-Type: application/json' -H "X-Hub-Signature-256: sha256=$signature" --data "$body" $service/hooks/echo
}
answers() { [ "$(hook "$1")" = "$2" ]; }
check "a webhook with a wrong signature is answered like an unknown one" answers 'another secret' 404
check "a webhook that is signed as GitHub signs performs its intent" answers 'the secret of a webhook' 202
check "a replay of the webhook is refused" answers 'the secret of a webhook' 404

check "the official MCP client obtains a token of the issuer, and no other token is accepted" \
    timeout 300 "$python" "$project/Tests/Web/oauth.py" accounts "$issuer" $service /tmp/work

recorded() { intentctl show "$(sed 's/.*"run":"\([a-z0-9]*\)".*/\1/' echoed)" | grep -F 'token laptop'; }
check "the record of a run names the token" recorded
reasons() {
    says intentd-web.service "Issuers= does not name 'https://other.example'" &&
        says intentd-web.service "no Subject= names 'mallory'" && says intentd-web.service 'signature'
}
check "the journal has the reason for each refusal" reasons

# Users of another issuer have no accounts here, except for one.
start_issuer /tmp/work/home
cat >/etc/intentd/intentd.conf.d/web.conf <<END
[Web]
User=intentd-web
Users=games
Hosts=127.0.0.1
Issuers=$(cat /tmp/work/home/address)
Resource=$service
Realm=home $(cat /tmp/work/home/address)
Subject=games $(cat /tmp/work/home/address) ada
Scope=all *
[Limits]
MaxRunsPerUser=1
[Agents]
Allow=all
Ask=never
END
printf '[Intent Prints]\nAllowUsers=alice@home %s\n[Intent Throws]\nRetry=1\nBackoff=1s..1s\n' "$(id -u intentd-web)" \
    >>/etc/intentd/apps.d/Probe.conf
echo 'carol@home:x:54321:54321::/:/usr/sbin/nologin' >>/etc/passwd
systemctl reload intentd
systemctl restart intentd-web
realm() { # SCENARIO
    cp /tmp/work/ca.pem /tmp/work/home/server-ca.pem
    timeout 300 "$python" "$project/Tests/Web/oauth.py" "$1" "$(cat /tmp/work/home/address)" $service /tmp/work/home
}
check "a user of a realm is a caller of its own, which sees no other's runs and is never an operator" realm realm
check "an account that has the name of a caller is not the caller" realm account
crash() {
    realm begin
    systemctl kill --signal=KILL intentd
    realm resume
}
check "after a crash of intentd, a run that has begun and one that waits belong to their caller" crash
named() {
    intentctl history --by alice@home >history && grep -F alice@home history && ! grep -F bob@home history &&
        intentctl history --by intentd-web | grep -F bob@home
}
check "history lists the runs of a caller by its name" named
refused_names() { says intentd-web.service "the subject 'auth0|alice' of .* cannot be part of a name"; }
check "the journal names the subjects that cannot be callers" refused_names
