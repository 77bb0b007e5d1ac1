#!/bin/bash
# Inside a booted systemd: runs the commands of README and the operator guide that need one, as they are written. Every
# line that begins with "ok" or "not ok" is one check.
#
#   documents.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# Installs the libraries of a debug build, and settings for test hosts.
install_programs "$project" "$built"
"$project/units/uninstall" >/dev/null

# A reader's checkout, with the programs in the folder of the release build.
reader=/tmp/reader
mkdir -p $reader/.build/static /srv/out
ln -s "$project"/{units,Sources,Tests,examples} $reader/
ln -s "$built" $reader/.build/static/release
head -c 100000 /dev/urandom >$reader/photo.tar
chmod 755 $reader
cd $reader

USER=root
# The reader is root here, so sudo is not needed.
sudo() {
    case $1 in
    units/install) units/install --from "$built" ;;
    *) "$@" ;;
    esac
}
export -f sudo
export USER built SYSTEMD_PAGER=cat

"$project/Tests/documents" script Tests/Systemd/documents.sh >/tmp/commands.sh
check "the commands of README and the operator guide run as they are written" bash /tmp/commands.sh
check "the run of README has written its result" gunzip -t $reader/photo.tar.gz
check "the journal has the run of README" bash -c 'journalctl --sync; journalctl INTENT_APP=Archive | grep -q Archive'

systemctl stop intentd.socket intentd.service
check "the service of the documents stops without a failure" test "$(systemctl show -P Result intentd.service)" = success
