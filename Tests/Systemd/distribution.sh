#!/bin/bash
# Inside a booted system of a distribution: the released packages are installed, an ordinary user runs an app, and nothing is
# left after a purge.
#
#   distribution.sh PROJECT PACKAGES APP
set -euo pipefail

project=$1
packages=$2
app=$3
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# compresses: an ordinary user has a file compressed, and the result is right.
compresses() {
    (
        cd ~member
        runuser -u member -- intentctl run --out . Archive/Compress --file /usr/bin/dpkg >/dev/null
        gzip --decompress --stdout dpkg.gz | cmp - /usr/bin/dpkg
    )
}

# archives: an ordinary user has a folder archived, and the result has its files.
archives() {
    (
        cd ~member
        folder=/usr/share/doc
        runuser -u member -- intentctl run --out . archive/Create --folder $folder >/dev/null
        # With -q, grep would end before tar has printed all names.
        tar --list --gzip --file archive.tar.gz | grep -x ./intentd/copyright
    )
}

# is_small FILE BYTES: a program is within its limit.
is_small() { [ "$(stat -Lc %s "$1")" -le "$2" ]; }

. /etc/os-release
echo "$PRETTY_NAME: $(systemctl --version | head -1); $(ldd --version | head -1); $(apparmor_parser --version | head -1)"
rm -f /usr/sbin/policy-rc.d
check "the packages are installed" dpkg -i "$packages"/intentd{,-doc,-dev}_*.deb "$packages"/intentctl_*.deb
# Before AppArmor 4, the kernel restricts no user namespaces, and the package installs no profile.
[ ! -e /etc/apparmor.d/abi/4.0 ] || check "AppArmor's parser accepts the profile" \
    apparmor_parser --skip-kernel-load --skip-cache /usr/share/intentd/apparmor/intentd
install -m 755 -D "$app" /usr/local/lib/intentd/apps/Archive
asks_for_less /etc/intentd
useradd --create-home --groups intentd member
# Foundation as a whole would add 37 MB of ICU.
check "intentctl has at most 20 MB" is_small /usr/bin/intentctl 20000000
check "the launcher has at most 20 MB" is_small /usr/lib/intentd/intentd-launcher 20000000
check "intentd-command has at most 20 MB" is_small /usr/lib/intentd/intentd-command 20000000
check "the starter has at most 100 kB" is_small /usr/lib/intentd/intentd-starter 100000
check "intent-ask has at most 100 kB" is_small /usr/lib/intentd/intent-ask 100000
echo "sizes: $(stat -Lc '%n %s' /usr/bin/intentctl /usr/lib/intentd/intentd{,-launcher,-starter,-command} /usr/lib/intentd/intent-ask | tr '\n' ' ')"
# The time of the shell's fork is part of it.
begin=${EPOCHREALTIME/./}
for _ in {1..100}; do intentctl version >/dev/null; done
echo "intentctl version: $(((${EPOCHREALTIME/./} - begin) / 100)) µs on average, on a machine that does other work"
check "systemd finds no fault in the units" systemd-analyze verify --man=no intentd.socket intentd.service intentd-workers.service
check "the socket listens" test "$(systemctl is-active intentd.socket)" = active
check "an ordinary user runs an app" compresses
# Programs as intents, with the distribution's own programs.
install -m 644 "$project/examples/commands/archive.intents" /etc/intentd/commands.d/
check "an ordinary user runs a program" archives
check "history has the run" bash -c 'runuser -u member -- intentctl history | grep Archive/Compress'
check "journalctl finds the run by its app" bash -c 'journalctl --sync; journalctl INTENT_APP=Archive | grep Compress'
check "a reload reads the files" systemctl reload intentd.service
check "status is healthy" intentctl status
check "the packages are purged" dpkg --purge intentd-dev intentd-doc intentctl intentd
check "nothing of them is left" test -z "$(ls -d /etc/intentd /var/lib/intentd* /var/cache/intentd /usr/lib/intentd 2>/dev/null)"
