#!/bin/bash
# Inside a booted systemd: changes of the host's own files beside an app in steady use. Every line that begins with "ok" or
# "not ok" is one check.
#
#   host-changes.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd member
mkdir -p /etc/intentd/apps.d /srv/disk /srv/ca
printf '[Sandbox]\nNetwork=yes\nWritePaths=/srv/disk\nRequire=reduced\n' >/etc/intentd/apps.d/Probe.conf
chmod 777 /srv/disk
as_member() { timeout 60 runuser -u member -- "$@"; }
reads() { as_member intentctl run Probe/ReadText --path "$1"; }
# Replaces a file by rename, as NetworkManager and dhclient do.
replace() { printf '%s\n' "$2" >"$1.new"; mv "$1.new" "$1"; }

replace /etc/resolv.conf "nameserver 192.0.2.1"
replace /etc/hosts "127.0.0.1 localhost before"
ln -sf /usr/share/zoneinfo/Europe/Berlin /etc/localtime
systemctl start intentd.service
for _ in 1 2 3; do reads /etc/resolv.conf >/tmp/output; done
check "a run reads resolv.conf" grep -q '192\.0\.2\.1' /tmp/output

replace /etc/resolv.conf "nameserver 192.0.2.2"
reads /etc/resolv.conf >/tmp/output
check "a run after a new lease has the new resolver" grep -q '192\.0\.2\.2' /tmp/output
replace /etc/hosts "127.0.0.1 localhost after"
reads /etc/hosts >/tmp/output
check "a run has the new names of hosts" grep -q after /tmp/output
reads /etc/localtime | cksum >/tmp/berlin
ln -sfn /usr/share/zoneinfo/Asia/Tokyo /etc/localtime
reads /etc/localtime | cksum >/tmp/tokyo
check "a run has the new time zone" bash -c '! cmp -s /tmp/berlin /tmp/tokyo'
rm /etc/hosts
check "a removed file is not there" bash -c '! timeout 60 runuser -u member -- intentctl run Probe/ReadText --path /etc/hosts'
replace /etc/hosts "127.0.0.1 localhost again"
reads /etc/hosts >/tmp/output
check "a file that is made again is there" grep -q again /tmp/output

# Certificates, and a library that the app maps.
certificates=/etc/ssl/certs/ca-certificates.crt
mkdir -p /etc/ssl/certs
replace $certificates before
reads $certificates >/tmp/output
check "a run reads the certificates" grep -q before /tmp/output
replace $certificates after
reads $certificates >/tmp/output
check "a run has the new certificates" grep -q after /tmp/output
library=$(ldd /usr/local/lib/intentd/apps/Probe | awk '$1 ~ "^libswift" { print $3; exit }')
cp "$library" "$library.new" && mv "$library.new" "$library"
reads $certificates >/tmp/output
check "a run after the upgrade of a library gets a new sandbox" says intentd-workers.service "^Probe: '.*/${library##*/}' has changed"

mount -t tmpfs disk /srv/disk
echo "of the disk" >/srv/disk/file
reads /srv/disk/file >/tmp/output
check "a mount over a granted folder is used" grep -q "of the disk" /tmp/output
umount /srv/disk
check "the disk is free after its unmount" timeout 20 bash -c 'while grep -qs " - tmpfs disk " /proc/[0-9]*/mountinfo; do sleep 0.05; done'
check "the journal names what has changed" says intentd-workers.service "^Probe: '/etc/resolv.conf' has changed"
check "no run was lost" bash -c '! intentctl history --by all | grep -q lost'
