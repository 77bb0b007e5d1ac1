#!/bin/bash
# Inside a booted systemd: an agent with a user of its own performs intents through intentctl mcp, and the person it acts
# for approves. Every line that begins with "ok" or "not ok" is one check.
#
#   agents.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

as() { timeout 60 runuser -u "$1" -- "${@:2}"; }
fails_with() { local code=0; "${@:2}" >/tmp/output 2>&1 || code=$?; [ "$code" = "$1" ] || { echo "$code"; cat /tmp/output; false; }; }
# prints EXPRESSION: the agent prints a line with the regular expression within 60 s.
prints() {
    timeout 60 bash -c 'until grep -qE -- "$1" /tmp/work/agent.log; do sleep 0.1; done' - "$1" || { cat /tmp/work/agent.log; false; }
}
run_of_agent() { as alice intentctl --output json ps | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["run"])'; }

install_programs "$project" "$built"
mkdir -m 777 /tmp/work && cd /tmp/work
install -m 755 "$built/Library" "$built/Archive" /usr/local/lib/intentd/apps/
install -D -m 755 "$project/examples/agent/agent.py" examples/agent/agent.py
useradd --groups intentd alice
useradd --groups intentd claude
useradd --groups intentd bob
systemctl start intentd.socket

tools_of() { as "$1" intentctl mcp --list | grep -o '"name":"Library_[A-Za-z_]*' | cut -d'"' -f4 | tr '\n' ' '; }
check "without a permission, agents get the intents that only read" test "$(tools_of alice)" = "Library_IndexBook Library_find_Book "

# The commands of documents, which are README's: the permission, a reload, the agent, the approval.
sudo() { if [ "$1" = -u ]; then runuser -u "$2" -- "${@:3}"; else "$@"; fi; }
export -f sudo
mapfile -t commands < <("$project/Tests/documents" commands Tests/Systemd/agents.sh)
check "README has four commands" test "${#commands[@]}" = 4
check "an operator permits an agent" bash -c "${commands[0]}"
check "a reload reads the permission" bash -c "${commands[1]}"
check "agents get all intents then" test \
    "$(tools_of claude)" = "Library_DiscardBooks Library_IndexBook Library_RenameBook Library_find_Book "

eval "${commands[2]% &*}" >/tmp/work/agent.log 2>&1 &
agent=$!
check "the agent asks for an entity" prints 'found Moby Dick: moby'
check "it answers the question of a run" prints 'asked: Library/IndexBook'
check "a task advances" prints 'working: [1-9][0-9]? %'
before=$(systemctl show -P MainPID intentd)
kill -9 "$before"
check "the task is done although intentd was killed" prints '^indexed: Moby Dick has an index of 40 pages'
check "intentd is another process now" test "$(systemctl show -P MainPID intentd)" != "$before"
check "an undo takes a change back" prints '^undone: Moby Dick'

check "it passes the file of one tool to another" prints '^note.txt.gz .application/gzip. has note.txt: Call me Ishmael'
check "what discards is not done before an approval" prints 'discarding Emma: waiting for approval'
run=$(run_of_agent)
check "the agent cannot approve it" fails_with 77 as claude intentctl answer "$run" yes
check "another user cannot" fails_with 66 as bob intentctl answer "$run" yes
check "the person sees what they approve" grep -q 'entities=\["emma"\]' <(as alice intentctl ps)
check "the person approves" as alice env RUN="$run" bash -c "${commands[3]}"
check "it is done then" prints 'discarding Emma: done'
check "a task is cancelled" prints '^cancelled: cancelled'
code=0
wait "$agent" || code=$?
check "the agent ends without an error" test "$code" = 0
check "the receipt names the person" grep -q "approved .*alice" <(as alice intentctl audit)
check "the journal has the approval" says intentd.service 'approved'

# Under its unit, intentd does not see homes: a file of the agent there has no verified name until an operator opens the folder.
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
mkdir -p /home/alice/scans /srv/scans
for folder in /home/alice/scans /srv/scans; do echo text >"$folder/a.txt"; done
chmod 711 /home/alice && chmod -R a+rX /home/alice/scans /srv/scans
read_as_agent() { as claude intentctl run --detach Probe/ReadFiles --files "$1"; }
question_of() { as alice intentctl answer "$(read_as_agent "$1")"; }
reload_with_roots() {
    mkdir -p /etc/intentd/intentd.conf.d
    printf '[Agents]\nAllowRoots=%s\n' "$1" >/etc/intentd/intentd.conf.d/roots.conf
    intentctl reload
}
intentctl reload >/dev/null
check "a file in a home has no verified name" grep -q "not verified" <(question_of /home/alice/scans/a.txt)
check "a file in /srv has a verified name" bash -c '! grep -q "not verified" <<<"$1" && grep -q SHA-256 <<<"$1"' - \
    "$(question_of /srv/scans/a.txt)"
check "an operator sets AllowRoots=" reload_with_roots "/srv/scans /home/alice/scans"
check "a folder that intentd sees is permitted" read_as_agent /srv/scans/a.txt
check "a folder in a home is not" fails_with 77 read_as_agent /home/alice/scans/a.txt
check "the reason is that intentd does not reach the file" grep -q "does not reach the file by this path" /tmp/output
mkdir -p /etc/systemd/system/intentd.service.d
printf '[Service]\nProtectHome=tmpfs\nBindReadOnlyPaths=/home/alice/scans\n' >/etc/systemd/system/intentd.service.d/roots.conf
systemctl daemon-reload && systemctl restart intentd.service
check "an operator opens the folder to intentd with a drop-in" read_as_agent /home/alice/scans/a.txt
check "a link to a folder elsewhere is not permitted" bash -c '
    ln -s /etc /home/alice/scans/etc && ! runuser -u claude -- intentctl run --detach Probe/ReadFiles --files /home/alice/scans/etc/passwd'
for run in $(as alice intentctl --output json ps | python3 -c 'import json, sys; print(*(run["run"] for run in json.load(sys.stdin)["runs"]))'); do
    as alice intentctl cancel "$run"
done >/dev/null

systemctl stop intentd.socket intentd.service intentd-workers.service
check "no process is left after the stop" test -z "$(pgrep -u intentd,intentd-workers)"
